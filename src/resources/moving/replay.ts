import { LRUCache } from 'lru-cache';

import { DomainError } from '../../errors';
import type { Model } from '../../model/model';
import { destinationsIn } from '../../model/format/destination';
import { textOf } from '../../model/format/format';
import type { CallDiagnosis, CallExplanation } from '../../sip/diagnosis/calls/call-diagnosis';
import { withoutDevice } from '../../sip/diagnosis/calls/without-device';
import { summaryOf } from '../../sip/diagnosis/steps';
import type { ResourceReader } from '../read/resource-reader';
import { valuesOf } from '../read/row';
import { fieldsOnly } from '../read/selection';
import type { CallRecord, NoCall, Went } from './call-records';
import { placeIn } from './sip-place';

/** What becomes of a call now. */
interface Now {
  readonly outcome: CallExplanation['outcome'];
  readonly status: string;
  readonly summary: string;
  /** Whom it rings, or would ring if a device was registered; empty for nobody. */
  readonly user: string;
  readonly address: string;
  /** The hosts that it is sent to. */
  readonly hosts: readonly string[];
  /** The gateways that are tried, by all that names them. */
  readonly gateways: readonly (readonly string[])[];
}

/** Calls that go differently, and are alike. */
export interface CallDifference {
  count: number;
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly source: string | null;
  readonly was: string;
  readonly now: string;
}

export interface ReplayTotals {
  calls: number;
  /** Calls that differ in the caller, the called number or the source. */
  asked: number;
  same: number;
  /** Calls that left by a gateway that is now tried only if another fails. */
  later: number;
  differ: number;
  unknown: number;
  ignored: number;
  invalid: number;
}

/** Explanations that are kept, so that each call is asked about once. */
const KEPT = 200_000;
/** Records that are looked at together. */
const BATCH = 512;
/** Calls that are explained at the same time. */
const CONCURRENT = 8;
/** Differences that are kept, and calls of which it is not known. */
const MOST = 10_000;
/** What explains calls. */
export interface ReplayServices {
  readonly callDiagnosis: CallDiagnosis;
  readonly resources: ResourceReader;
}

/** How recorded calls go now. */
export interface Replayed {
  readonly totals: Readonly<ReplayTotals>;
  /** First those that differ, then those of which it is not known, each with the most calls first. */
  readonly differences: readonly CallDifference[];
  /** The first record that cannot be read. */
  readonly invalid: string | undefined;
}

/** Explains recorded calls, without a SIP server. Equal calls are explained once. */
export async function replay(
  calls: AsyncIterable<CallRecord | NoCall>,
  read: ReplayServices,
  model: Model,
  progress: (records: number) => void,
): Promise<Replayed> {
  const totals: ReplayTotals = { calls: 0, asked: 0, same: 0, later: 0, differ: 0, unknown: 0, ignored: 0, invalid: 0 };
  const explainer = new Explainer(read, model);
  const differences = new Map<string, CallDifference>();
  const unknown = new Map<string, CallDifference>();
  let invalid: string | undefined;
  const wrong = (line: number, reason: string): void => {
    totals.invalid++;
    invalid ??= `line ${String(line)}: ${reason}`;
  };
  const write = async (batch: readonly CallRecord[]): Promise<void> => {
    const answers = await explainer.explain(batch);
    for (const call of batch) {
      const now = answers.get(keyOf(call));
      if (now === undefined || typeof now === 'string') {
        wrong(call.line, now ?? 'was not explained');
        continue;
      }
      totals.calls++;
      const how = now.outcome === 'UNKNOWN' ? 'unknown' : compare(call.went, now);
      totals[how]++;
      if (how !== 'same') note(how === 'unknown' ? unknown : differences, call, now);
    }
  };
  let batch: CallRecord[] = [];
  let records = 0;
  for await (const record of calls) {
    records++;
    if ('went' in record) batch.push(record);
    else if (record.reason === undefined) totals.ignored++;
    else wrong(record.line, record.reason);
    if (batch.length < BATCH) continue;
    await write(batch);
    batch = [];
    progress(records);
  }
  await write(batch);
  totals.asked = explainer.asked;
  const named = [differences, unknown].flatMap((each) => [...each.values()].sort((a, b) => b.count - a.count));
  return { totals, differences: named, invalid };
}

/** Explains calls, each once. */
class Explainer {
  asked = 0;
  private readonly known = new LRUCache<string, Now | string>({ max: KEPT });
  private readonly gateways = new Map<number, readonly string[]>();

  constructor(
    private readonly read: ReplayServices,
    private readonly model: Model,
  ) {}

  /** Returns what becomes of each call, or why it cannot be explained. */
  async explain(calls: readonly CallRecord[]): Promise<ReadonlyMap<string, Now | string>> {
    const answers = new Map<string, Now | string>();
    const open = new Map<string, CallRecord>();
    for (const call of calls) {
      const key = keyOf(call);
      const known = this.known.get(key);
      if (known === undefined) open.set(key, call);
      else answers.set(key, known);
    }
    const left = open.entries();
    const work = async (): Promise<void> => {
      for (const [key, call] of left) {
        const now = await this.one(call);
        this.asked++;
        this.known.set(key, now);
        answers.set(key, now);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, work));
    return answers;
  }

  private async one({ from, to, source }: CallRecord): Promise<Now | string> {
    try {
      return await this.nowOf(await this.read.callDiagnosis.explain(from, to, source));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return error.message;
    }
  }

  private async nowOf({ outcome, status, steps, attempts }: CallExplanation): Promise<Now> {
    // Without a device, a call is refused, although its way is known.
    const contacts = steps.find(({ of }) => of === 'contacts');
    const ringing = contacts && (contacts.address ?? contacts.facts);
    const address = (outcome === 'REFUSED' ? withoutDevice(steps) : ringing)?.aorLink ?? '';
    const isComplete = outcome === 'RINGS' || (outcome === 'REFUSED' && address !== '');
    const ids = [...new Set(attempts.flatMap(({ gatewayId }) => gatewayId ?? []))];
    await this.load(ids.filter((id) => !this.gateways.has(id)));
    return {
      outcome: outcome === 'REFUSED' && isComplete ? 'RINGS' : outcome,
      status: status === null ? '' : String(status),
      summary: summaryOf(steps),
      user: isComplete ? userOf(address) : '',
      address: isComplete ? address : '',
      hosts: attempts.flatMap(({ requestUri }) => placeIn(requestUri)?.host ?? []),
      gateways: ids.map((id) => this.gateways.get(id) ?? []),
    };
  }

  private async load(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const kind = this.model.kindOf('Gateway');
    const selection = fieldsOnly('ref', 'name', 'host', 'username', 'destinations');
    for (const [id, gateway] of await this.read.resources.byRowIds(kind, ids, selection)) {
      const values = valuesOf(kind, gateway);
      const hosts = destinationsIn(values.get('destinations')).map(({ host }) => host);
      const names = ['name', 'host', 'username'].map((name) => textOf(values.get(name)));
      this.gateways.set(
        id,
        [gateway.ref, ...names, ...hosts].filter((each) => each !== ''),
      );
    }
  }
}

function keyOf({ from, to, source }: CallRecord): string {
  return JSON.stringify([from, to, source]);
}

/** Whether a call goes the same way, also if only a later attempt does, as the record of a failover says. */
function compare(went: Went, now: Now): 'same' | 'later' | 'differ' {
  const [first = [], ...others] = now.gateways;
  if (isSame(went, now, first)) return 'same';
  return others.some((gateway) => isSame(went, now, gateway)) ? 'later' : 'differ';
}

/** Whether a call goes the same way, if it leaves by a gateway with these names. */
function isSame(went: Went, { outcome, user, address, hosts }: Now, gateway: readonly string[]): boolean {
  const isGateway = (name: string): boolean => gateway.some((each) => each.toLowerCase() === name.toLowerCase());
  switch (went.way) {
    case 'LEAVES':
      return outcome === 'LEAVES' && isGateway(went.gateway);
    case 'RINGS':
      return outcome === 'RINGS' && user === went.user;
    case 'REFUSED':
      return outcome === 'REFUSED';
    case 'CONNECTED':
      return outcome !== 'REFUSED';
    case 'TO':
      if (outcome === 'LEAVES') return isGateway(went.name);
      return (
        outcome === 'RINGS' && (user === went.user || address.endsWith(`@${went.name}`) || hosts.includes(went.name))
      );
  }
}

function wentText(went: Went): string {
  switch (went.way) {
    case 'LEAVES':
      return `leaves by ${went.gateway}`;
    case 'RINGS':
      return `rings ${went.user}`;
    case 'REFUSED':
      return `refused ${went.status}`.trim();
    case 'CONNECTED':
      return 'connected';
    case 'TO':
      return `goes to ${went.name}`;
  }
}

function nowText({ outcome, status, summary, address, gateways: [first] }: Now): string {
  if (outcome === 'RINGS') return `rings ${address}`;
  if (outcome === 'LEAVES') return `leaves by ${first?.[0] ?? ''}${first?.[1] === undefined ? '' : ` (${first[1]})`}`;
  return outcome === 'UNKNOWN' ? `unknown: ${summary}` : `refused ${status}: ${summary}`;
}

function note(differences: Map<string, CallDifference>, call: CallRecord, now: Now): void {
  const { line, from, to, source = null, went } = call;
  const difference = { count: 1, line, from, to, source, was: wentText(went), now: nowText(now) };
  const key = JSON.stringify([from, to, source, difference.was]);
  const known = differences.get(key);
  if (known) known.count++;
  else if (differences.size < MOST) differences.set(key, difference);
}

function userOf(aorLink: string): string {
  return /^sips?:([^@;]*)@/.exec(aorLink)?.[1] ?? aorLink;
}
