import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';

import type { Range } from '../../database/page';
import type { Facts, NumberState } from '../../diagnosis/facts';
import type { HealthPage } from '../../diagnosis/number-diagnosis';
import type { Contact } from '../../live/contact';
import type { Registration } from '../../live/registration-reader';
import { Domain } from '../../model/domain';
import { Gateway } from '../../model/gateway';
import type { Resource } from '../../model/kind';
import { Connection, PageArgs, connectionOf, rangeOf, type PageInfo } from '../resources/connection';
import type { Context } from '../context';
import { CREATION_CURSORS } from '../resources/cursors';
import {
  ContactsStep,
  DomainStep,
  GatewayStep,
  NumberExplanation,
  NumberHealth,
  NumberStateEnum,
  NumberStep,
  PhoneNumber,
  TargetStep,
} from './diagnosis-types';
import { ContactType, RegistrationType } from './live-types';
import { loadByRowId } from '../resources/loader';
import { asksFor, selectionOf } from '../resources/look-ahead';
import { unionNamed } from '../resources/object-types';

const healthConnection = connectionOf('NumberHealth', NumberHealth);

@ArgsType()
class HealthArgs extends PageArgs {
  @Field(() => [NumberStateEnum], { nullable: true, description: 'Only numbers in one of these states.' })
  states?: readonly NumberState[] | null;

  @Field(() => String, { nullable: true, description: 'Only numbers of the Gateway of this reference.' })
  gatewayRef?: string | null;
}

/** A page that may have stopped looking before it was full. */
class HealthConnection extends Connection<NumberHealth> {
  constructor(
    private readonly looked: HealthPage,
    private readonly backwards: boolean,
    range: Range,
    count: number | undefined,
  ) {
    super({ items: looked.items.map((facts) => new NumberHealth(facts)), more: looked.more }, range, count);
  }

  override get pageInfo(): PageInfo {
    const page = super.pageInfo;
    if (this.looked.end === undefined) return page;
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page;
    const end = CREATION_CURSORS.write({ rowId: this.looked.end });
    return this.backwards
      ? { hasNextPage, hasPreviousPage, startCursor: end, endCursor }
      : { hasNextPage, hasPreviousPage, startCursor, endCursor: end };
  }
}

/** Why numbers ring or do not. */
@Resolver()
export class DiagnosisResolver {
  @Query(() => NumberExplanation, {
    description:
      'The chain that a call to a number takes, and its first broken link. `tel:+1 706 604-1487`, `+17066041487` and `17066041487` are one number.',
  })
  async explainNumber(
    @Arg('telUrl', () => String, { description: 'The number, as a tel URI or its digits.' }) telUrl: string,
    @Ctx() { session }: Context,
  ): Promise<NumberExplanation> {
    return new NumberExplanation(telUrl, await session.read.diagnosis.explain(telUrl));
  }

  @Query(() => healthConnection, {
    description:
      'The verdict of explainNumber on all DIDs and Numbers, in creation order. With states, a page looks at 2,000 numbers at most: it may have fewer items than asked for, or none, while hasNextPage is true; continue from endCursor. totalCount then looks at all of them.',
  })
  async numberHealth(
    @Args(() => HealthArgs) args: HealthArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<NumberHealth>> {
    const { diagnosis } = session.read;
    const range = rangeOf(args);
    const query = { states: args.states ?? undefined, gatewayRef: args.gatewayRef ?? undefined };
    const [page, count] = await Promise.all([
      diagnosis.page(range, query),
      asksFor('totalCount', info) ? diagnosis.count(query) : undefined,
    ]);
    return new HealthConnection(page, range.backwards, range, count);
  }
}

/** From a verdict to the number, and to others like it. */
function numberLinks(
  type: new (...args: never[]) => { readonly facts: Facts | undefined },
  nullable: boolean,
): new () => object {
  @Resolver(() => type)
  class NumberLinks {
    @FieldResolver(() => PhoneNumber, { nullable, description: 'The DID or Number.' })
    number(
      @Root() { facts }: { readonly facts: Facts | undefined },
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      return facts
        ? loadByRowId(context, info, facts.rowId, (ids) => numbers(context, info, ids))
        : Promise.resolve(undefined);
    }
  }
  return NumberLinks;
}

/** From a verdict to other numbers with the same digits. */
function otherLinks(type: new (...args: never[]) => { readonly facts: Facts | undefined }): new () => object {
  @Resolver(() => type)
  class OtherLinks {
    @FieldResolver(() => [PhoneNumber], { description: 'Other DIDs and Numbers with the same digits, ten at most.' })
    async others(
      @Root() { facts }: { readonly facts: Facts | undefined },
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<readonly Resource[]> {
      if (!facts) return [];
      const found = await loadByRowId(context, info, facts.rowId, async (ids) => {
        const others = await context.session.read.diagnosis.others(ids);
        const resources = await numbers(context, info, [...new Set([...others.values()].flat())]);
        const present = (id: number): readonly Resource[] => {
          const resource = resources.get(id);
          return resource ? [resource] : [];
        };
        return new Map([...others].map(([id, them]) => [id, them.flatMap(present)]));
      });
      return found ?? [];
    }
  }
  return OtherLinks;
}

/** From a link of the chain, or a verdict, to the gateway. */
function gatewayLink(type: new (...args: never[]) => { readonly facts: Facts | undefined }): new () => object {
  @Resolver(() => type)
  class GatewayLink {
    @FieldResolver(() => Gateway, { description: 'The gateway.' })
    gateway(
      @Root() { facts }: { readonly facts: Facts | undefined },
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      return one('Gateway', facts?.gatewayId ?? null, context, info);
    }
  }
  return GatewayLink;
}

@Resolver(() => GatewayStep)
class GatewayStepResolver {
  @FieldResolver(() => RegistrationType, {
    nullable: true,
    description: 'The registration of the gateway at its provider; null when nothing is known of it.',
  })
  async registration(@Root() { facts }: GatewayStep, @Ctx() { session }: Context): Promise<Registration | undefined> {
    return facts && (await session.read.registrations.of([facts.gatewayId])).get(facts.gatewayId);
  }
}

@Resolver(() => DomainStep)
class DomainStepResolver {
  @FieldResolver(() => Domain, { nullable: true, description: 'The domain; null where there is none.' })
  domain(
    @Root() { facts }: DomainStep,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return one('Domain', facts?.domainId ?? null, context, info);
  }
}

@Resolver(() => TargetStep)
class TargetStepResolver {
  @FieldResolver(() => unionNamed('Target'), {
    nullable: true,
    description: 'The agent or peer; null where there is none.',
  })
  target(
    @Root() { facts }: TargetStep,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    const { agentId = null, peerId = null } = facts ?? {};
    return agentId === null ? one('Peer', peerId, context, info) : one('Agent', agentId, context, info);
  }
}

@Resolver(() => ContactsStep)
class ContactsStepResolver {
  @FieldResolver(() => [ContactType], { description: 'The devices that are registered now.' })
  async contacts(@Root() { facts }: ContactsStep, @Ctx() { session }: Context): Promise<readonly Contact[]> {
    return facts ? ((await session.read.contacts.of('Number', [facts.rowId])).get(facts.rowId) ?? []) : [];
  }
}

export const diagnosisResolvers = [
  ...[DiagnosisResolver, GatewayStepResolver, DomainStepResolver, TargetStepResolver, ContactsStepResolver],
  ...[numberLinks(NumberStep, true), numberLinks(NumberHealth, false)],
  ...[otherLinks(NumberExplanation), otherLinks(NumberHealth)],
  ...[gatewayLink(GatewayStep), gatewayLink(NumberHealth)],
];

async function numbers(
  { session }: Context,
  info: GraphQLResolveInfo,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, Resource>> {
  const { model, resources } = session.read;
  const found = await Promise.all(
    ['DID', 'Number']
      .map((name) => model.kindOf(name))
      .map((kind) => resources.byRowIds(kind, rowIds, selectionOf(kind, info))),
  );
  return new Map(found.flatMap((some) => [...some]));
}

function one(
  name: string,
  rowId: number | null,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Resource | undefined> {
  if (rowId === null) return Promise.resolve(undefined);
  const { model, resources } = context.session.read;
  const kind = model.kindOf(name);
  return loadByRowId(context, info, rowId, (ids) => resources.byRowIds(kind, ids, selectionOf(kind, info)));
}
