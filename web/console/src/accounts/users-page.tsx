import { Button, DialogContentText, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';

import { valueIn } from '../../../shared/session';
import type { ForwardPage } from '../graph/lists';
import { request, useGraph, useRefresh } from '../graph/request';
import { useRefusal } from '../graph/use-refusal';
import { Choice } from '../parts/choice';
import { Confirm, FormDialog, textIn } from '../parts/dialogs';
import { Page, Rows } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { roleOptions, roleText } from './roles';

const USERS = `query Users($after: String) {
  users(first: 50, after: $after) { nodes { ref username role createdOn } pageInfo { hasNextPage endCursor } }
}`;

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
  const { data, error } = useGraph<{ users: ForwardPage<User> }>('users', USERS, { after });
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

/** A user, as the graph tells it. */
interface User {
  readonly ref: string;
  readonly username: string;
  readonly role: string;
  readonly createdOn: string;
}

/** What to do with a user. */
type Action = 'create' | 'role' | 'secret' | 'sessions' | 'delete';

const CREATE = 'mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) { ref } }';
const SET_ROLE = 'mutation SetUserRole($ref: String!, $role: Role!) { setUserRole(ref: $ref, role: $role) { ref } }';
const SET_SECRET = `mutation SetUserSecret($ref: String!, $secret: String!) {
  setUserSecret(ref: $ref, secret: $secret) { ref }
}`;
const END_SESSIONS = 'mutation EndAllSessions($ref: String!) { endAllSessions(userRef: $ref) }';
/** What is tried before somebody confirms it: the last admin stays one. */
const DRY_RUNS: Partial<Record<Action, string>> = {
  delete: 'mutation Deletable($ref: String!) { deleteUser(ref: $ref, dryRun: true) }',
  role: 'mutation Changeable($ref: String!) { setUserRole(ref: $ref, role: VIEWER, dryRun: true) { ref } }',
};
const DELETE = 'mutation DeleteUser($ref: String!) { deleteUser(ref: $ref) }';

interface UserDialogProps {
  readonly action: Action;
  readonly user?: User | undefined;
  readonly onClose: () => void;
}

/** The dialog for an action on a user, or for a new user. */
function UserDialog({ action, user, onClose }: UserDialogProps) {
  const refresh = useRefresh('users', 'history');
  const { ref = '', username = '' } = user ?? {};
  const dryRun = DRY_RUNS[action];
  const refusal = useRefusal(dryRun ?? '', { ref }, dryRun !== undefined).refusal?.message;
  const send = async (document: string, variables: object): Promise<unknown> => {
    await request(document, { ...variables });
    return refresh();
  };
  if (action === 'delete' || action === 'sessions') {
    const [title, about, document] =
      action === 'delete'
        ? [texts.accounts.deleteUser(username), texts.accounts.deleteUserAbout, DELETE]
        : [texts.accounts.endSessionsOf(username), texts.accounts.endSessionsAbout, END_SESSIONS];
    const submit = action === 'delete' ? texts.accounts.delete : texts.accounts.endSessions;
    const confirm = async (): Promise<unknown> => send(document, { ref });
    return (
      <Confirm title={title} about={about} submit={submit} refusal={refusal} onConfirm={confirm} onClose={onClose} />
    );
  }
  const forms = {
    create: { title: texts.accounts.newUser, submit: texts.accounts.create },
    role: { title: texts.accounts.changeRoleOf(username), submit: texts.accounts.save },
    secret: { title: texts.accounts.changeSecretOf(username), submit: texts.accounts.save },
  };
  const submit = async (form: FormData): Promise<unknown> => {
    const secret = valueIn(form, 'secret');
    const role = textIn(form, 'role');
    if (action === 'role') return send(SET_ROLE, { ref, role });
    if (action === 'secret') return send(SET_SECRET, { ref, secret });
    return send(CREATE, { input: { username: textIn(form, 'username'), secret, role } });
  };
  return (
    <FormDialog {...forms[action]} refusal={refusal} onSubmit={submit} onClose={onClose}>
      {(refused) => (
        <>
          {action === 'create' && (
            <TextField
              name="username"
              label={texts.accounts.name}
              required
              autoFocus
              autoComplete="off"
              {...refused('username')}
            />
          )}
          {action !== 'role' && (
            <TextField
              name="secret"
              label={action === 'create' ? texts.accounts.secret : texts.accounts.newSecret}
              type="password"
              required
              autoComplete="new-password"
              {...refused('secret', texts.accounts.secretHint)}
            />
          )}
          {action === 'secret' && <DialogContentText>{texts.accounts.secretEnds}</DialogContentText>}
          {action !== 'secret' && (
            <Choice
              name="role"
              label={texts.accounts.role}
              defaultValue={user?.role ?? 'OPERATOR'}
              options={roleOptions}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
