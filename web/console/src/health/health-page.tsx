import { Alert, Button, Card, CardContent, LinearProgress, Stack, Typography } from '@mui/material';
import { Title } from 'react-admin';
import { useSearchParams } from 'react-router-dom';

import { Time } from '../parts/time';
import { texts } from '../texts';
import { NumberList } from './number-list';
import type { NumberState } from './operations';
import { scopeIn } from './scope';
import { ScopeTitle } from './scope-title';
import { StateBars } from './state-bars';
import { useCounts } from './use-counts';

/** How many numbers ring, and why the others do not. */
export function HealthPage() {
  const [parameters] = useSearchParams();
  const state = parameters.get('state') ?? '';
  const scope = scopeIn(parameters);
  const { counts, error, recount } = useCounts(scope);
  return (
    <Stack component="section" spacing={2} sx={{ py: 2 }}>
      <Title title={texts.titles.health} />
      {scope && <ScopeTitle scope={scope} />}
      {error && <Alert severity="error">{texts.parts.failed(error.message)}</Alert>}
      <Card variant="outlined">
        <CardContent>
          {!counts && !error && <LinearProgress aria-label={texts.health.searching} />}
          {counts && (
            <Stack spacing={1}>
              <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
                <div role="status">
                  <Typography component="h2" variant="h6">
                    {counts.isComplete ? texts.health.counted(counts.examined) : texts.health.counting(counts.examined)}
                  </Typography>
                </div>
                <Typography color="text.secondary" variant="body2">
                  {texts.health.countedAt(<Time isBrief value={counts.at} />)}
                </Typography>
                <Button onClick={recount}>{texts.health.recount}</Button>
              </Stack>
              <StateBars counts={counts} scope={scope} chosen={state} />
            </Stack>
          )}
        </CardContent>
      </Card>
      {isState(state) ? (
        <NumberList key={JSON.stringify([state, scope])} state={state} scope={scope} />
      ) : (
        <Typography color="text.secondary">{texts.health.choose}</Typography>
      )}
    </Stack>
  );
}

function isState(text: string): text is NumberState {
  return text in texts.health.states;
}
