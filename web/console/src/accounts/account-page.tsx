import { Box, Button, Chip, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';

import { request, useGraph, useRefresh } from '../graph/request';
import { signOut } from '../graph/session';
import { ChangeSecret } from '../jobs/change-secret';
import { Choice } from '../parts/choice';
import { Confirm, FormDialog, ShownOnce, textIn } from '../parts/dialogs';
import { Page, Rows, Section } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { roleText, useOwnRoles } from './roles';

/** The user's own secret, sessions and API tokens. */
export function AccountPage() {
  return (
    <Page title={texts.titles.account} actions={<ChangeSecret />}>
      <Sessions />
      <ApiTokens />
    </Page>
  );
}

const SESSIONS = '{ viewer { sessions { id address device createdOn expiresOn current } } }';
const END_SESSION = 'mutation EndSession($id: ID!) { endSession(id: $id) }';
const END_ALL_SESSIONS = 'mutation EndAllSessions { endAllSessions }';

interface Session {
  readonly id: string;
  readonly address: string;
  readonly device: string | null;
  readonly createdOn: string;
  readonly expiresOn: string;
  readonly current: boolean;
}

/** The user's sign-ins whose tokens are still good. */
function Sessions() {
  const { data, error } = useGraph<{ viewer: { sessions: readonly Session[] } }>('sessions', SESSIONS);
  const refresh = useRefresh('sessions', 'history');
  const [ending, setEnding] = useState<Session | 'all'>();
  const end = async (): Promise<void> => {
    if (ending === undefined) return;
    if (ending !== 'all' && ending.current) return signOut();
    if (ending === 'all') await request(END_ALL_SESSIONS);
    else await request(END_SESSION, { id: ending.id });
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
                session.device,
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
          title={ending === 'all' ? texts.accounts.endAll : texts.accounts.endSession(ending.device, ending.address)}
          about={ending === 'all' ? texts.accounts.endAllAbout : texts.accounts.endAbout}
          submit={texts.accounts.end}
          onConfirm={end}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Section>
  );
}

const TOKENS =
  '{ apiTokens { ref name note role createdOn expiresOn lastUsedOn lastUsedFrom documents { name } deprecatedUses { field count lastUsedOn } } }';
const CREATE_TOKEN = `mutation CreateApiToken($name: String!, $role: Role!, $expiresOn: DateTimeISO, $note: String, $documents: [String!]) {
  createApiToken(name: $name, role: $role, expiresOn: $expiresOn, note: $note, documents: $documents) { token }
}`;
const DELETE_TOKEN = 'mutation DeleteApiToken($ref: String!) { deleteApiToken(ref: $ref) }';

interface ApiToken {
  readonly ref: string;
  readonly name: string;
  readonly note: string | null;
  readonly role: string;
  readonly expiresOn: string | null;
  readonly lastUsedOn: string | null;
  readonly lastUsedFrom: string | null;
  readonly documents: readonly { readonly name: string }[] | null;
  /** What programs with this token must stop to use. */
  readonly deprecatedUses: readonly { readonly field: string; readonly count: number; readonly lastUsedOn: string }[];
}

/** The user's API tokens. */
function ApiTokens() {
  const { data, error } = useGraph<{ apiTokens: readonly ApiToken[] }>('apiTokens', TOKENS);
  const refresh = useRefresh('apiTokens', 'history');
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<string>();
  const [deleting, setDeleting] = useState<ApiToken>();
  const create = async (form: FormData): Promise<void> => {
    const [note, end] = [textIn(form, 'note'), textIn(form, 'expiresOn')];
    const documents = textIn(form, 'documents');
    const { createApiToken } = await request<{ createApiToken: { token: string } }>(CREATE_TOKEN, {
      name: textIn(form, 'name'),
      role: textIn(form, 'role'),
      note: note === '' ? null : note,
      // The end of the day, where the user is.
      expiresOn: end === '' ? null : new Date(`${end}T23:59:59`).toISOString(),
      documents: documents === '' ? null : documents.split(/^---$/m).map((each) => each.trim()),
    });
    setMade(createApiToken.token);
    await refresh();
  };
  const remove = async (): Promise<void> => {
    await request(DELETE_TOKEN, { ref: deleting?.ref });
    await refresh();
  };
  return (
    <Section
      title={texts.accounts.tokens}
      action={
        <Button variant="contained" onClick={() => setNew(true)}>
          {texts.accounts.newToken}
        </Button>
      }
    >
      <Rows
        label={texts.accounts.tokens}
        rows={data?.apiTokens}
        error={error}
        empty={texts.accounts.noTokens}
        keyOf={({ ref }) => ref}
      >
        {(token) => (
          <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
            <Description token={token} />
            <Button
              size="small"
              color="error"
              aria-label={texts.accounts.deleteToken(token.name)}
              onClick={() => setDeleting(token)}
            >
              {texts.accounts.delete}
            </Button>
          </Stack>
        )}
      </Rows>
      {isNew && <NewToken onSubmit={create} onClose={() => setNew(false)} />}
      {made !== undefined && <ShownOnce title={texts.accounts.token} value={made} onClose={() => setMade(undefined)} />}
      {deleting && (
        <Confirm
          title={texts.accounts.deleteToken(deleting.name)}
          about={texts.accounts.deleteTokenAbout}
          submit={texts.accounts.delete}
          onConfirm={remove}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Section>
  );
}

function Description({
  token: { name, role, note, expiresOn, lastUsedOn, lastUsedFrom, documents, deprecatedUses },
}: {
  readonly token: ApiToken;
}) {
  return (
    <Typography component="div" sx={{ flex: '1 1 14rem' }}>
      {texts.accounts.describedToken(
        name,
        roleText(role),
        expiresOn === null ? texts.accounts.never : texts.accounts.until(<Time value={expiresOn} />),
        lastUsedOn === null ? texts.accounts.unused : texts.accounts.used(lastUsedOn.slice(0, 10), lastUsedFrom ?? ''),
        note,
        documents && texts.accounts.onlyDocuments(documents.map((each) => each.name)),
      )}
      {deprecatedUses.length > 0 && (
        <Box component="ul" aria-label={texts.accounts.deprecatedOf(name)} sx={{ m: 0, pl: 2, typography: 'body2' }}>
          {deprecatedUses.map(({ field, count, lastUsedOn: last }) => (
            <li key={field}>{texts.accounts.deprecated(field, count, last.slice(0, 10))}</li>
          ))}
        </Box>
      )}
    </Typography>
  );
}

interface NewTokenProps {
  readonly onSubmit: (form: FormData) => Promise<void>;
  readonly onClose: () => void;
}

function NewToken({ onSubmit, onClose }: NewTokenProps) {
  const roles = useOwnRoles();
  return (
    <FormDialog title={texts.accounts.newToken} submit={texts.accounts.create} onSubmit={onSubmit} onClose={onClose}>
      {(refused) => (
        <>
          <TextField name="name" label={texts.accounts.name} required autoFocus {...refused('name')} />
          <Choice name="role" label={texts.accounts.role} defaultValue={roles.at(-1)?.[0]} options={roles} />
          <TextField
            name="expiresOn"
            label={texts.accounts.expires}
            type="date"
            {...refused('expiresOn', texts.accounts.expiresHint)}
            slotProps={{ inputLabel: { shrink: true } }}
          />
          <TextField name="note" label={texts.accounts.note} {...refused('note')} />
          <TextField
            name="documents"
            label={texts.accounts.documents}
            multiline
            minRows={2}
            maxRows={12}
            {...refused('documents', texts.accounts.documentsHint)}
          />
        </>
      )}
    </FormDialog>
  );
}
