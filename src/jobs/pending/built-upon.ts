import { list, raw, sql, type Fragment } from '../../database/fragment';
import type { Row, Sql } from '../../database/sql';
import { ConflictError, quote } from '../../errors';
import type { Reverted } from '../../history/revert';
import { isOneOf } from '../../sip/simulation/planned-change';

/** The names that a revert takes away: hosts of domains, and user names of agents and peers. */
interface Taken {
  readonly hosts: readonly string[];
  readonly users: readonly string[];
}

/**
 * Throws ConflictError if somebody has made a number lead to an address that exists no longer after a revert: to a domain or a user
 * that the reverted changes named. Addresses are texts, so no reference keeps them. `own` are the ids of the requests of the changes
 * and of their revert. Takes a statement or two for each 8,192 names; the entries since the changes bound them.
 */
export async function assertNotBuiltUpon(
  transaction: Sql,
  reverted: readonly Reverted[],
  own: readonly string[],
): Promise<void> {
  const taken = await takenBy(transaction, reverted);
  if (taken.hosts.length === 0 && taken.users.length === 0) return;
  const first = Math.min(...reverted.map(({ entry }) => entry));
  const others = sql`kind IN ('DID', 'Number') AND did <> 'DELETED' AND COALESCE(request, '') NOT IN (${list(own)})`;
  const later = sql`(SELECT kind, ref FROM changes WHERE id > ${first} AND ${others}
    UNION SELECT kind, ref FROM unnumbered_entries WHERE ${others}) c`;
  const numbers = sql`${later} JOIN numbers n ON n.kind = c.kind AND n.ref = c.ref`;
  const namedIn = (alias: string): readonly Fragment[] => [
    ...isOneOf(`${alias}.aor_host`, taken.hosts),
    ...isOneOf(`${alias}.aor_user`, taken.users),
  ];
  // SQLite allows 32,766 values in a statement, and changes may name 25,000 users.
  const selects = [
    ...namedIn('n').map(
      (named) => sql`SELECT n.kind, n.ref, n.aor_user, n.aor_host FROM ${numbers} WHERE ${isGone('n', named)} LIMIT 1`,
    ),
    ...namedIn('f').map(
      (named) => sql`SELECT n.kind, n.ref, f.aor_user, f.aor_host
        FROM ${numbers} JOIN number_targets f ON f.number_id = n.id WHERE ${isGone('f', named)} LIMIT 1`,
    ),
  ];
  const found = await firstRow(transaction, selects);
  if (!found) return;
  const [kind, ref, user, host] = found.map(String);
  const message = `leads to ${quote(`${user ?? ''}@${host ?? ''}`)} since then`;
  throw new ConflictError(`${kind ?? ''} ${quote(ref ?? '')}: ${message}`, [
    { field: 'aorLink', path: 'spec.location.aorLink', message },
  ]);
}

async function takenBy(transaction: Sql, reverted: readonly Reverted[]): Promise<Taken> {
  const ofUsers = reverted.filter(
    ({ kind, before }) => ['Agent', 'Peer'].includes(kind) && ('username' in before || 'domains' in before),
  );
  // Of an agent that moved, the entry does not have the name.
  const moved = ofUsers.flatMap(({ before, ref }) => ('username' in before ? [] : [ref]));
  const names = moved.length === 0 ? undefined : sql`SELECT username FROM agents WHERE ref IN (${list(moved)})`;
  const stored = names ? await transaction.rows(names.text, names.values) : [];
  const textsOf = (values: readonly unknown[]): readonly string[] => [
    ...new Set(values.filter((value) => typeof value === 'string')),
  ];
  return {
    hosts: textsOf(reverted.map(({ kind, before }) => (kind === 'Domain' ? before['domainUri'] : undefined))),
    users: textsOf([...ofUsers.map(({ before }) => before['username']), ...stored.map(([name]) => name)]),
  };
}

/** The row that the first of these SELECTs with a row finds. */
async function firstRow(reads: Sql, selects: readonly Fragment[]): Promise<Row | undefined> {
  for (const { text, values } of selects) {
    const [row] = await reads.rows(text, values);
    if (row) return row;
  }
  return undefined;
}

/** Whether the address of a number or a further target has a name that was taken, and nobody is there. */
function isGone(alias: string, named: Fragment): Fragment {
  const of = raw(alias);
  return sql`${named}
    AND ${of}.aor_user <> '' AND (NOT EXISTS (SELECT 1 FROM domains d WHERE d.domain_uri = ${of}.aor_host)
      OR (NOT EXISTS (SELECT 1 FROM agent_domains m JOIN domains d ON d.id = m.domain_id
          WHERE m.username = ${of}.aor_user AND d.domain_uri = ${of}.aor_host)
        AND NOT EXISTS (SELECT 1 FROM peers p WHERE p.username = ${of}.aor_user)))`;
}
