import { isFingerprint, type State } from '../../changes/details';
import { responseOf } from '../../sip/calls/call';
import type { CallStep } from '../../sip/diagnosis/calls/call-steps';
import { sourceWith } from '../../sip/diagnosis/networks';
import type { RegistrationEvent } from '../../sip/past/registration-event';
import type { HistoryEntry } from '../history-entry';
import { hasDigits, hasField, hasText, type Search } from './history-search';
import { hasSome, sinceOf, textOf, textsOf, type Named, type PastResources, type Then } from './past-resources';

/** The fields of a gateway that decide on its registration at the provider. */
const OF_REGISTRATION = [
  'host',
  'port',
  'transport',
  'username',
  'secret',
  'sendRegister',
  'outboundProxy',
  'authUsername',
];
const OF_SOURCES = ['host', 'outboundProxy', 'sources', 'destinations'];
const OF_ACCESS = ['accessControlList.allow', 'accessControlList.deny'];
const OF_EGRESS = ['egressPolicy.rule', 'egressPolicy.numberRef'];
/** The only limit that an explanation of the past considers: it counts the calls on record. */
const OF_LIMITS = ['maxCalls'];
/** The fields of a gateway that decide on nothing in a call that leaves through it. */
const ONLY_SHOWN = ['name', 'labels', 'note', 'modifiedOn', 'createdOn', 'extra', 'sendRegister', 'sources'];

/** A link that did not work, and what a change may have broken there. */
export interface Broken {
  readonly step: Pick<CallStep, 'of' | 'state' | 'address' | 'facts' | 'gatewayId' | 'limited'>;
  /** The links before it that did not help, such as an agent that does not exist. */
  readonly missing: ReadonlySet<CallStep['of']>;
  /** The digits that were called. */
  readonly digits: readonly string[];
  /** The beginnings of what was dialed, which routes may have. */
  readonly prefixes: readonly string[];
  /** The IP address from which the call came. */
  readonly source: string | undefined;
  /** Who was called. */
  readonly called: Named | undefined;
  /** The numbers of the called digits. */
  readonly numbers: readonly Then[];
  /** When a device of the address last registered, in milliseconds since the epoch. */
  readonly registeredOn: number | undefined;
  /** Gateways that failed, each with when it last carried a call that was answered, in milliseconds since the epoch. */
  readonly failed: ReadonlyMap<string, number>;
}

/** The searches that find the changes before a call that may have broken a link. */
export function searchesFor(
  { step, digits, prefixes, source, called, numbers, failed }: Broken,
  { all }: Pick<PastResources, 'all'>,
): readonly Search[] {
  const { address } = step;
  const users = [address?.user, called?.user].filter((user) => user !== undefined);
  const hosts = [address?.host, called?.host].filter((host) => host !== undefined);
  const ids = new Set(
    [address?.domainId, address?.agentId, address?.peerId, step.gatewayId].filter((id) => id !== undefined),
  );
  const touched = all.filter(
    (each) =>
      numbers.includes(each) ||
      failed.has(each.ref) ||
      (each.kind === 'Agent' && users.includes(textOf(each.values['username']))) ||
      (['Gateway', 'Domain', 'Peer'].includes(each.kind) && ids.has(each.rowId)) ||
      (each.kind === step.limited?.owner && each.rowId === step.limited.rowId) ||
      (each.kind === 'Gateway' && numbers.some(({ values }) => values['gatewayRef'] === each.ref)),
  );
  const domains = all.filter(({ kind, values }) => kind === 'Domain' && hosts.includes(textOf(values['domainUri'])));
  return [
    ...[...new Set([...touched, ...domains])].map(({ kind, ref }) => ({ kinds: [kind], events: ['UPDATED'], ref })),
    ...(hosts.length > 0 ? [{ kinds: ['Domain'], contains: hasField('domainUri', hosts) }] : []),
    ...(users.length > 0 ? [{ kinds: ['Agent', 'Peer'], contains: hasField('username', users) }] : []),
    ...(step.of === 'route' && domains.length > 0
      ? [
          {
            kinds: ['Route'],
            contains: hasField(
              'domainRef',
              domains.map(({ ref }) => ref),
            ),
          },
          { kinds: ['Route'], events: ['UPDATED'], contains: hasField('prefix', prefixes) },
          ...all
            .filter(({ kind }) => kind === 'Route')
            .map(({ kind, ref }) => ({ kinds: [kind], events: ['UPDATED'], ref })),
        ]
      : []),
    ...(source !== undefined && (step.of === 'caller' || step.of === 'source')
      ? [{ kinds: ['Peer', 'Gateway'], contains: hasText(['"sources":']) }]
      : []),
    ...(digits.length > 0 && step.of !== 'contacts'
      ? [
          { kinds: ['DID', 'Number'], contains: hasDigits(digits) },
          { kinds: ['DID', 'Number'], contains: hasText(['"lastTelUrl":']) },
        ]
      : []),
  ];
}

/**
 * The newest change before a call that could break a link: one that took away what is missing, or changed what is refused. For
 * devices and gateways, only one after they last worked. `changes` come newest first.
 */
export function culpritOf(
  broken: Broken,
  resources: Pick<PastResources, 'all' | 'since'>,
  changes: readonly HistoryEntry[],
): HistoryEntry | undefined {
  const inquiry = new Inquiry(broken, resources, changes);
  return changes.find((entry) => (broken.failed.size > 0 ? inquiry.isOfFailed(entry) : inquiry.isCause(entry)));
}

/** Tells of each change whether it could break a link. */
class Inquiry {
  /** The hosts and users of the address that rings, and of the one that was called. */
  private readonly hosts: readonly string[];
  private readonly users: readonly string[];
  private readonly domainRefs: readonly string[];
  private readonly numberRefs: readonly string[];
  private readonly gatewayRefs: readonly (string | undefined)[];
  /** The refs of the domain, the agent and the peer of the address that rings. */
  private readonly ofAddress: Readonly<Record<'domain' | 'agent' | 'peer', string | undefined>>;

  constructor(
    private readonly broken: Broken,
    private readonly resources: Pick<PastResources, 'all' | 'since'>,
    private readonly changes: readonly HistoryEntry[],
  ) {
    const { step, called, numbers } = broken;
    const { address } = step;
    this.hosts = [address?.host, called?.host].filter((host) => host !== undefined);
    this.users = [address?.user, called?.user].filter((user) => user !== undefined);
    this.domainRefs = resources.all.flatMap((each) =>
      each.kind === 'Domain' && this.hosts.includes(textOf(each.values['domainUri'])) ? [each.ref] : [],
    );
    this.numberRefs = numbers.map(({ ref }) => ref);
    const gatewayRefs = numbers.map(({ values }) => textOf(values['gatewayRef']));
    this.gatewayRefs = [this.refOf('Gateway', step.gatewayId), ...gatewayRefs];
    this.ofAddress = {
      domain: this.refOf('Domain', address?.domainId),
      agent: this.refOf('Agent', address?.agentId),
      peer: this.refOf('Peer', address?.peerId),
    };
  }

  isCause(entry: HistoryEntry): boolean {
    const { step, registeredOn } = this.broken;
    const { domain, agent, peer } = this.ofAddress;
    switch (step.of) {
      case 'number':
        return step.state === 'DISABLED'
          ? this.isChange(entry, this.numberRefs, ['enabled'])
          : step.state === 'MISSING' && this.losesNumber(entry);
      case 'gateway': {
        const closing =
          step.state === 'DISABLED' ? ['enabled'] : step.state === 'DRAINING' ? ['draining'] : OF_REGISTRATION;
        return this.isChange(entry, this.numberRefs, ['gatewayRef']) || this.isChange(entry, this.gatewayRefs, closing);
      }
      case 'domain':
        if (step.state === 'DISABLED') return this.isMove(entry) || this.isChange(entry, [domain], ['enabled']);
        return this.isMove(entry) || this.losesHost(entry) || loses(entry, ['Peer'], 'username', this.users);
      case 'target':
      case 'caller':
        if (step.state === 'DISABLED')
          return this.isMove(entry) || this.isChange(entry, [domain, agent, peer], ['enabled', 'username', 'domains']);
        return this.losesTarget(entry) || this.losesHost(entry) || (step.of === 'caller' && this.losesSource(entry));
      case 'contacts':
        return (
          entry.at > (registeredOn ?? Infinity) &&
          (this.isMove(entry) ||
            this.isChange(entry, [agent, peer], ['secret', 'username', 'domains']) ||
            this.isChange(entry, [domain], ['domainUri', ...OF_ACCESS]))
        );
      case 'source':
        return (
          this.isChange(entry, this.numberRefs, ['gatewayRef']) ||
          this.losesNumber(entry) ||
          this.losesSource(entry) ||
          this.isChange(entry, this.gatewayRefs, OF_SOURCES)
        );
      case 'access':
        return this.isChange(entry, [domain], OF_ACCESS);
      case 'route':
        return this.closesRoute(entry);
      case 'limit':
        return this.isChange(entry, [this.refOf(step.limited?.owner ?? '', step.limited?.rowId)], OF_LIMITS);
      default:
        return false;
    }
  }

  /** Whether a change to a gateway that failed came after its last success, and concerns calls. */
  isOfFailed({ kind, ref, event, at, details }: HistoryEntry): boolean {
    const answered = this.broken.failed.get(ref);
    const fields = [...Object.keys(details?.before ?? {}), ...Object.keys(details?.after ?? {})];
    return (
      kind === 'Gateway' &&
      event === 'UPDATED' &&
      answered !== undefined &&
      at > answered &&
      at >= sinceOf({ kind, ref }, this.resources) &&
      fields.some((field) => !ONLY_SHOWN.includes(field))
    );
  }

  private refOf(kind: string, id: number | null | undefined): string | undefined {
    return this.resources.all.find((each) => each.kind === kind && each.rowId === id)?.ref;
  }

  /** Whether a change gave one of these resources another value of one of the fields. */
  private isChange(
    { kind, ref, event, at, details }: HistoryEntry,
    of: readonly (string | undefined)[],
    fields: readonly string[],
  ): boolean {
    return (
      event === 'UPDATED' &&
      of.includes(ref) &&
      // Before, another resource had the reference.
      at >= sinceOf({ kind, ref }, this.resources) &&
      fields.some((field) => isChanged(details, field))
    );
  }

  /** Whether a change made the number lead to another target. */
  private isMove(entry: HistoryEntry): boolean {
    return this.isChange(entry, this.numberRefs, ['aorLink', 'furtherTargets']);
  }

  /** Whether a change took away who had one of these user names. */
  private losesTarget(entry: HistoryEntry, names = this.users): boolean {
    const elsewhere = this.resources.all.flatMap((each) =>
      each.kind === 'Agent' && names.includes(textOf(each.values['username'])) ? [each.ref] : [],
    );
    return this.isMove(entry) || this.losesUser(entry, names) || this.isChange(entry, elsewhere, ['domains']);
  }

  /** An agent of the domain, if the entry says to which ones it belonged, or a peer. */
  private losesUser(entry: HistoryEntry, names: readonly string[]): boolean {
    const domains = entry.details?.before?.['domains'];
    const isThere = domains === undefined || textsOf(domains).some((name) => this.hosts.includes(name));
    return loses(entry, ['Agent', 'Peer'], 'username', names) && isThere;
  }

  private losesHost(entry: HistoryEntry): boolean {
    return loses(entry, ['Domain'], 'domainUri', this.hosts);
  }

  private losesNumber(entry: HistoryEntry): boolean {
    const { digits } = this.broken;
    const { before = {}, after = {} } = entry.details ?? {};
    if (!['DID', 'Number'].includes(entry.kind)) return false;
    if (entry.event === 'DELETED') return hasSome(before, digits);
    // A change says only what it changed: one end of a range may be the same as before, and another change's.
    const isMoved = 'telUrl' in before || 'telUrl' in after || 'lastTelUrl' in before || 'lastTelUrl' in after;
    if (!isMoved) return false;
    const newer = this.changes.slice(0, this.changes.indexOf(entry)).filter(({ ref }) => ref === entry.ref);
    const state = newer.reduce(
      (later, each) => stateBefore(later, each.details),
      this.resources.all.find(({ ref }) => ref === entry.ref)?.values ?? {},
    );
    return hasSome(stateBefore(state, entry.details), digits) && !hasSome({ ...state, ...after }, digits);
  }

  /** A peer or a gateway that no longer has the source address among its networks. */
  private losesSource({ kind, event, details }: HistoryEntry): boolean {
    const { source } = this.broken;
    const has = (networks: unknown): boolean =>
      source !== undefined && sourceWith(source, textsOf(networks)) !== undefined;
    const { before, after } = details ?? {};
    const isGone = event === 'DELETED' || ('sources' in (after ?? before ?? {}) && !has(after?.['sources']));
    return ['Peer', 'Gateway'].includes(kind) && has(before?.['sources']) && isGone;
  }

  private closesRoute(entry: HistoryEntry): boolean {
    const { missing, called } = this.broken;
    return (
      this.isChange(entry, this.domainRefs, OF_EGRESS) ||
      loses(entry, ['Route'], 'domainRef', this.domainRefs) ||
      (entry.kind === 'Route' && this.isChange(entry, [entry.ref], ['prefix', 'enabled', 'domainRef'])) ||
      // Who called was there, whoever had that name before.
      (missing.has('target') && this.losesTarget(entry, called ? [called.user] : [])) ||
      (missing.has('number') && this.losesNumber(entry))
    );
  }
}

/** Whether a resource of these kinds was deleted that had one of the values of a field, or was given another value. */
function loses(
  { kind, event, details }: HistoryEntry,
  of: readonly string[],
  field: string,
  values: readonly string[],
): boolean {
  const [old, now] = [textOf(details?.before?.[field]), textOf(details?.after?.[field])];
  return (
    of.includes(kind) &&
    values.includes(old) &&
    (event === 'DELETED' || (field in (details?.after ?? {}) && now !== old))
  );
}

/** The state before a change, from that after it. */
function stateBefore(state: State, details: HistoryEntry['details']): State {
  const made = Object.keys(details?.after ?? {}).map((field) => [field, null] as const);
  return { ...state, ...Object.fromEntries(made), ...details?.before };
}

function isChanged(details: HistoryEntry['details'], field: string): boolean {
  return field in (details?.before ?? {}) || field in (details?.after ?? {});
}

const NOT_SAID = ['modifiedOn', 'createdOn', 'extra'];

/** Says what a change did, who made it, and when: `Agent Anna was deleted by ana on … (request …)`. */
export function sayWho({ kind, ref, event, username, at, requestId, details = {} }: HistoryEntry): string {
  const { before = {}, after = {} } = details;
  const name = [before['name'], before['telUrl'], after['name'], after['telUrl']].find(
    (each) => typeof each === 'string',
  );
  const by = `${username === undefined ? '' : ` by ${username}`} on ${new Date(at).toISOString()}${requestId === undefined ? '' : ` (request ${requestId})`}`;
  const what = `${kind} ${name ?? ref}`;
  if (event === 'DELETED') return `${what} was deleted${by}`;
  if (event === 'CREATED') return `${what} was created only later${by}`;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !NOT_SAID.includes(field),
  );
  const said = fields.map((field) =>
    isFingerprint(before[field]) || isFingerprint(after[field])
      ? field
      : `${field} from ${show(before[field])} to ${show(after[field])}`,
  );
  return `${kind} ${ref}: ${said.join(', ')} was changed${by}`;
}

const EVENTS: Readonly<Record<RegistrationEvent['event'], string>> = {
  REGISTERED: 'the last event is that it registered',
  MOVED: 'the last event is that the device moved',
  UNREGISTERED: 'the last device unregistered',
  EXPIRED: 'the last registration expired',
  REFUSED: 'the registration was refused',
  LOST: 'the provider did not respond',
  UNRECORDED: 'there were too many events to record',
};

/** Says what happened to a registration. */
export function sayEvent({ event, at, status, reason }: RegistrationEvent): string {
  const why = responseOf({ status, reason });
  return `${EVENTS[event]} on ${new Date(at).toISOString()}${why === '' ? '' : ` (${why})`}`;
}

function show(value: unknown): string {
  return value === undefined || value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
}
