import { list, raw, sql, useIndex } from '../../database/fragment';
import type { Reads } from '../../database/sql';
import type { Scratch } from '../../database/sqlite/scratch';
import { InvalidInputError, quote } from '../../errors';
import { asDialed } from '../../model/format/tel-uri';
import type { Model } from '../../model/model';
import { responseOf, type Call } from '../../sip/calls/call';
import type { RecordedAttempt } from '../../sip/calls/call-attempts';
import { LimitReader } from '../../sip/calls/limit-reader';
import { calledDigits } from '../../sip/diagnosis/called-digits';
import { callIn, isEnd, isSource } from '../../sip/diagnosis/calls/call';
import { CallDiagnosis, type CallExplanation } from '../../sip/diagnosis/calls/call-diagnosis';
import { dialedNumber } from '../../sip/diagnosis/calls/call-rows';
import type { CallStep } from '../../sip/diagnosis/calls/call-steps';
import type { Facts, Momentary, NumberState } from '../../sip/diagnosis/facts';
import { NumberDiagnosis } from '../../sip/diagnosis/number-diagnosis';
import { isBroken, summaryOf, type Step } from '../../sip/diagnosis/steps';
import type { RegistrationEvent } from '../../sip/past/registration-event';
import type { Country } from '../../spelling/telephone';
import { lastUntil } from '../boundaries';
import { entryColumns, toEntries } from '../entry-reads';
import type { HistoryEntry } from '../history-entry';
import { sinceThen, type SearchOptions } from '../mentions';
import type { PastReader } from '../past-reader';
import { saysOfNumbers, sentNumbers, type SentNumber } from './sent-numbers';
import { culpritOf, sayEvent, sayWho, searchesFor, type Broken } from './culprit';
import { MOST, searchHistory } from './history-search';
import { openPast } from './past-database';
import type { PastLive, PastLiveReader } from './past-live';
import {
  gatewayWith,
  hasSome,
  NUMBERS,
  numbersWith,
  PastSearch,
  prefixesOf,
  textOf,
  type Ends,
  type PastResources,
  type Then,
} from './past-resources';

/** What explains something of an earlier time. */
interface Past {
  /** The time, in milliseconds since the epoch. */
  readonly at: number;
  readonly summary: string;
  /** The change that broke the link, if it is known. */
  readonly change: HistoryEntry | undefined;
  /** What happened to the registration of the gateway or the devices, if that is why. */
  readonly event: RegistrationEvent | undefined;
  /** What is not known, or no longer, and which setting would have kept it. */
  readonly unknown: readonly string[];
  /** The resources that decided, as they were. */
  readonly resources: readonly Then[];
}

/** Why a number rang or did not at an earlier time. */
export interface PastNumber extends Past {
  readonly digits: string;
  readonly state: NumberState | Momentary | 'UNKNOWN';
  readonly steps: readonly CallStep[];
  /** The first link that did not work; undefined if the call rang. */
  readonly broken: CallStep | undefined;
  /** Undefined if the number did not exist. */
  readonly facts: Facts | undefined;
}

/** What became of a call at an earlier time. */
export interface PastCall extends Past, CallExplanation {
  readonly broken: CallStep | undefined;
  /** How the called number was written for each gateway, by its ref. */
  readonly sent: ReadonlyMap<string, SentNumber>;
}

/** A call to explain. */
export interface Asked {
  readonly from: string;
  readonly to: string;
  readonly source: string | undefined;
}

/** What an explainer of the past depends on. */
export interface PastOptions extends SearchOptions {
  readonly node: string | undefined;
  readonly home: Country | undefined;
}

/** A moment of the past, as a database in memory. */
interface Moment {
  readonly scratch: Scratch;
  readonly resources: PastResources;
  readonly live: PastLive;
  /** The number of the last entry by then. */
  readonly last: number;
}

/**
 * Explains numbers and calls as they were. The resources that decided follow from the history, also those that no longer exist, and
 * registrations, health and calls in progress from their records. They fill a database in memory, on which the statements run that
 * explain the present. The searches of the history are heavy reads. How many statements an explanation takes is bounded.
 */
export class PastDiagnosis {
  constructor(
    private readonly reads: Reads,
    private readonly past: PastReader,
    private readonly live: PastLiveReader,
    private readonly options: PastOptions,
  ) {}

  /**
   * Explains what became of a call to a number at a time, in milliseconds since the epoch. Throws InvalidInputError for
   * what is not a number, and for a time in the future.
   */
  async number(model: Model, telUrl: string, at: number): Promise<PastNumber> {
    const { home } = this.options;
    const { written, digits } = calledDigits(telUrl, home);
    const ends = { users: [], digits: [written, digits], others: [], dialed: [], source: undefined };
    const found = await this.at(model, ends, at, 0, async ({ scratch, resources, live, last }): Promise<PastNumber> => {
      const { node } = this.options;
      const explained = await new NumberDiagnosis(scratch.reads, node, home, free, () => at).explain(telUrl);
      const facts = explained.facts;
      const steps = explained.steps.map((step) =>
        step.of === 'gateway' && step.state === 'OK'
          ? withRegistration(step, facts?.gatewayId, { live, resources })
          : withDevices(step, step.address ?? facts, live),
      );
      const broken = brokenIn(steps);
      const isUnknown = broken?.state === 'UNKNOWN';
      const step = broken && { ...broken, address: broken.address ?? facts, facts, gatewayId: facts?.gatewayId };
      const cause = await this.cause(step, steps, { ...ends, called: undefined, model, resources, live, last });
      return {
        ...cause,
        at,
        digits: explained.digits,
        // What is not known is assumed to have worked.
        state: isUnknown ? 'UNKNOWN' : explained.state,
        steps,
        broken,
        facts,
        summary: [broken?.summary ?? summaryOf(steps), ...cause.said].join('; '),
        unknown: [...resources.unknown, ...unknownsOf(steps)],
        resources: resources.all,
      };
    });
    if (typeof found !== 'number') return found;
    const summary = describeLost(`number ${digits}`, found);
    const step: Step = { of: 'number', state: 'UNKNOWN', summary };
    return {
      ...NOTHING,
      at,
      digits,
      state: 'UNKNOWN',
      steps: [step],
      broken: step,
      facts: undefined,
      summary,
      unknown: [summary],
    };
  }

  /**
   * Explains what the SIP server did with a call at a time, in milliseconds since the epoch. `except` is the row id of the call, if
   * it is on record. Throws InvalidInputError if one of the texts is none, and for a time in the future.
   */
  async call(model: Model, { from, to, source }: Asked, at: number, except = 0): Promise<PastCall> {
    const { node, home } = this.options;
    const asked = callIn(from, to, source);
    const ends = endsOf(asked);
    const found = await this.at(
      model,
      ends,
      at,
      except,
      async ({ scratch, resources, live, last }): Promise<PastCall> => {
        const limits = new LimitReader(scratch.reads, 'sqlite');
        const explained = await new CallDiagnosis(scratch.reads, limits, 'sqlite', node, home, free, at).explain(
          from,
          to,
          source,
        );
        const steps = explained.steps.map((step) =>
          // The call would have come from the gateway if that was registered at the address.
          step.of === 'source' && step.state === 'FORBIDDEN'
            ? withRegistration(step, step.gatewayId, { live, resources })
            : withDevices(step, step.address, live),
        );
        const broken = brokenIn(steps);
        const host = asked.to.host ?? asked.from.host;
        const called = host === undefined ? undefined : { user: asked.to.user, host };
        const cause = await this.cause(broken, steps, { ...ends, called, model, resources, live, last });
        const isUnknown = broken?.state === 'UNKNOWN' && explained.outcome !== 'UNKNOWN';
        return {
          ...explained,
          ...cause,
          ...(isUnknown && { outcome: 'UNKNOWN' as const, status: null, reason: null }),
          at,
          steps,
          broken,
          // The devices of that time are no longer bindings.
          attempts: isUnknown ? [] : explained.attempts.map((attempt) => ({ ...attempt, contact: null })),
          sent: sentNumbers(explained.attempts, resources),
          summary: [broken?.summary ?? summaryOf(steps), ...cause.said].join('; '),
          unknown: [...resources.unknown, ...live.unknown, ...unknownsOf(steps)],
          resources: resources.all,
        };
      },
    );
    return typeof found === 'number' ? unknownCall(describeLost(`the way of the call`, found), at) : found;
  }

  /**
   * Explains a call on record, with its attempts as they were. If the record does not say who called whom, the outcome is UNKNOWN,
   * unless the attempts tell.
   */
  async explainRecorded(model: Model, call: Call, attempts: readonly RecordedAttempt[]): Promise<PastCall> {
    const asked = askedBy(call);
    // The clock of the SIP server may be ahead.
    const at = Math.min(call.begunOn, Date.now());
    const found = typeof asked === 'string' ? unknownCall(asked, at) : await this.call(model, asked, at, call.rowId);
    const isFailed = call.state === 'FAILED' || (call.status ?? 0) >= 300;
    const isExplained = found.outcome === 'REFUSED' && (call.status === null || call.status === found.status);
    if (!isFailed || isExplained) return found;
    const answer = responseOf(call);
    const ended = answer === '' ? 'the call failed' : `the call ended with ${answer}`;
    const tried = attempts.filter(({ gatewayRef }) => gatewayRef !== null);
    if (tried.length === 0) return { ...found, summary: `${ended}; ${found.summary}` };
    // What was committed just before the call may have no number yet.
    await this.past.number();
    const last = (await lastUntil(this.reads, this.options.product, call.begunOn)) ?? 0;
    const refs = [...new Set(tried.flatMap(({ gatewayRef }) => gatewayRef ?? []))];
    const names = await this.names(model, refs, last);
    const failed = await this.lastAnswered(refs, call.begunOn);
    const step = { of: 'gateway', state: 'OK' } as const;
    const broken: Broken = { ...NO_LINK, step, failed };
    const all = refs.map((ref, n) => ({ kind: 'Gateway', ref, values: {}, rowId: -1 - n }));
    const changes = await searchHistory(this.reads, this.options, searchesFor(broken, { all }), { until: last });
    const since = await sinceThen(this.reads, all, { ...this.options, last });
    const change = culpritOf(broken, { all, since }, changes);
    const said = tried.map(({ gatewayRef, status, reason }) => {
      const response = responseOf({ status, reason });
      const name = names.get(gatewayRef ?? '') ?? gatewayRef ?? '';
      // A gateway that does not respond has the status 408, and one without a status could not be sent the INVITE.
      const what =
        response === '' ? 'could not be reached' : status === 408 ? 'did not respond' : `answered ${response}`;
      return `gateway ${name} ${what}`;
    });
    const which = tried.length === 1 ? 'the only attempt failed' : `all ${String(tried.length)} attempts failed`;
    const written = saysOfNumbers(call, tried, found.sent, names);
    const parts = [`${which}: ${said.join(', ')}`, ...written, ended, ...(change ? [sayWho(change)] : [])];
    const isOther = found.outcome === 'REFUSED';
    return {
      ...found,
      ...{ outcome: 'LEAVES', status: null, reason: null },
      change: change ?? (isOther ? undefined : found.change),
      summary: parts.join('; '),
      // Resources that the SIP server still remembered, for example.
      unknown: [...found.unknown, ...(isOther ? [`why the call left; by what was configured: ${found.summary}`] : [])],
    };
  }

  /** The time since which the history is kept, if that is too late; otherwise what `explain` returns for the moment. */
  private async at<T>(
    model: Model,
    ends: Ends,
    at: number,
    except: number,
    explain: (moment: Moment) => Promise<T>,
  ): Promise<T | number> {
    if (at > Date.now()) throw InvalidInputError.of('at', `${new Date(at).toISOString()} is in the future`);
    await this.past.number();
    const start = await this.past.start();
    if (at < start) return start;
    const last = (await lastUntil(this.reads, this.options.product, at)) ?? 0;
    const resources = await new PastSearch(this.reads, this.past, this.options, model, ends, last).run();
    const live = await this.live.at(resources, resources.users, at, except);
    this.options.spend(live.rows.length);
    const scratch = await openPast(model, resources, live.rows);
    try {
      const explanation = await explain({ scratch, resources, live, last });
      // Entries may have been deleted meanwhile.
      const kept = await this.past.start();
      return at < kept ? kept : explanation;
    } finally {
      scratch.close();
    }
  }

  /** Who and what broke a link. */
  private async cause(
    step: CallStep | undefined,
    steps: readonly Pick<CallStep, 'of' | 'state'>[],
    {
      digits,
      dialed,
      source,
      called,
      model,
      resources,
      live,
      last,
    }: Pick<Ends, 'digits' | 'dialed' | 'source'> &
      Pick<Broken, 'called'> &
      Omit<Moment, 'scratch'> & { readonly model: Model },
  ): Promise<Pick<Past, 'change' | 'event'> & { readonly said: readonly string[] }> {
    if (!step || step.state === 'UNKNOWN') return { change: undefined, event: undefined, said: [] };
    const { address } = step;
    const devices = address && live.devices.get(`${address.user}@${address.host}`);
    const isOfDevices = step.of === 'contacts';
    const registration = gatewayWith(step.gatewayId, resources);
    const isOfRegistration = step.of === 'gateway' && ['NOT_REGISTERED', 'EXPIRED', 'FORBIDDEN'].includes(step.state);
    const event = isOfDevices
      ? devices?.event
      : isOfRegistration
        ? live.registrations.get(registration?.ref ?? '')?.event
        : undefined;
    const missing = steps.filter(({ state }) => state === 'NOT_NEEDED').map(({ of }) => of);
    const numbers = numbersWith(resources.all, digits);
    const broken: Broken = {
      ...{ step, missing: new Set(missing), digits, prefixes: dialed.flatMap(prefixesOf), source, called, numbers },
      registeredOn: devices?.registeredOn,
      failed: new Map(),
    };
    const found = await searchHistory(this.reads, this.options, searchesFor(broken, resources), { until: last });
    const changes = await this.ofDomains(model, found, resources, last);
    const ranges = await this.ranges(model, found, resources, last);
    const change =
      culpritOf(broken, { ...resources, all: [...resources.all, ...ranges] }, changes) ??
      (step.of === 'number' && step.state === 'MISSING'
        ? await this.creation(resources.later, digits, last)
        : undefined);
    return { change, event, said: [...(event ? [sayEvent(event)] : []), ...(change ? [sayWho(change)] : [])] };
  }

  /** The ranges that entries changed one end of, as they are after the last entry: the other end is what it was. */
  private async ranges(
    model: Model,
    entries: readonly HistoryEntry[],
    { all }: PastResources,
    last: number,
  ): Promise<readonly Then[]> {
    const found: Then[] = [];
    for (const kind of NUMBERS) {
      const changed = entries.filter(
        (each) =>
          each.kind === kind &&
          each.event === 'UPDATED' &&
          ('lastTelUrl' in (each.details?.before ?? {}) || 'lastTelUrl' in (each.details?.after ?? {})),
      );
      const refs = [...new Set(changed.map(({ ref }) => ref))].filter((ref) => !all.some((each) => each.ref === ref));
      if (refs.length === 0) continue;
      const states = await this.past.statesBy(model.kindOf(kind), refs, last);
      for (const [ref, { state }] of states) found.push({ kind, ref, values: state, rowId: -1 });
    }
    return found;
  }

  /** The entries without those of routes of other domains. */
  private async ofDomains(
    model: Model,
    entries: readonly HistoryEntry[],
    { all }: PastResources,
    last: number,
  ): Promise<readonly HistoryEntry[]> {
    const refs = entries.flatMap(({ kind, event, ref }) => (kind === 'Route' && event === 'UPDATED' ? [ref] : []));
    if (refs.length === 0) return entries;
    const routes = await this.past.statesBy(model.kindOf('Route'), [...new Set(refs)], last);
    const domains = new Set<unknown>(all.flatMap(({ kind, ref }) => (kind === 'Domain' ? [ref] : [])));
    return entries.filter(
      ({ kind, event, ref, details }) =>
        kind !== 'Route' ||
        event !== 'UPDATED' ||
        domains.has(routes.get(ref)?.state['domainRef']) ||
        domains.has(details?.before?.['domainRef']),
    );
  }

  /** The first creation of one of these resources, with some digits, after an entry. */
  private async creation(
    keys: readonly string[],
    digits: readonly string[],
    last: number,
  ): Promise<HistoryEntry | undefined> {
    const refs = keys.map((key) => key.split(' ', 2)[1] ?? '');
    if (refs.length === 0) return undefined;
    const { text, values } = sql`SELECT ${raw(entryColumns('fields'))} FROM changes
      ${useIndex(this.options.product, 'changes_ref')}
      WHERE kind IN (${list(NUMBERS)}) AND ref IN (${list(refs)}) AND id > ${last} AND did = 'CREATED' ORDER BY id LIMIT ${MOST}`;
    const entries = await toEntries(this.reads, await this.reads.rows(text, values), 'fields', this.options.spend);
    // Later, it may have become another number.
    return entries.find(({ details }) => hasSome(details?.after ?? {}, digits)) ?? entries[0];
  }

  /** The names that gateways had after an entry, by ref. Those that the history does not know are not in it. */
  private async names(model: Model, refs: readonly string[], last: number): Promise<ReadonlyMap<string, string>> {
    const states = await this.past.statesBy(model.kindOf('Gateway'), refs, last);
    return new Map([...states].map(([ref, { state }]) => [ref, textOf(state['name'])]));
  }

  /** When gateways last carried a call that was answered before a time, by ref, without those that did not. */
  private async lastAnswered(refs: readonly string[], before: number): Promise<ReadonlyMap<string, number>> {
    const answered = new Map<string, number>();
    for (const ref of refs) {
      const { text, values } = sql`SELECT begun FROM calls ${useIndex(this.options.product, 'calls_gateway')}
        WHERE gateway_ref = ${ref} AND begun < ${before} AND answered IS NOT NULL ORDER BY begun DESC LIMIT 1`;
      const [row] = await this.reads.heavy(text, values);
      if (row) answered.set(ref, Number(row[0]));
    }
    return answered;
  }
}

const NOTHING = { change: undefined, event: undefined, resources: [] } as const;
const NO_LINK = {
  missing: new Set<never>(),
  digits: [],
  prefixes: [],
  source: undefined,
  called: undefined,
  numbers: [],
  registeredOn: undefined,
};

/** A statement on the database in memory costs next to nothing. */
function free(): void {
  // Nothing is charged.
}

function describeLost(what: string, start: number): string {
  return `what ${what} was is not known: the history before ${new Date(start).toISOString()} is no longer kept (HISTORY_DAYS)`;
}

/** Of a call whose way is not known, and why. */
function unknownCall(summary: string, at: number): PastCall {
  const step: CallStep = { of: 'caller', state: 'UNKNOWN', summary };
  const none = { outcome: 'UNKNOWN', status: null, reason: null, attempts: [], sent: new Map<never, never>() } as const;
  return { ...NOTHING, ...none, at, steps: [step], broken: step, summary, unknown: [summary] };
}

/** Who called whom, by the record of a call; otherwise why that is not known. */
function askedBy({ from, to, called, source }: Call): Asked | string {
  const [caller, callee] = [recordedEnd(from), recordedEnd(to) ?? recordedEnd(called)];
  const onRecord = (text: string | null): string => (text === null ? 'is not on record' : `is ${quote(text)}`);
  if (caller === undefined) return `who called is not known: From ${onRecord(from)}`;
  if (callee === undefined) return `who was called is not known: To ${onRecord(to)}`;
  if (source !== null && !isSource(source))
    return `where the call came from is not known: its address is ${quote(source)}`;
  return { from: caller, to: callee, source: source ?? undefined };
}

/** The number or the address of record in a URI on record, without a password, parameters and headers (RFC 3261, 19.1.1). */
function recordedEnd(uri: string | null): string | undefined {
  if (uri === null) return undefined;
  const [, user, hostPort = ''] = /^sips?:([^@:]+)(?::[^@]*)?@([^;?]*)/i.exec(uri) ?? [];
  // A SIP URI without a user names a host only.
  if (user === undefined && /^sips?:/i.test(uri)) return undefined;
  const end = user === undefined ? uri : `sip:${user}@${hostPort}`;
  return isEnd(end) ? end : undefined;
}

/** What a call names. */
function endsOf({ from, to, source }: ReturnType<typeof callIn>): Ends {
  const host = to.host ?? from.host ?? source;
  const digitsOf = (user: string): readonly string[] => {
    const digits = user.replace(/\D/g, '');
    return digits === '' ? [] : asDialed(digits);
  };
  const dialed = dialedNumber(to.number);
  return {
    users: [
      ...(from.host === undefined && source === undefined
        ? []
        : [{ user: from.user, host: from.host ?? source ?? '' }]),
      ...(host === undefined ? [] : [{ user: to.user, host }]),
    ],
    digits: digitsOf(to.user),
    others: digitsOf(from.user),
    dialed: dialed === '' ? [] : [dialed],
    source,
  };
}

/** The devices that ring, if they are known; otherwise the step that says why not. */
function withDevices<T extends Step | CallStep>(step: T, address: CallStep['address'], { devices }: PastLive): T {
  if (step.of !== 'contacts' || !address || step.state === 'NOT_NEEDED') return step;
  const why = devices.get(`${address.user}@${address.host}`)?.unknown;
  const isCalledAnyway = address.agentId === null && address.contactAddr !== null;
  return why === undefined || isCalledAnyway ? step : { ...step, state: 'UNKNOWN', summary: why };
}

/** The step about a gateway, if its registration is known; otherwise the step that says why not. */
function withRegistration<T extends Step | CallStep>(
  step: T,
  gatewayId: number | undefined,
  { live: { registrations }, resources }: Pick<Moment, 'live' | 'resources'>,
): T {
  const ref = gatewayWith(gatewayId, resources)?.ref;
  const why = ref === undefined ? undefined : registrations.get(ref)?.unknown;
  return why === undefined ? step : { ...step, state: 'UNKNOWN', summary: why };
}

/** The first link that is known not to have worked, otherwise the first that is not known; undefined if the call rang. */
function brokenIn<T extends Pick<Step, 'state'>>(steps: readonly T[]): T | undefined {
  return steps.find((step) => isBroken(step) && step.state !== 'UNKNOWN') ?? steps.find(isBroken);
}

function unknownsOf(steps: readonly Pick<Step, 'state' | 'summary'>[]): readonly string[] {
  return steps.flatMap(({ state, summary }) => (state === 'UNKNOWN' ? [summary] : []));
}
