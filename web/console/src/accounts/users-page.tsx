import { Button, Stack, Typography } from '@mui/material';
import { useState } from 'react';

import { useGraph } from '../graph/request';
import { Page, Rows } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { roleText } from './roles';
import { UserDialog, type Action, type User } from './user-dialog';

const USERS = `query Users($after: String) {
  users(first: 50, after: $after) { nodes { ref username role createdOn } pageInfo { hasNextPage endCursor } }
}`;

interface Users {
  readonly users: {
    readonly nodes: readonly User[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

const ACTIONS: readonly (readonly [Exclude<Action, 'create'>, string])[] = [
  ['role', texts.accounts.changeRole],
  ['secret', texts.accounts.changeSecret],
  ['sessions', texts.accounts.endSessions],
  ['delete', texts.accounts.delete],
];

/** All users, for admins. */
export function UsersPage() {
  const [open, setOpen] = useState<{ readonly action: Action; readonly user?: User }>();
  const [after, setAfter] = useState<string | null>(null);
  const { data, error } = useGraph<Users>('users', USERS, { after });
  const { pageInfo } = data?.users ?? {};
  return (
    <Page
      title={texts.titles.users}
      actions={
        <Button variant="contained" onClick={() => setOpen({ action: 'create' })}>
          {texts.accounts.newUser}
        </Button>
      }
    >
      <Rows
        label={texts.titles.users}
        rows={data?.users.nodes}
        error={error}
        empty={texts.accounts.noUsers}
        keyOf={({ ref }) => ref}
      >
        {(user) => (
          <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
            <Typography component="div" sx={{ flex: '1 1 14rem' }}>
              {texts.accounts.user(user.username, roleText(user.role), <Time value={user.createdOn} />)}
            </Typography>
            {ACTIONS.map(([action, text]) => (
              <Button
                key={action}
                size="small"
                aria-label={texts.accounts.of(text, user.username)}
                color={action === 'delete' ? 'error' : 'primary'}
                onClick={() => setOpen({ action, user })}
              >
                {text}
              </Button>
            ))}
          </Stack>
        )}
      </Rows>
      {after !== null && <Button onClick={() => setAfter(null)}>{texts.accounts.first}</Button>}
      {pageInfo?.hasNextPage === true && (
        <Button onClick={() => setAfter(pageInfo.endCursor)}>{texts.accounts.next}</Button>
      )}
      {open && <UserDialog {...open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}
