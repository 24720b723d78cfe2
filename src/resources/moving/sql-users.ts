import { at, type ForeignRow, type ForeignSource } from '../../database/foreign/foreign-source';
import { nonEmpty, NEW_SECRET, type MappingOptions, type MovedRecord, type MoveReport } from './moved-record';
import { nameOf } from './sip-place';

/** Domains of the table `domain`, and those that users have beside them. */
export async function* domainsIn(
  source: ForeignSource,
  isUser: (row: ForeignRow) => boolean,
): AsyncGenerator<MovedRecord> {
  const seen = new Set<string>();
  const record = (domain: string, place: string): MovedRecord | undefined => {
    const uri = domain.toLowerCase();
    if (uri === '' || seen.has(uri)) return undefined;
    seen.add(uri);
    return { place, key: domainKey(uri), cells: { name: nameOf(uri), domainUri: uri } };
  };
  for await (const row of source.rows('domain')) {
    const found = record(at(row, 'domain'), `domain ${at(row, 'id')}`);
    if (found) yield found;
  }
  for await (const row of source.rows('subscriber')) {
    const found = isUser(row) ? record(at(row, 'domain'), `domain of subscriber ${at(row, 'id')}`) : undefined;
    if (found) yield found;
  }
}

/** The key of a domain; only a domain that cannot be imported has spaces. */
export function domainKey(uri: string): string {
  return `domain:${uri.toLowerCase().replace(/\s/g, '_')}`;
}

/** The keys of the domains that are not left out. */
export async function domainKeysIn(
  source: ForeignSource,
  isUser: (row: ForeignRow) => boolean,
  { skip }: MappingOptions,
): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { place, key } of domainsIn(source, isUser))
    if (key !== undefined && !skip.has(place)) keys.push(key);
  return keys;
}

/** Agents of the table `subscriber`. Digests (HA1) cannot be used, because they are of a realm and do not give the password. */
export async function* agentsIn(
  source: ForeignSource,
  { newSecrets }: MappingOptions,
  report: MoveReport,
  isUser: (row: ForeignRow) => boolean,
): AsyncGenerator<MovedRecord> {
  for await (const row of source.rows('subscriber')) {
    if (!isUser(row)) continue;
    const place = `subscriber ${at(row, 'id')}`;
    const [username, domain, password] = [at(row, 'username'), at(row, 'domain'), at(row, 'password')];
    if (domain === '') {
      report.miss('subscriber: a user without a domain', place);
      continue;
    }
    if (password === '' && !newSecrets) {
      report.miss(
        'subscriber: a user of whose password only digests are stored (--new-secrets gives it a new one)',
        place,
      );
      continue;
    }
    const name = nameOf([row['first_name'], row['last_name']].filter((each) => each).join(' '), username);
    yield {
      place,
      cells: nonEmpty({
        name,
        username,
        domains: domain.toLowerCase(),
        secret: password === '' ? NEW_SECRET : password,
      }),
    };
  }
}

/** Tables whose rows are the state of a running server, or derived from other tables. */
const STATE =
  /^(?:version|acc.*|missed_calls|location.*|aliases|presentity|active_watchers|watchers|pua|xcap|dialog.*|topos.*|sip_trace|silo|cdrs?|sca_subscriptions|rls_.*|domain_name)$/;

/** Reports the tables with rows that are not mapped. */
export async function missTables(
  source: ForeignSource,
  mapped: ReadonlySet<string>,
  report: MoveReport,
): Promise<void> {
  for (const table of source.tables) {
    if (mapped.has(table) || STATE.test(table)) continue;
    const { rows, first } = await source.size(table);
    if (rows > 0) report.miss(`${table}: the table has no counterpart`, `${table} ${first.slice(0, 40)}`, rows);
  }
}
