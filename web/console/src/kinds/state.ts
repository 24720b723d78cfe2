import type { Values } from '../data/forms';
import type { Kind } from '../model/model';
import type { Progress } from '../parts/progress';
import { texts } from '../texts';
import { hostOf } from './use-domains';

/** The state of a resource in a list. */
export interface State {
  readonly progress: Progress;
  readonly text: string;
  /** Since when; null if that is not known. */
  readonly since: string | null;
  /** The error response of the provider. */
  readonly cause: string | null;
  /** Milliseconds until the provider responded to OPTIONS; null if that is not known. */
  readonly roundTrip: number | null;
}

/** The type of the calls in progress beside their limits. */
export const CALL_LIMITS = 'CallLimits';

/** Whether resources of a kind have a state. How many calls are in progress is none. */
export function hasState({ fields }: Kind): boolean {
  return fields.some(({ sort, type }) => sort === 'live' && type !== CALL_LIMITS);
}

/**
 * The state of a resource that was read with it (data/queries.ts): of a gateway, its registration, and its health if it does
 * not register or does not respond; of others, the devices that ring, unless the gateway in front of them takes no calls.
 * What is disabled has no other state. `missing` are hosts that are no domains.
 */
export function stateOf({ fields }: Kind, record: Values, missing?: ReadonlySet<string>): State | undefined {
  const { states } = texts.kinds;
  if (fields.some(({ type }) => type === 'Registration')) return stateOfGateway(record);
  const contacts = record['contacts'];
  if (!Array.isArray(contacts)) return undefined;
  if (isDisabled(record)) return plain('unneeded', states.disabled);
  const gateway = record['gateway'] as Values | null | undefined; // selected with its registration
  if (gateway && isDisabled(gateway)) return plain('broken', states.gateway(states.disabled));
  if (gateway?.['draining'] === true) return plain('broken', states.gateway(states.draining));
  const trunk = gateway ? registrationOf(gateway) : undefined;
  if (trunk?.progress === 'broken') return { ...trunk, text: states.gateway(trunk.text) };
  const isNumber = fields.some(({ name }) => name === 'target');
  const host = hostOf(record);
  if (host !== undefined && missing?.has(host) === true) return plain('broken', states.noDomain(host));
  if (isNumber && !record['target']) return plain('broken', states.noTarget);
  if (contacts.length > 0) return plain('works', states.devices(contacts.length));
  return plain(isNumber ? 'broken' : 'unreached', states.noDevice);
}

/** The state of a gateway that was read with its registration and health. */
export function stateOfGateway(gateway: Values): State {
  const { states } = texts.kinds;
  // The SIP server neither registers it nor checks it.
  if (isDisabled(gateway)) return plain('unneeded', states.disabled);
  const state = registrationOf(gateway);
  const health = healthOf(gateway);
  let shown = state.progress === 'unneeded' ? (health ?? state) : state;
  // Registered, it still cannot take calls. What else is wrong with a registration comes first.
  if (state.progress === 'works' && health?.progress === 'broken')
    shown = { ...health, text: states.both(state.text, health.text) };
  if (gateway['draining'] !== true) return shown;
  const progress = shown.progress === 'broken' ? 'broken' : 'unneeded';
  return { ...shown, progress, text: states.both(shown.text, states.draining) };
}

function isDisabled({ enabled }: Values): boolean {
  return enabled === false;
}

function plain(progress: Progress, text: string): State {
  return { progress, text, since: null, cause: null, roundTrip: null };
}

/** Whether the host of a gateway responds to OPTIONS; undefined if that is not known. */
function healthOf(gateway: Values): State | undefined {
  const health = gateway['health'] as Health | undefined; // selected by data/queries.ts
  if (!health || health.state === 'UNKNOWN') return undefined;
  const { state, since, roundTrip } = health;
  const progress = state === 'UP' ? 'works' : 'broken';
  return { progress, text: texts.kinds.states.health[state], since, cause: null, roundTrip };
}

interface Health {
  readonly state: 'UP' | 'DOWN' | 'UNKNOWN';
  readonly since: string | null;
  readonly roundTrip: number | null;
}

/** As the list of trunks tells it (live/trunk-list.tsx). */
function registrationOf(gateway: Values): State {
  const registers = gateway['secretSet'] === true && Boolean(gateway['username']) && gateway['sendRegister'] !== false;
  if (!registers) return plain('unneeded', texts.kinds.states.registersNot);
  const registration = gateway['registration'] as Registration | null; // selected by data/queries.ts
  if (!registration) return plain('broken', texts.live.states.UNKNOWN);
  const { state, registeredOn, expiresOn, lastResponse } = registration;
  const isRegistered = state === 'REGISTERED';
  return {
    progress: isRegistered ? 'works' : 'broken',
    text: texts.live.states[state],
    // When it ended, unless it was never granted, as in the list of trunks.
    since: isRegistered ? registeredOn : expiresOn,
    cause: isRegistered || state === 'EXPIRED' ? null : lastResponse,
    roundTrip: null,
  };
}

interface Registration {
  readonly state: Exclude<keyof typeof texts.live.states, 'UNKNOWN' | 'UP' | 'DOWN'>;
  readonly registeredOn: string | null;
  readonly expiresOn: string | null;
  readonly lastResponse: string | null;
}
