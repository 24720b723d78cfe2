import type { LimitOwner } from '../../calls/limit-reader';
import type { Party } from '../address-facts';
import type { AddressFacts, Facts } from '../facts';
import type { SourcePeer, WayOut } from './call-rows';
import { closedGateway, didYouMean, type Step } from '../steps';

/** The decisions of the SIP server on a call that only `explainCall` shows. */
type DecisionKind = 'source' | 'caller' | 'access' | 'limit';

/** A decision of the SIP server on a call, with the resources that it is about. */
export interface CallStep extends Omit<Step, 'of'> {
  readonly of: Step['of'] | DecisionKind;
  /** The number that is called. */
  readonly facts?: Facts | undefined;
  /** The caller or the called user, or the owner of an access control list or an egress policy. */
  readonly address?: AddressFacts | undefined;
  /** The gateway from which the call comes, or through which it leaves. */
  readonly gatewayId?: number | undefined;
  /** Whose limit the step is about, by row id. */
  readonly limited?: { readonly owner: LimitOwner; readonly rowId: number } | undefined;
  /** The route through which the call leaves. */
  readonly routeId?: number | undefined;
}

/** The gateway from which a call comes, and how that is known. */
export interface Entry {
  readonly gatewayId: number;
  readonly gatewayName: string;
  readonly gatewayHost: string;
  /** `disabled` is the host of a destination that is disabled. Undefined if only the SIP server knows whether the host has the address. */
  readonly by: 'registration' | 'host' | 'disabled' | { readonly source: string } | undefined;
}

/** Describes from which gateway a call comes. */
export function sourceStep(address: string, { gatewayId, gatewayName, gatewayHost, by }: Entry): CallStep {
  const of = { of: 'source', gatewayId } as const;
  if (by === undefined)
    return {
      ...of,
      state: 'UNKNOWN',
      summary: `the address of the host is not known here: whether ${address} is one of ${gatewayHost}, the host of gateway ${gatewayName}. If not, the call is challenged`,
    };
  if (by === 'disabled')
    return {
      ...of,
      state: 'DISABLED',
      summary: `${address} is a destination of gateway ${gatewayName} that is disabled, so calls from there are refused`,
    };
  const how =
    by === 'registration'
      ? `where gateway ${gatewayName} is registered`
      : by === 'host'
        ? `the host of gateway ${gatewayName}`
        : by.source === address
          ? `a source of gateway ${gatewayName}`
          : `in ${by.source}, a source of gateway ${gatewayName}`;
  return { ...of, state: 'OK', summary: `${address} is ${how}` };
}

/** Describes why a call from outside belongs to no gateway. `gateways` are those of the called number. */
export function strangerStep(
  address: string | undefined,
  digits: string,
  gateways: readonly { readonly gatewayId: number; readonly gatewayName: string }[],
): CallStep {
  const [gateway] = gateways;
  const names = gateways.map(({ gatewayName }) => `gateway ${gatewayName}`).join(' and ');
  const why =
    address === undefined
      ? `a call from outside comes from the address of a gateway; without one, it is challenged`
      : gateway
        ? `${address} is no address of ${names}, to which ${digits} belongs: the call is challenged`
        : `${address} is no address of a gateway of the called number: the call is challenged`;
  return { of: 'source', state: 'FORBIDDEN', summary: why, gatewayId: gateway?.gatewayId };
}

/** Describes the agent or peer that calls. */
export function callerStep(party: Party, suggestion: string | undefined): CallStep {
  const { agentId, peerId, user, host, domainId, agentElsewhere, isPrivate, isDisabled } = party;
  const step = { of: 'caller', address: party } as const;
  if (isDisabled.domain && peerId === null)
    return { ...step, state: 'DISABLED', summary: `domain ${host} is disabled: the call is challenged` };
  if (isDisabled.agent && (peerId === null || isDisabled.peer))
    return { ...step, state: 'DISABLED', summary: `agent ${user}@${host} is disabled: the call is challenged` };
  if (agentId === null && isDisabled.peer)
    return { ...step, state: 'DISABLED', summary: `peer ${user} is disabled: the call is challenged` };
  if (agentId !== null && !isDisabled.agent && !isDisabled.domain)
    return {
      ...step,
      state: 'OK',
      summary: `agent ${user}@${host} calls${isPrivate ? ', and hides its identity' : ''}`,
    };
  if (peerId !== null) return { ...step, state: 'OK', summary: `peer ${user} calls` };
  const where = domainId === null ? `${user}@${host}` : `${user} in domain ${host}`;
  if (agentElsewhere !== null)
    return {
      ...step,
      state: 'FORBIDDEN',
      summary: `agent ${user} is in domain ${agentElsewhere}, not in ${host}: the call is challenged`,
    };
  return {
    ...step,
    state: 'MISSING',
    summary: `no agent or peer ${where}: the call is challenged${didYouMean(suggestion)}`,
    suggestion,
  };
}

/** Describes the peer that calls from one of its sources. */
export function peerSourceStep(party: Party, address: string, peer: SourcePeer): CallStep {
  const summary = `${whosePeer(address, peer)}, which calls without a digest`;
  return { of: 'caller', state: 'OK', summary, address: party };
}

function whosePeer(address: string, { username, network }: SourcePeer): string {
  return `${address} is ${network === address ? 'a source' : `in ${network}, a source`} of peer ${username}`;
}

/**
 * Describes an agent or a peer that is disabled, or is in a disabled domain, and calls an emergency number. `peer` is the name of a
 * peer that calls from a source.
 */
export function disabledCallerStep(party: Party, peer = party.user): CallStep {
  const { user, host, isDisabled } = party;
  const isAgent = party.agentId !== null;
  const name = isAgent ? `agent ${user}@${host}` : `peer ${peer}`;
  // A peer that calls from a source may be disabled while the user in From is not.
  const isOff = isAgent ? isDisabled.agent : isDisabled.peer || !isDisabled.domain;
  const summary = isOff
    ? `${name} is disabled, and may call only the emergency numbers of ${host}`
    : `domain ${host} is disabled, and ${name} may call only its emergency numbers`;
  return { of: 'caller', state: 'OK', summary, address: party };
}

/** Describes the disabled peer from one of whose sources a call comes. */
export function disabledSourceStep(address: string, peer: SourcePeer): CallStep {
  const summary = `${whosePeer(address, peer)}, which is disabled: the call is challenged`;
  return { of: 'source', state: 'DISABLED', summary };
}

/** Describes the access control list of a domain. `denial` is the entry that denies the address. */
export function accessStep(party: Party, address: string | undefined, denial: string | undefined): CallStep {
  const step = { of: 'access', address: party } as const;
  const list = `the access control list of ${party.host}`;
  if (address === undefined)
    return { ...step, state: 'NOT_NEEDED', summary: `without a source address, ${list} is not considered` };
  return denial === undefined
    ? { ...step, state: 'OK', summary: `${list} allows ${address}` }
    : {
        ...step,
        state: 'FORBIDDEN',
        summary: `${list} denies ${address}${denial === address ? '' : ` with ${denial}`}`,
      };
}

/** Describes through which gateway an attempt of a call leaves. `problem` is why it cannot. */
export function wayOutStep(
  { gatewayId, gatewayName, gatewayHost, health, share, closed, isDisabled }: WayOut,
  problem: string | undefined,
): CallStep {
  const step = { of: 'gateway', gatewayId } as const;
  if (closed === 'destination')
    return {
      ...step,
      state: 'NOT_NEEDED',
      summary: `destination ${gatewayHost} of gateway ${gatewayName} is draining: no new call goes there`,
    };
  if (closed !== undefined) return { ...step, ...closedGateway(gatewayName, closed) };
  if (problem !== undefined) return { ...step, state: 'FORBIDDEN', summary: problem };
  const of = `leaves through gateway ${gatewayName} at ${gatewayHost}`;
  const notes = {
    UP: ', which responds to OPTIONS',
    DOWN: ', which does not respond to OPTIONS',
    UNKNOWN: '',
  };
  const shared = share === null ? '' : `, by weight first in ${String(share)} % of the calls`;
  const last = isDisabled ? ', a destination that is disabled, after all others' : '';
  return { ...step, state: 'OK', summary: `${of}${last}${shared}${notes[health]}` };
}
