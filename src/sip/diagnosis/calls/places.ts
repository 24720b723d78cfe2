import {
  DEFAULT_PRIORITY,
  DEFAULT_WEIGHT,
  PRIORITY_OF_HOST,
  type Destination,
} from '../../../model/format/destination';
import type { HealthState } from '../../../model/gateway-health';

/** A gateway, and where its calls go. */
export interface Gateway {
  readonly ref: string;
  readonly host: string;
  readonly port: number | null;
  readonly transport: string;
  readonly destinations: readonly Destination[];
  /** Where all requests are sent instead. The port 0 is that of the transport. */
  readonly proxy: { readonly host: string; readonly port: number } | undefined;
}

/** A place to which calls of a gateway go: its host, or a destination. */
export interface Place {
  readonly gatewayRef: string;
  readonly host: string;
  readonly port: number | null;
  readonly transport: string;
  readonly priority: number;
  readonly weight: number;
  /** Where the INVITE is sent: the outbound proxy, or the host. The port 0 is that of the transport. */
  readonly via: string;
  readonly viaPort: number;
  /** Whether the destination takes no new calls, but those to emergency numbers. */
  readonly isDraining: boolean;
  /** Whether the destination takes only calls to emergency numbers, after all others. */
  readonly isDisabled: boolean;
}

/** The places to which calls of a gateway go, as kamailio/places.ts reads them. Only emergency calls go to disabled destinations. */
export function placesOf(
  { ref: gatewayRef, host, port, transport, destinations, proxy }: Gateway,
  isEmergency: boolean,
): readonly Place[] {
  const [via, viaPort] = [proxy?.host ?? host, proxy?.port ?? port ?? 0];
  const of = { priority: PRIORITY_OF_HOST, weight: DEFAULT_WEIGHT, isDraining: false, isDisabled: false };
  const first = { ...of, gatewayRef, host, port, transport, via, viaPort };
  const others = destinations.filter(({ enabled }) => enabled !== false || isEmergency);
  return [
    first,
    ...others.map((each) => ({
      gatewayRef,
      host: each.host,
      port: each.port ?? null,
      transport: each.transport ?? transport,
      priority: each.priority ?? DEFAULT_PRIORITY,
      weight: each.weight ?? DEFAULT_WEIGHT,
      via: each.host,
      viaPort: each.port ?? 0,
      isDraining: each.draining === true,
      isDisabled: each.enabled === false,
    })),
  ];
}

/** A place in the order of the attempts. */
interface Attempted<Way> {
  readonly way: Way;
  readonly place: Place;
  readonly state: HealthState;
  /** In how many percent of the calls it comes before the others of the same turn and priority; null if there are none. */
  readonly share: number | null;
  /** Attempts with the same lot: which of them comes first is random. Null for those that never come first among others. */
  readonly lot: number | null;
}

/** The most places to which a call goes, one after the other. */
export const MAX_ATTEMPTS = 8;

/** A way out with the places of its gateway. */
interface Way<Of> {
  readonly way: Of;
  /** Ways of one turn come in a random order, by their weight; undefined without one. */
  readonly turn: number;
  readonly weight: number | undefined;
  readonly places: readonly Place[];
  /** Whether the place takes no call. */
  readonly isClosed: (place: Place) => boolean;
}

interface Known extends Pick<Attempted<unknown>, 'place' | 'state'> {
  readonly isClosed: boolean;
}

/** A place that is down comes after others, and one that is disabled after those. */
function isLast({ state, place }: Pick<Known, 'state' | 'place'>): number {
  if (place.isDisabled) return 2;
  return state === 'DOWN' ? 1 : 0;
}

/** The order of the places of one way. */
function byPlace(a: Known, b: Known): number {
  return (
    Number(a.isClosed) - Number(b.isClosed) ||
    isLast(a) - isLast(b) ||
    a.place.priority - b.place.priority ||
    b.place.weight - a.place.weight
  );
}

/**
 * The places of ways, in the order of the attempts: those that are down last, then by turn, way and priority. The SIP server
 * shares calls among ways of the same turn, and places of the same priority; here, the largest weight comes first. The ways that take calls share
 * MAX_ATTEMPTS, as route[WAYS] does, so that the places of the first one cannot use up all.
 */
export function placesToTry<Of>(
  ways: readonly Way<Of>[],
  stateOf: (place: Place) => HealthState,
): readonly Attempted<Of>[] {
  const open = ways.filter(({ places, isClosed }) => !places.every(isClosed)).length;
  const share = Math.max(1, Math.floor(MAX_ATTEMPTS / Math.max(1, open)));
  const all = ways.flatMap(({ way, turn, weight, places, isClosed }, position) =>
    places
      .map((place) => ({ way, turn, weight, position, place, state: stateOf(place), isClosed: isClosed(place) }))
      .toSorted(byPlace)
      .filter((each, at) => at < share || each.isClosed),
  );
  type Each = (typeof all)[number];
  const isAlike = (one: Each, other: Each): boolean =>
    isLast(other) === isLast(one) && other.isClosed === one.isClosed && other.turn === one.turn;
  return all
    .toSorted(
      (a, b) =>
        isLast(a) - isLast(b) ||
        a.turn - b.turn ||
        (b.weight ?? 0) - (a.weight ?? 0) ||
        a.position - b.position ||
        byPlace(a, b),
    )
    .map((each) => {
      const alike = all.filter((other) => isAlike(each, other));
      const places = alike.filter(
        ({ position, place }) => position === each.position && place.priority === each.place.priority,
      );
      const others = [...new Map(alike.map((other) => [other.position, other])).values()];
      const { way, place, state, weight } = each;
      const isShared = places.length > 1 || (weight !== undefined && others.length > 1);
      const isBefore = (other: Each): boolean =>
        other.position === each.position && other.place.priority < each.place.priority;
      const lot = isShared && !alike.some(isBefore) ? all.findIndex((other) => isAlike(each, other)) : null;
      const part = (own: number, all: readonly number[]): number => own / all.reduce((sum, one) => sum + one, 0);
      const among = part(
        place.weight,
        places.map((other) => other.place.weight),
      );
      const turns =
        weight === undefined
          ? 1
          : part(
              weight,
              others.map((other) => other.weight ?? 0),
            );
      return { way, place, state, share: isShared ? Math.round(100 * among * turns) : null, lot };
    });
}
