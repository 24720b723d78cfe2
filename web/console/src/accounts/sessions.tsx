import { Button, Chip, Stack, Typography } from '@mui/material';
import { useState } from 'react';

import { request, useGraph, useRefresh } from '../graph/request';
import { signOut } from '../graph/session';
import { Confirm } from '../parts/dialogs';
import { Rows, Section } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';

const SESSIONS = '{ viewer { sessions { id address createdOn expiresOn current } } }';
const END = 'mutation EndSession($id: ID!) { endSession(id: $id) }';
const END_ALL = 'mutation EndAllSessions { endAllSessions }';

interface Session {
  readonly id: string;
  readonly address: string;
  readonly createdOn: string;
  readonly expiresOn: string;
  readonly current: boolean;
}

/** The user's sign-ins whose tokens are still good. */
export function Sessions() {
  const { data, error } = useGraph<{ viewer: { sessions: readonly Session[] } }>('sessions', SESSIONS);
  const refresh = useRefresh('sessions', 'history');
  const [ending, setEnding] = useState<Session | 'all'>();
  const end = async (): Promise<void> => {
    if (ending === undefined) return;
    if (ending !== 'all' && ending.current) return signOut();
    if (ending === 'all') await request(END_ALL);
    else await request(END, { id: ending.id });
    await (ending === 'all' ? signOut() : refresh());
  };
  return (
    <Section
      title={texts.accounts.sessions}
      action={
        <Button color="error" onClick={() => setEnding('all')}>
          {texts.accounts.endAll}
        </Button>
      }
    >
      <Rows
        label={texts.accounts.sessions}
        rows={data?.viewer.sessions}
        error={error}
        empty={texts.accounts.noSessions}
        keyOf={({ id }) => id}
      >
        {(session) => (
          <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
            <Typography component="div" sx={{ flex: '1 1 14rem' }}>
              {texts.accounts.session(
                session.address,
                <Time value={session.createdOn} />,
                <Time value={session.expiresOn} />,
              )}{' '}
              {session.current && <Chip size="small" label={texts.accounts.current} />}
            </Typography>
            <Button size="small" onClick={() => setEnding(session)}>
              {texts.accounts.end}
            </Button>
          </Stack>
        )}
      </Rows>
      {ending !== undefined && (
        <Confirm
          title={ending === 'all' ? texts.accounts.endAll : texts.accounts.endSession(ending.address)}
          about={ending === 'all' ? texts.accounts.endAllAbout : texts.accounts.endAbout}
          submit={texts.accounts.end}
          onConfirm={end}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Section>
  );
}
