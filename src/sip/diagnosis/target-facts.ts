import { list, sql, raw, type Fragment } from '../../database/fragment';
import { groupBy, numberOrNull, pad, textOrNull, type Reads, type Row } from '../../database/sql';
import { isEnabled } from '../../model/enabled';
import { agentOf, peerOf } from '../../model/target';
import { nodeOf, seconds } from '../live/contact';
import type { Facts, TargetFacts } from './facts';
import {
  DEVICES,
  firstWayOf,
  IS_AGENT_DISABLED,
  reachableDevices,
  TARGET_RINGS,
  targetRings,
  type Moment,
} from './number-state';

/** Adds what is known of the further targets of numbers, with one statement if there are any. */
export async function withTargets(
  reads: Pick<Reads, 'rows'>,
  numbers: readonly Facts[],
  moment: Moment,
): Promise<readonly Facts[]> {
  const several = numbers.filter(({ further }) => further.length > 0);
  if (several.length === 0) return numbers;
  const { text, values } = targetsOf(
    several.map(({ rowId }) => rowId),
    moment,
  );
  const found = groupBy(await reads.rows(text, values), ([rowId]) => Number(rowId));
  return numbers.map((facts) => {
    const rows = found.get(facts.rowId) ?? [];
    // A number that was changed meanwhile may have other targets.
    const targets = facts.further.flatMap((target, position) => {
      const row = rows.find((each) => Number(each[1]) === position);
      return row ? [toTarget(target, row, moment.node)] : [];
    });
    return { ...facts, targets };
  });
}

/** Selects the further targets of numbers, in order. `n` is the target, whose columns are named as those of numbers. */
function targetsOf(rowIds: readonly number[], moment: Moment): Fragment {
  const { now, node } = moment;
  const host = '(SELECT x.aor_host FROM numbers x WHERE x.id = n.number_id)';
  return sql`SELECT n.number_id, n.position, d.id, m.agent_id, p.id, p.contact_addr,
      (SELECT MIN(e.domain_uri) FROM agents a JOIN agent_domains x ON x.agent_id = a.id
        JOIN domains e ON e.id = x.domain_id WHERE a.username = n.aor_user),
      (SELECT COUNT(*) ${reachableDevices(node)} AND l.expires > ${seconds(now)}),
      (SELECT MAX(l.expires) ${reachableDevices(node)}),
      (SELECT MIN(l.socket) ${raw(DEVICES)} AND l.expires > ${seconds(now)}),
      ${targetRings('n', host, moment)}, ${firstWayOf('n', host)}, d.id IS NOT NULL AND NOT ${raw(isEnabled('d'))}, ${raw(IS_AGENT_DISABLED)},
      p.id IS NOT NULL AND NOT ${raw(isEnabled('p'))}
    FROM number_targets n ${raw(agentOf('n.aor_user', 'n.aor_host', 'LEFT JOIN'))} ${raw(peerOf('n.aor_user', 'LEFT JOIN'))}
    WHERE n.number_id IN (${list(pad(rowIds, 0))}) ORDER BY n.number_id, n.position`;
}

function toTarget({ address, ...target }: Facts['further'][number], row: Row, node: string | undefined): TargetFacts {
  const [, , domainId, agentId, peerId, contactAddr, elsewhere, devices, until, socket, rings, way, ...disabled] = row;
  const [domain, agent, peer] = disabled.map((each) => Number(each) === 1);
  const expires = numberOrNull(until);
  const leaves = Number(rings) === TARGET_RINGS.OWN ? 'OWN' : Number(rings) === TARGET_RINGS.YES ? 'YES' : 'NO';
  return {
    ...target,
    leaves,
    // A route for all numbers would have the calls to an address of record, too, if they left.
    way: leaves === 'YES' && !address ? wayIn(textOrNull(way)) : undefined,
    address: address && {
      aorLink: target.target,
      user: address.user,
      host: address.host,
      domainId: numberOrNull(domainId),
      agentId: numberOrNull(agentId),
      peerId: numberOrNull(peerId),
      agentElsewhere: textOrNull(elsewhere),
      contactAddr: textOrNull(contactAddr),
      node,
      nodeOfDevice: nodeOf(textOrNull(socket)),
      devices: Number(devices),
      devicesUntil: expires === null ? null : expires * 1000,
      isDisabled: { domain: domain === true, agent: agent === true, peer: peer === true },
    },
  };
}

/** Reads what `firstWayOf` selects: the ref and the name of the gateway, and the number, each on a line. */
function wayIn(text: string | null): TargetFacts['way'] {
  const [gatewayRef, gatewayName, telUrl] = text?.split('\n') ?? [];
  if (gatewayRef === undefined || gatewayName === undefined || telUrl === undefined) return undefined;
  return { gatewayRef, gatewayName, telUrl };
}
