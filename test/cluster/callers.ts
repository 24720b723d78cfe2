import type { Entry } from './ledger';
import type { Reply, Site } from './site';

/** Users who read what they have just written. */
export interface Callers {
  /** What is known of their numbers, by ref. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Reads after an acknowledged write that were answered, of each caller. */
  readonly answered: readonly number[];
  /** Reads that did not show the write before them, and errors that no failure of a server explains. */
  readonly wrong: readonly string[];
  readonly stop: () => Promise<void>;
}

const CALLERS = 6;
// Milliseconds between the operations of a caller: the tests count on a busy machine.
const PAUSE = 15;
const SECRET = 'the secret of a caller';
const USER = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }';
const TOKEN =
  'mutation ($username: String!, $secret: String!) { made: createToken(username: $username, secret: $secret) { token } }';
const CREATE = 'mutation ($input: CreateNumberInput!) { createNumber(input: $input) { ref } }';
const UPDATE = 'mutation ($ref: String!, $aor: String!) { updateNumber(ref: $ref, input: { aorLink: $aor }) { ref } }';
const READ = 'query ($ref: String!) { number(ref: $ref) { aorLink } }';

/**
 * Starts callers, each of them a user. A caller changes a number of its own, of the gateway, through one site after the
 * other, and reads it through all sites after each change.
 */
export async function startCallers(sites: readonly Site[], gatewayRef: string): Promise<Callers> {
  const entries = new Map<string, Set<string>>();
  const answered = Array.from({ length: CALLERS }, () => 0);
  const wrong: string[] = [];
  let isOver = false;

  const isAnswered = ({ data, code = '', message = '' }: Reply, what: string): boolean => {
    if (!data && !['UNAVAILABLE', 'UNKNOWN'].includes(code)) wrong.push(`${what}: ${code}: ${message}`);
    return data !== undefined;
  };
  const call = async (caller: number, token: string): Promise<void> => {
    const ref = `c${String(caller)}`;
    const aorOf = (change: number): string => `sip:${ref}@change${String(change)}.test`;
    const known = new Set(['absent']);
    entries.set(ref, known);
    for (let change = 0; !isOver; change++) {
      const site = sites[(caller + change) % sites.length];
      const aor = aorOf(change);
      const telUrl = `tel:+9${String(caller).padStart(8, '0')}`;
      const written = known.has('absent')
        ? await site?.graphql(CREATE, { input: { ref, telUrl, gatewayRef, aorLink: aor } }, token)
        : await site?.graphql(UPDATE, { ref, aor }, token);
      // A create whose response was lost may have succeeded.
      const isThere = known.size > 1 && known.has('absent') && written?.code === 'CONFLICT';
      const isWritten = !isThere && written !== undefined && isAnswered(written, `${ref} writes`);
      if (isThere) known.delete('absent');
      if (isWritten) known.clear();
      if (!isThere) known.add(aor);
      if (isWritten)
        await Promise.all(
          sites.map(async (each, at) => {
            const read = await each.graphql(READ, { ref }, token);
            const what = `${ref} at site ${String(at)} after change ${String(change)} through ${String(sites.indexOf(site ?? each))}`;
            if (!isAnswered(read, what)) return;
            const found = read.data?.['number'] as { readonly aorLink: string } | null; // what READ selects
            if (found?.aorLink === aor) answered[caller] = (answered[caller] ?? 0) + 1;
            else wrong.push(`${what}: ${String(found?.aorLink)} instead of ${aor}`);
          }),
        );
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  };
  const tokens: string[] = [];
  for (let caller = 0; caller < CALLERS; caller++) tokens.push(await tokenOf(sites, `caller${String(caller)}`));
  const all = tokens.map((token, caller) => call(caller, token));
  return {
    entries,
    answered,
    wrong,
    stop: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** Creates a user, and returns its token. */
async function tokenOf([site]: readonly Site[], username: string): Promise<string> {
  await site?.graphql(USER, { input: { username, secret: SECRET, role: 'OPERATOR' } });
  const reply = await site?.graphql(TOKEN, { username, secret: SECRET });
  const made = reply?.data?.['made'] as { readonly token: string } | undefined; // what TOKEN selects
  if (!made) throw new Error(`${username} cannot sign in: ${String(reply?.message)}`);
  return made.token;
}
