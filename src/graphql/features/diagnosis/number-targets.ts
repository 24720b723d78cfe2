import { Int } from 'type-graphql';

import { Did, TelephoneNumber } from '../../../model/number';
import type { Facts } from '../../../sip/diagnosis/facts';
import { unionNamed } from '../../schema/object-types';
import { linkTo } from '../../schema/resource-link';
import { rowField } from '../../schema/row-field';
import { agentOrPeer } from './diagnosis-links';
import { objectOf } from '../../schema/type-tables';

const NumberTarget = objectOf('NumberTarget', 'Whom calls to a number reach.', {
  target: [String, 'The address of record, as a SIP URI; or the outside number, as a tel URI.'],
  order: [Int, 'Targets of one order ring together; the first is 1.'],
  seconds: [
    Int,
    'For how many seconds those of the order before ring without an answer until it rings; 0 for the first order.',
  ],
});
type NumberTarget = InstanceType<typeof NumberTarget> & {
  readonly agentId: number | null;
  readonly peerId: number | null;
};

function targetsOf(facts: Facts): NumberTarget[] {
  const first = { target: facts.aorLink, order: 1, seconds: 0, agentId: facts.agentId, peerId: facts.peerId };
  const targets = [first];
  for (const { target, after, address } of facts.targets) {
    const { order, seconds } = targets.at(-1) ?? first;
    targets.push({
      target,
      order: after === 0 ? order : order + 1,
      seconds: after === 0 ? seconds : after,
      agentId: address?.agentId ?? null,
      peerId: address?.peerId ?? null,
    });
  }
  return targets;
}

/** The link from a number to its targets. */
function targetsLink(type: typeof Did | typeof TelephoneNumber): new () => object {
  return rowField(
    type,
    'targets',
    {
      type: () => [NumberTarget],
      description: 'Whom calls to the number reach, in order: `aorLink`, and then `furtherTargets`.',
    },
    ({ diagnosis }, rowIds) => diagnosis.verdicts(rowIds),
    (facts) => (facts ? targetsOf(facts) : []),
  );
}

/** The resolvers of the targets of numbers. */
export const targetLinks = [
  targetsLink(Did),
  targetsLink(TelephoneNumber),
  linkTo(
    NumberTarget,
    'resource',
    () => unionNamed('Target'),
    'The agent or peer; null if there is none, or for an outside number.',
    agentOrPeer,
  ),
];
