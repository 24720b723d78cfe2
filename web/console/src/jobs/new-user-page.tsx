import { Alert, Button, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';

import { createKeys } from '../data/forms';
import { GraphError, messageOf } from '../graph/graph-error';
import { RETRIES } from '../graph/retries';
import { PageLink, ResourceLink } from '../parts/links';
import { Page } from '../parts/page';
import { randomSecret } from '../parts/secret';
import { Telephone } from '../parts/telephone';
import { texts } from '../texts';
import type { PhoneAccount } from './account';
import { Finder, type Choice } from './finder';
import { createUser, findDomains, findFreeNumbers, isTaken, routeNumber, suggestUsername } from './new-user';
import { PhoneCard } from './phone-card';
import { words } from './texts';

const { newUser } = words;

/** Creates an agent, routes a number to it, and shows what its phone needs. */
export function NewUserPage() {
  const [made, setMade] = useState<Made>();
  return (
    <Page title={texts.jobs.newUser}>
      <Stack spacing={2} sx={{ maxWidth: '40rem' }}>
        {made ? <Result made={made} onNext={() => setMade(undefined)} /> : <UserForm onMade={setMade} />}
      </Stack>
    </Page>
  );
}

/** What was done: the account, and the number with the reason for which calls to it do not go there. */
interface Made {
  readonly account: PhoneAccount;
  readonly number: Choice | null;
  readonly failure?: unknown;
}

/** Routes a number to an account that was created; never throws. */
async function madeOf(account: PhoneAccount, number: Choice | null): Promise<Made> {
  try {
    if (number) await routeNumber(number.ref, account);
    return { account, number };
  } catch (failure) {
    return { account, number, failure };
  }
}

function UserForm({ onMade }: { readonly onMade: (made: Made) => void }) {
  // The same request creates nothing twice, so it has the same secret.
  const [{ keyOf, secret }] = useState(() => ({ keyOf: createKeys(), secret: randomSecret() }));
  const [typed, setTyped] = useState<string>();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<Choice | null>();
  const [number, setNumber] = useState<Choice | null>(null);
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);

  const domains = useQuery({
    queryKey: ['domains for users'],
    queryFn: async ({ signal }) => findDomains('', signal),
    ...RETRIES,
  });
  const domain = chosen === undefined ? theOnly(domains.data) : chosen;
  const suggestion = useQuery({
    queryKey: ['suggested user', domain?.label],
    queryFn: async ({ signal }) => suggestUsername(domain?.label ?? '', signal),
    enabled: domain !== null,
    // Others create users, too.
    gcTime: 0,
    ...RETRIES,
  });
  const username = typed ?? (domain === null ? '' : (suggestion.data ?? ''));

  const create = async (): Promise<void> => {
    if (!domain) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const user = { username: username.trim(), name: name.trim(), domain: domain.label, secret };
      onMade(await madeOf(await createUser(user, keyOf(user)), number));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void create();
  };
  const refusal = (field: string): string | undefined =>
    failure instanceof GraphError && failure.fields.includes(field)
      ? texts.kinds.invalid(field, failure.at(field))
      : undefined;
  const isAtFields = ['username', 'name', 'domains'].some((field) => refusal(field) !== undefined);

  if (domains.data?.length === 0)
    return (
      <Alert severity="info">
        {newUser.noDomain(<PageLink to="/domains/create">{newUser.createDomain}</PageLink>)}
      </Alert>
    );
  return (
    <Stack component="form" spacing={2} onSubmit={submit}>
      {domains.error && <Alert severity="error">{messageOf(domains.error)}</Alert>}
      <TextField
        required
        autoFocus
        autoComplete="off"
        label={newUser.name}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={refusal('name') !== undefined}
        helperText={refusal('name') ?? newUser.nameHint}
      />
      <Finder
        required
        label={newUser.domain}
        none={texts.search.none}
        what={['domains']}
        find={findDomains}
        value={domain}
        onChange={setChosen}
        error={refusal('domains')}
      />
      <TextField
        required
        autoComplete="off"
        label={newUser.username}
        value={username}
        onChange={({ target }) => setTyped(target.value)}
        error={refusal('username') !== undefined}
        helperText={refusal('username') ?? newUser.usernameHint}
      />
      <NumberFinder value={number} onChange={setNumber} />
      {failure !== undefined && !isAtFields && <Alert severity="error">{messageOf(failure)}</Alert>}
      <div>
        <Button type="submit" variant="contained" disabled={isBusy}>
          {newUser.create}
        </Button>
      </div>
    </Stack>
  );
}

/** The domain, if there is only one. */
function theOnly(domains: readonly Choice[] = []): Choice | null {
  const [first, second] = domains;
  return first && !second ? first : null;
}

interface NumberProps {
  readonly value: Choice | null;
  readonly onChange: (chosen: Choice | null) => void;
}

function NumberFinder(props: NumberProps) {
  return (
    <Finder
      label={newUser.number}
      hint={newUser.numberHint}
      none={newUser.noNumber}
      before={newUser.enterNumber}
      what={['free numbers']}
      find={findFreeNumbers}
      {...props}
    />
  );
}

interface ResultProps {
  readonly made: Made;
  readonly onNext: () => void;
}

/** The card of the phone, and whether calls to the number go there. If not, only that is repeated. */
function Result({ made, onNext }: ResultProps) {
  const [{ account, number, failure }, setMade] = useState(made);
  const [isBusy, setBusy] = useState(false);
  const address = `${account.username}@${account.server}`;
  const isRouted = number !== null && failure === undefined;
  const again = async (): Promise<void> => {
    setBusy(true);
    setMade(await madeOf(account, number));
    setBusy(false);
  };
  return (
    <>
      {isRouted && (
        <Alert severity="success">{newUser.rings(<Telephone telUrl={`tel:${number.label}`} />, address)}</Alert>
      )}
      {failure !== undefined && (
        <Stack spacing={1}>
          <Alert severity="error">
            {newUser.notPointed(
              address,
              number ? <Telephone telUrl={`tel:${number.label}`} /> : newUser.number,
              isTaken(failure) ? newUser.notFree : messageOf(failure),
            )}
          </Alert>
          <NumberFinder value={number} onChange={(chosen) => setMade({ account, number: chosen, failure })} />
          <div>
            <Button variant="contained" disabled={isBusy || !number} onClick={() => void again()}>
              {newUser.point}
            </Button>
          </div>
        </Stack>
      )}
      <Typography component="h2" variant="h6">
        {words.card.title(account.name)}
      </Typography>
      <PhoneCard account={account} number={isRouted ? number.label : undefined} />
      <Stack direction="row" spacing={2} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        <Button variant="outlined" onClick={onNext}>
          {newUser.another}
        </Button>
        <ResourceLink kind="Agent" of={account.ref}>
          {newUser.open(account.name)}
        </ResourceLink>
      </Stack>
    </>
  );
}
