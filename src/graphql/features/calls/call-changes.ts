import { Arg, Resolver, Root, Subscription } from 'type-graphql';

import type { CallChange, CallEvent } from '../../../sip/calls/call-feed';
import type { Context } from '../../context';
import { enumOf, nullable, objectOf } from '../../schema/type-tables';
import { callQueryOf } from './call-resolver';
import { CallType, CallWhere } from './call-types';

const CallEventEnum = enumOf<CallEvent>('CallEvent', 'What happened to a call.', {
  BEGUN: 'The call began.',
  RINGING: 'The callee began to ring.',
  ANSWERED: 'The callee answered.',
  ENDED: 'The call ended, failed or was lost: see `state`.',
  MISSED: 'More happened than is delivered: read the calls again.',
});

/** An event of a call in GraphQL. */
export const CallsChange = objectOf('CallsChange', 'A call began, rang, was answered or ended.', {
  event: [CallEventEnum, 'What happened. If more happened within a second, the last of it.'],
  call: [nullable(CallType), 'The call as it is now; null for MISSED.'],
});

/** The subscription to the events of calls. */
@Resolver()
export class CallChangeResolver {
  @Subscription(() => CallsChange, {
    description:
      'An event for each call that begins, rings, is answered or ends, within about a second. It has no cursor: after an interruption, read the calls again.',
    subscribe: ({ args: { where }, context }: { args: { where?: CallWhere | null }; context: Context }) =>
      listen(context, where ?? {}),
  })
  callsChanged(
    @Root() change: CallChange,
    @Arg('where', () => CallWhere, {
      nullable: true,
      description: 'Return only events of calls that meet these conditions.',
    })
    _where?: CallWhere | null,
  ): CallChange {
    return change;
  }
}

async function listen({ session, caller }: Context, where: CallWhere): Promise<AsyncIterable<CallChange>> {
  const query = callQueryOf(where);
  const { calls } = session.read;
  calls.assertMayAsk(query);
  const { isShortened } = calls;
  return session.subscription((left) =>
    session.shared.calls.listen({ query, isShortened, left, ended: caller.ended, cut: caller.cut }),
  );
}
