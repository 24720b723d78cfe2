import { list, sql, raw, FALSE, type Fragment } from '../database/fragment';

/** Whether the host of a gateway responds to OPTIONS. UNKNOWN: it is not checked, or the checks are not conclusive yet. */
export const HEALTH_STATES = ['UP', 'DOWN', 'UNKNOWN'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** SQL for the host and the port to which requests to the gateway `of` are sent. The port 0 is that of the transport. */
export function placeOf(of: string): { readonly host: string; readonly port: string } {
  return {
    host: `COALESCE(${of}.outbound_host, ${of}.host)`,
    port: `CASE WHEN ${of}.outbound_host IS NULL THEN COALESCE(${of}.port, 0)
      ELSE COALESCE(CAST(${of}.outbound_port AS SIGNED), 0) END`,
  };
}

/** SQL for whether the row `h` of `gateway_health` was measured at the address that the gateway `of` has now. */
export function measuredAt(of: string): string {
  const { host, port } = placeOf(of);
  return `h.gw_ref = ${of}.ref AND h.host = ${host} AND h.port = ${port}
    AND h.transport = LOWER(${of}.transport)`;
}

/** SQL for the health of the gateway `of`, at a time in milliseconds since the epoch. */
export function healthState(of: string, now: number): Fragment {
  return sql`COALESCE((SELECT h.state FROM gateway_health h WHERE ${raw(measuredAt(of))} AND h.expires_at > ${now}), 'UNKNOWN')`;
}

/** SQL for whether the health of the gateway `of` is in one of the states, at a time in milliseconds since the epoch. */
export function isInHealth(of: string, states: readonly string[], now: number): Fragment {
  if (states.length === 0) return FALSE;
  return sql`${healthState(of, now)} IN (${list(states)})`;
}

/** The members of a destination that say where it is. */
export const PLACE_OF_DESTINATION = ['host', 'port', 'transport'] as const;

/**
 * SQL for whether a destination of the gateway `of` is in one of the states, at a time in milliseconds since the epoch. One that
 * was not checked is UNKNOWN. `member` is SQL for a member of the destination.
 */
export function isDestinationInHealth(
  of: string,
  member: (name: (typeof PLACE_OF_DESTINATION)[number]) => Fragment,
  states: readonly string[],
  now: number,
): Fragment {
  if (states.length === 0) return FALSE;
  return sql`COALESCE((SELECT k.state FROM destination_health k WHERE k.gw_ref = ${raw(of)}.ref AND k.host = ${member('host')}
    AND k.port = COALESCE(${member('port')}, 0) AND k.transport = LOWER(COALESCE(${member('transport')}, ${raw(of)}.transport))
    AND k.expires_at > ${now}), 'UNKNOWN') IN (${list(states)})`;
}

/** SQL for when the gateway `of` went DOWN, in milliseconds since the epoch; NULL if it is not DOWN. */
export function downSince(of: string, now: number): Fragment {
  return sql`(SELECT h.since FROM gateway_health h
    WHERE ${raw(measuredAt(of))} AND h.expires_at > ${now} AND h.state = 'DOWN')`;
}
