import { contactsOf, REGISTRATIONS, RESOURCES, useLiveQuery, type LiveResult, type Watched } from '../graph/live-query';
import { argumentsOf, type Scope } from '../health/scope';
import { texts } from '../texts';
import { MAP, type Flows, type MapResult } from './operations';

// Milliseconds between two reads.
const PAUSE = 5000;
// More numbers are not read again by themselves, because users keep the page open.
const FEW = 2000;
const WATCHED = [RESOURCES, REGISTRATIONS, contactsOf()];
const LOST = Object.keys(texts.health.states).filter((state) => state !== 'REACHABLE');

/** Which numbers a map shows. */
export interface MapQuery {
  readonly scopes: readonly Scope[];
  /** Only those that do not ring. */
  readonly isOnlyLost?: boolean;
  /** The cursor after which they begin. */
  readonly after?: string | undefined;
  /** How many gateways and ends have flows of their own. */
  readonly first: number;
}

/** Reads where calls go, with one request, and again when something changes if the numbers are few. */
export function useMap({ scopes, isOnlyLost = false, after, first }: MapQuery): LiveResult<MapResult> & {
  readonly found: Flows | undefined;
  /** Whether what is shown follows changes. */
  readonly isFollowing: boolean;
} {
  const variables = { ...argumentsOf(scopes), first, after, ...(isOnlyLost && { states: LOST }) };
  const isFew = (data: MapResult | undefined): boolean => data !== undefined && data.numberFlows.examined <= FEW;
  const watchedOf = (data: MapResult | undefined): readonly Watched[] => (isFew(data) ? WATCHED : []);
  const result = useLiveQuery<MapResult>(MAP, variables, watchedOf, { pause: PAUSE });
  return { ...result, found: result.data?.numberFlows, isFollowing: isFew(result.data) };
}
