import type { State } from '../changes/details';
import type { Product } from '../database/driver';
import { all, list, raw, sql, unionAll, useIndex, type Fragment } from '../database/fragment';
import type { Reads } from '../database/sql';
import { InvalidInputError } from '../errors';
import { addressOfRecordIn } from '../model/format/address-of-record';
import { digitsBetween, isBetween, type Digits } from '../model/format/number-range';
import { telDigits } from '../model/format/tel-uri';
import type { Kind } from '../model/kind';
import type { Model } from '../model/model';
import { calledDigits, type CalledDigits } from '../sip/diagnosis/called-digits';
import type { Facts, NumberState } from '../sip/diagnosis/facts';
import {
  isDisabled,
  pastBreak,
  pastFacts,
  pastState,
  pastSteps,
  type PastPath,
  type PastResource,
} from '../sip/diagnosis/past-facts';
import { numbersAmong, RANGES_LAST } from '../sip/diagnosis/ranges';
import type { Step } from '../sip/diagnosis/steps';
import type { RegistrationEvent } from '../sip/past/registration-event';
import type { Country } from '../spelling/telephone';
import { lastUntil } from './boundaries';
import { entryColumns, toEntries } from './entry-reads';
import type { HistoryEntry } from './history-entry';
import { causeOf, sayWho } from './past-causes';
import type { PastReader } from './past-reader';
import type { PastRegistrations } from './past-registrations';

/** Why a number rang or did not at an earlier time. */
export interface PastExplanation {
  readonly digits: string;
  readonly state: NumberState | 'UNKNOWN';
  readonly steps: readonly Step[];
  /** The first link that did not work; undefined if the call rang. */
  readonly broken: Step | undefined;
  readonly summary: string;
  /** Undefined if the number did not exist. */
  readonly facts: Facts | undefined;
  /** The change that broke the link, if it is known. */
  readonly change: HistoryEntry | undefined;
  /** What happened to the registration of the gateway or the devices, if that is why. */
  readonly event: RegistrationEvent | undefined;
}

/** What to look for in the journal: entries of these kinds, of a resource or whose details meet a condition. */
interface Search {
  readonly kinds: readonly string[];
  readonly events?: readonly string[];
  readonly ref?: string;
  readonly contains?: Fragment;
}

/** The tables of resources, by kind. */
const TABLES: Readonly<Record<string, string>> = {
  DID: 'numbers',
  Number: 'numbers',
  Gateway: 'gateways',
  Agent: 'agents',
  Peer: 'peers',
  Domain: 'domains',
};
const NUMBERS = ['DID', 'Number'];
// Resources that a name may have belonged to, and entries of each kind and event that are read to find them.
const MOST = 20;

/** What an explainer of the past depends on. */
export interface PastNumberOptions {
  readonly product: Product;
  readonly node: string | undefined;
  readonly home: Country | undefined;
  /** Charges the user for entries, in objects. Throws RateLimitedError. */
  readonly spend: (objects: number) => void;
}

/**
 * Explains numbers as they were: resources follow from the journal, also those that no longer exist, and registrations
 * from their transitions. The searches of the journal are heavy reads. How many statements an explanation takes is
 * bounded.
 */
export class PastNumbers {
  constructor(
    private readonly reads: Reads,
    private readonly past: PastReader,
    private readonly registrations: PastRegistrations,
    private readonly options: PastNumberOptions,
  ) {}

  /**
   * Explains what became of a call to a number at a time, in milliseconds since the epoch. Throws InvalidInputError for
   * what is not a number, and for a time that has not come yet.
   */
  async explain(model: Model, telUrl: string, at: number): Promise<PastExplanation> {
    const called = calledDigits(telUrl, this.options.home);
    if (at > Date.now()) throw InvalidInputError.of('at', `${new Date(at).toISOString()} has not come yet`);
    await this.past.settle();
    const start = await this.past.start();
    if (at < start) return unknown(called, start);
    const last = (await lastUntil(this.reads, this.options.product, at)) ?? 0;
    const numbers = await this.numbersAt(model, called, last);
    const [number, ...others] = numbers.found;
    const explanation = number
      ? await this.path(model, called, [number, ...others], last, at)
      : await this.missing(called, last, numbers.later);
    // Entries may have been deleted meanwhile.
    const kept = await this.past.start();
    return at < kept ? unknown(called, kept) : explanation;
  }

  /** The numbers with these digits then, and those that have or had them since. */
  private async numbersAt(model: Model, { plain, written, digits }: CalledDigits, last: number) {
    const now = sql`SELECT n.kind, n.ref FROM (${numbersAmong([written, digits])}) w JOIN numbers n ON n.id = w.id
      ORDER BY ${RANGES_LAST}, n.id LIMIT ${MOST}`;
    const rows = await this.reads.rows(now.text, now.values);
    await this.past.settle();
    const entries = await this.search(
      [{ kinds: NUMBERS, contains: hasDigits([written, digits]) }],
      sql`id > ${last}`,
      'ASC',
    );
    const keys = [...rows.map(([kind, ref]) => `${String(kind)} ${String(ref)}`), ...keysOf(entries)];
    const found: PastResource[] = [];
    const later: string[] = [];
    for (const key of new Set(keys.slice(0, 2 * MOST))) {
      const resource = await this.at(model, key, last);
      if (resource && [written, digits].some((each) => isBetween(digitsOf(resource), each))) found.push(resource);
      else if (!resource) later.push(key);
    }
    const rank = ({ values }: PastResource): number =>
      (textOf(values['lastTelUrl']) === '' ? 0 : 4) +
      (values['telUrl'] === plain ? 0 : 2) +
      (telDigits(String(values['telUrl'])) === written ? 0 : 1);
    const sorted = found.toSorted(
      (one, other) => rank(one) - rank(other) || Number(one.values['createdOn']) - Number(other.values['createdOn']),
    );
    return { found: sorted, later };
  }

  private async path(
    model: Model,
    { digits }: CalledDigits,
    [number, ...others]: readonly [PastResource, ...PastResource[]],
    last: number,
    at: number,
  ): Promise<PastExplanation> {
    const { user, host } = addressOfRecordIn(textOf(number.values['aorLink']));
    const { first: tel, last: end } = digitsOf(number);
    const isSingle = (each: PastResource): boolean => textOf(each.values['lastTelUrl']) === '';
    const differs = (other: PastResource): boolean =>
      !isDisabled(other) &&
      isSingle(other) &&
      isSingle(number) &&
      telDigits(String(other.values['telUrl'])) === tel &&
      ['telUrl', 'gatewayRef', 'aorLink'].some((field) => other.values[field] !== number.values[field]);
    const gateway = await this.at(model, `Gateway ${String(number.values['gatewayRef'])}`, last);
    const named = await this.named(model, user, host, last);
    const domain = named.find(({ kind, values }) => kind === 'Domain' && values['domainUri'] === host);
    const agents = named.filter(({ kind, values }) => kind === 'Agent' && values['username'] === user);
    // An entry has the name of the domain, which may have changed since.
    const names = domain ? [host, ...(await this.nameNow(domain.ref))] : [];
    const agent = agents.find((each) => domainsOf(each).some((name) => names.includes(name)));
    const agentThere = agents.find((each) => domainsOf(each).length > 0);
    const path: PastPath = {
      number,
      digits: tel === '' || tel !== end ? digits : tel,
      rivals: others.filter(differs).length,
      gateway,
      registration: gateway
        ? await this.registrations.gateway(gateway.ref, textOf(gateway.values['name']), at)
        : { unknown: undefined, event: undefined },
      user,
      host,
      domain,
      agent,
      agentThere,
      agentElsewhere: agent || !agentThere ? null : (domainsOf(agentThere)[0] ?? null),
      peer: named.find(({ kind, values }) => kind === 'Peer' && values['username'] === user),
      devices: await this.registrations.devices(user, host, at),
      node: this.options.node,
    };
    const facts = pastFacts(path);
    const steps = pastSteps(path, facts);
    const broken = pastBreak(steps);
    const state = pastState(broken);
    const { change, event, said } = causeOf(state, path, await this.changesBefore(path, last));
    const summary = [(broken ?? steps.at(-1))?.summary ?? '', ...said].join('; ');
    return { digits: path.digits, state, steps, broken, summary, facts, change, event };
  }

  /** A number that did not exist: who deleted or changed it before, or who created it later. */
  private async missing(
    { written, digits }: CalledDigits,
    last: number,
    later: readonly string[],
  ): Promise<PastExplanation> {
    const contains = hasDigits([written, digits]);
    const before = await this.search([{ kinds: NUMBERS, contains }], sql`id <= ${last}`, 'DESC');
    const had = before.find(({ details }) =>
      [written, digits].includes(telDigits(textOf(details?.before?.['telUrl']))),
    );
    const change = had ?? (await this.creation(later, last));
    const summary = [`no DID or Number ${digits}`, ...(change ? [sayWho(change)] : [])].join('; ');
    const step: Step = { of: 'number', state: 'MISSING', summary };
    return {
      digits,
      state: 'MISSING',
      steps: [step],
      broken: step,
      summary,
      facts: undefined,
      change,
      event: undefined,
    };
  }

  /** The first creation of one of these resources after an entry. */
  private async creation(keys: readonly string[], last: number): Promise<HistoryEntry | undefined> {
    const refs = keys.slice(0, MOST).map((key) => key.split(' ', 2)[1] ?? '');
    if (refs.length === 0) return undefined;
    const { text, values } = sql`SELECT ${raw(entryColumns('fields'))} FROM changes
      ${useIndex(this.options.product, 'changes_ref')}
      WHERE kind IN (${list(NUMBERS)}) AND ref IN (${list(refs)}) AND id > ${last} AND did = 'CREATED' ORDER BY id LIMIT 1`;
    const [entry] = await toEntries(this.reads, await this.reads.rows(text, values), 'fields', this.options.spend);
    return entry;
  }

  /** The domains with this name, and the agents and peers with this user name, now or at some time since an entry. */
  private async named(model: Model, user: string, host: string, last: number): Promise<readonly PastResource[]> {
    const current = await this.reads.rows(
      `SELECT * FROM (SELECT 'Domain', ref FROM domains WHERE domain_uri = ? LIMIT 1) d
       UNION ALL SELECT * FROM (SELECT 'Agent', a.ref FROM domains e JOIN agent_domains m ON m.domain_id = e.id
         JOIN agents a ON a.id = m.agent_id WHERE e.domain_uri = ? AND m.username = ? LIMIT 1) o
       UNION ALL SELECT * FROM (SELECT 'Agent', ref FROM agents WHERE username = ? LIMIT ?) a
       UNION ALL SELECT * FROM (SELECT 'Peer', ref FROM peers WHERE username = ? LIMIT 1) p`,
      [host, host, user, user, MOST, user],
    );
    // The entries include all changes that the current state has.
    await this.past.settle();
    const entries = await this.search(
      [
        { kinds: ['Domain'], contains: has('domainUri', host) },
        { kinds: ['Agent', 'Peer'], contains: has('username', user) },
      ],
      sql`id > ${last}`,
      'ASC',
    );
    const keys = [...current.map(([kind, ref]) => `${String(kind)} ${String(ref)}`), ...keysOf(entries)];
    const found: PastResource[] = [];
    // Each takes statements of its own.
    for (const key of [...new Set(keys)].slice(0, 2 * MOST)) {
      const resource = await this.at(model, key, last);
      if (resource) found.push(resource);
    }
    return found;
  }

  /** The changes up to an entry that may have broken a path, newest first. */
  private changesBefore(
    { user, host, number, gateway, domain, agent, agentThere, peer }: PastPath,
    last: number,
  ): Promise<readonly HistoryEntry[]> {
    const of = (resource: PastResource | undefined): Search[] =>
      resource ? [{ kinds: [resource.kind], events: ['UPDATED'], ref: resource.ref }] : [];
    return this.search(
      [
        { kinds: ['Domain'], contains: has('domainUri', host) },
        { kinds: ['Agent', 'Peer'], contains: has('username', user) },
        ...[number, gateway, domain, agent ?? agentThere, peer].flatMap(of),
      ],
      sql`id <= ${last}`,
      'DESC',
    );
  }

  private async search(
    searches: readonly Search[],
    span: Fragment,
    order: 'ASC' | 'DESC',
  ): Promise<readonly HistoryEntry[]> {
    const columns = raw(entryColumns('fields'));
    const parts = searches.flatMap(({ kinds, events = ['UPDATED', 'DELETED'], ref, contains }) =>
      kinds.flatMap((kind) =>
        events.map(
          (
            event,
          ) => sql`SELECT ${columns} FROM changes ${useIndex(this.options.product, ref === undefined ? 'changes_did' : 'changes_ref')}
            WHERE ${all([sql`did = ${event}`, sql`kind = ${kind}`, ref === undefined ? undefined : sql`ref = ${ref}`, span, contains])} ORDER BY id ${raw(order)} LIMIT ${MOST}`,
        ),
      ),
    );
    const named = parts.map((part, n) => sql`SELECT * FROM (${part}) ${raw(`s${String(n)}`)}`);
    const { text, values } = sql`${unionAll(named)} ORDER BY id ${raw(order)}`;
    const rows = await this.reads.heavy(text, values);
    this.options.spend(rows.length);
    return toEntries(this.reads, rows, 'fields', this.options.spend);
  }

  /** The name that a domain has now; nothing if it no longer exists. */
  private async nameNow(ref: string): Promise<readonly string[]> {
    const rows = await this.reads.rows('SELECT domain_uri FROM domains WHERE ref = ?', [ref]);
    return rows.map(([name]) => String(name));
  }

  /** A resource, given as its kind and ref, after an entry; undefined if it did not exist. */
  private async at(model: Model, key: string, last: number): Promise<PastResource | undefined> {
    const [name = '', ref = ''] = key.split(' ', 2);
    const kind: Kind = model.kindOf(name);
    const values: State | undefined = await this.past.stateBy(kind, ref, last);
    if (!values) return undefined;
    const [row] = await this.reads.rows(`SELECT id FROM ${TABLES[name] ?? 'numbers'} WHERE ref = ?`, [ref]);
    return { kind: name, ref, values, rowId: row ? Number(row[0]) : -1 };
  }
}

function unknown({ digits }: CalledDigits, start: number): PastExplanation {
  const summary = `what number ${digits} was is not known: the history before ${new Date(start).toISOString()} is no longer kept (HISTORY_DAYS)`;
  const step: Step = { of: 'number', state: 'UNKNOWN', summary };
  return {
    digits,
    state: 'UNKNOWN',
    steps: [step],
    broken: step,
    summary,
    facts: undefined,
    change: undefined,
    event: undefined,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The digits of a number or a range. */
function digitsOf({ values }: PastResource): Digits {
  return digitsBetween(textOf(values['telUrl']), textOf(values['lastTelUrl']));
}

function keysOf(entries: readonly HistoryEntry[]): readonly string[] {
  return entries.map(({ kind, ref }) => `${kind} ${ref}`);
}

function domainsOf({ values }: PastResource): readonly string[] {
  const { domains } = values;
  return Array.isArray(domains) ? domains.map(String) : [];
}

/** Whether the details of an entry have a field with this value, before or after the change. */
function has(field: string, value: string): Fragment {
  return sql`INSTR(details, ${`${JSON.stringify(field)}:${JSON.stringify(value)}`}) > 0`;
}

/** Whether the details of an entry have a number with some of these digits, in any spelling. */
function hasDigits(digits: readonly string[]): Fragment {
  const plain = ['-', '.', '(', ')'].reduce((text, mark) => `REPLACE(${text}, '${mark}', '')`, 'details');
  const [one = '', other = one] = digits;
  return sql`(${raw(plain)} LIKE ${`%"telUrl":"tel:%${one}%`} OR ${raw(plain)} LIKE ${`%"telUrl":"tel:%${other}%`})`;
}
