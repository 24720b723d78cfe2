import { DialogContentText, TextField } from '@mui/material';

import { request, useRefresh } from '../graph/request';
import { Choice } from '../parts/choice';
import { Confirm, FormDialog, textIn } from '../parts/dialogs';
import { texts } from '../texts';
import { roleOptions } from './roles';

/** A user, as the graph tells it. */
export interface User {
  readonly ref: string;
  readonly username: string;
  readonly role: string;
  readonly createdOn: string;
}

/** What to do with a user. */
export type Action = 'create' | 'role' | 'secret' | 'sessions' | 'delete';

const CREATE = 'mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) { ref } }';
const SET_ROLE = 'mutation SetUserRole($ref: String!, $role: Role!) { setUserRole(ref: $ref, role: $role) { ref } }';
const SET_SECRET = `mutation SetUserSecret($ref: String!, $secret: String!) {
  setUserSecret(ref: $ref, secret: $secret) { ref }
}`;
const END_SESSIONS = 'mutation EndAllSessions($ref: String!) { endAllSessions(userRef: $ref) }';
const DELETE = 'mutation DeleteUser($ref: String!) { deleteUser(ref: $ref) }';

interface Props {
  readonly action: Action;
  readonly user?: User | undefined;
  readonly onClose: () => void;
}

/** The dialog for an action on a user, or for a new user. */
export function UserDialog({ action, user, onClose }: Props) {
  const refresh = useRefresh('users', 'history');
  const { ref = '', username = '' } = user ?? {};
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
    return <Confirm title={title} about={about} submit={submit} onConfirm={confirm} onClose={onClose} />;
  }
  const forms = {
    create: { title: texts.accounts.newUser, submit: texts.accounts.create },
    role: { title: texts.accounts.changeRoleOf(username), submit: texts.accounts.save },
    secret: { title: texts.accounts.changeSecretOf(username), submit: texts.accounts.save },
  };
  const submit = async (form: FormData): Promise<unknown> => {
    const given = form.get('secret');
    const secret = typeof given === 'string' ? given : ''; // spaces count
    const role = textIn(form, 'role');
    if (action === 'role') return send(SET_ROLE, { ref, role });
    if (action === 'secret') return send(SET_SECRET, { ref, secret });
    return send(CREATE, { input: { username: textIn(form, 'username'), secret, role } });
  };
  return (
    <FormDialog {...forms[action]} onSubmit={submit} onClose={onClose}>
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
