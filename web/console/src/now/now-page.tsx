import { Alert, LinearProgress, Stack } from '@mui/material';
import { Title } from 'react-admin';

import { useMayWrite } from '../graph/session';
import { PageButton } from '../parts/links';
import { PageActions } from '../parts/page';
import { texts } from '../texts';
import { Attention } from './attention';
import { LastChanges } from './last-changes';
import { isSetUp, Steps } from './steps';
import { Tiles } from './tiles';
import { useNow } from './use-now';

/** What is wrong now and what to do about it; stays true while it is open. */
export function NowPage() {
  const { shown, error, isConnected } = useNow();
  const mayWrite = useMayWrite();
  return (
    <Stack spacing={3} sx={{ py: 2, minWidth: 0 }}>
      <Title title={texts.now.title} />
      {mayWrite && (
        <PageActions>
          <PageButton to="/new-phone-user" variant="contained">
            {texts.jobs.newUser}
          </PageButton>
        </PageActions>
      )}
      {error && <Alert severity="error">{texts.parts.failed(error.message)}</Alert>}
      {!isConnected && <Alert severity="warning">{texts.explain.offline}</Alert>}
      {!shown && !error && <LinearProgress aria-label={texts.parts.loading} />}
      {shown && (
        <>
          <Tiles {...shown} />
          {isSetUp(shown) || <Steps now={shown.now} />}
          <Attention numbers={shown.numbers} />
          <LastChanges history={shown.now.history} />
        </>
      )}
    </Stack>
  );
}
