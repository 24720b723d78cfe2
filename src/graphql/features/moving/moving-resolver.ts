import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Info, Mutation, Query, Resolver } from 'type-graphql';

import { InvalidInputError } from '../../../errors';
import { partsOf } from '../../../resources/bulk/csv-rows';
import { callRecords, type CallRecord, type NoCall } from '../../../resources/moving/call-records';
import { replay } from '../../../resources/moving/replay';
import type { MoveResult } from '../../../resources/moving/move-service';
import type { Simulation } from '../../../sip/simulation/simulation';
import type { Context } from '../../context';
import { toPendingChanges } from '../pending/pending-types';
import { WaitArgs, waitOf, writeOrWait, type Waited } from '../pending/wait-args';
import { SimulatedCallsType, simulationFor } from '../simulation-types';
import { MoveArgs, MoveResultType, ReplayResultType, systemOf } from './moving-types';

/** The most records of a request: each takes some ten statements. */
const MAX_RECORDS = 2000;
/** The cost in objects of a recorded call. */
const REPLAYED = 10;

/** What moves in another system: what `sipgraph import-from` and `sipgraph replay` do. */
@Resolver()
export class MovingResolver {
  @Mutation(() => MoveResultType, {
    description:
      'Moves in another system: creates or updates what its database has, at most 10000 records, in one transaction, as `sipgraph import-from` does. If a record is wrong, nothing is changed. Requires the role of an admin.',
  })
  async importFrom(
    @Args(() => MoveArgs) args: MoveArgs,
    @Args(() => WaitArgs) waiting: WaitArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<MoveResultType> {
    const { session } = context;
    session.assertAdmin();
    session.assertWriter();
    const wait = waitOf(waiting);
    const simulation = simulationFor(context, args, info);
    const { dryRun, gateway, system, ...others } = args;
    const given = { ...others, gateway: gateway ?? undefined, system: systemOf(system) };
    const how = {
      ...{ dryRun, rehearser: simulation, key: undefined },
      isWhole: ({ failed }: MoveResult) => failed.size === 0,
    };
    const found = await writeOrWait(session, wait, how, ({ moves }, { dryRun, rehearser }) =>
      moves.move(given, { dryRun, rehearser, request: session.permit, charge: session.spend }),
    );
    return toMoveResult(found, simulation);
  }

  @Query(() => ReplayResultType, {
    description:
      'Compares recorded calls with what would become of them now, as `sipgraph replay` does, without a SIP server. Requires the role of an admin.',
  })
  async replayCalls(
    @Arg('csv', () => String, {
      description:
        "At most 2000 rows of CSV with a header: calls that Kamailio's acc, Asterisk's CDR or sipgraph recorded, or with the columns from, to, source, gateway, called and status.",
    })
    csv: string,
    @Ctx() { session }: Context,
  ): Promise<ReplayResultType> {
    session.assertAdmin();
    const records = chargeRecords(callRecords(partsOf(csv)), session.spend);
    const { totals, differences, invalid } = await replay(records, session.read, session.shared.model, () => undefined);
    return { ...totals, differences, invalidRecord: invalid };
  }
}

async function* chargeRecords(
  records: AsyncIterable<CallRecord | NoCall>,
  spend: (objects: number) => void,
): AsyncGenerator<CallRecord | NoCall> {
  let count = 0;
  for await (const record of records) {
    if (++count > MAX_RECORDS)
      throw InvalidInputError.of('csv', `has more than ${String(MAX_RECORDS)} rows; send fewer at once`);
    spend(REPLAYED);
    yield record;
  }
}

function toMoveResult({ result, pending }: Waited<MoveResult>, simulation: Simulation | undefined): MoveResultType {
  const { failed, skippedPlaces, requestId, ...others } = result;
  const calls = simulation && failed.size === 0 ? new SimulatedCallsType(simulation.found) : null;
  return {
    ...others,
    ...{ request: requestId, failed: failed.size, skippedCount: skippedPlaces, calls },
    pending: pending && toPendingChanges(pending),
  };
}
