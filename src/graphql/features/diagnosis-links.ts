import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import type { Facts } from '../../sip/diagnosis/facts';
import { Gateway } from '../../model/gateway';
import type { Resource } from '../../model/kind';
import type { Context } from '../context';
import { loadByKey } from '../schema/loader';
import { NumberExplanation, NumberHealth, PhoneNumber } from './diagnosis-types';
import { GatewayStep, NumberStep } from './explanation-steps';
import { stepLinks } from './step-links';
import { numbers, one } from './verdict-loaders';

/** The link from a verdict to its number. */
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
        ? loadByKey(context, info, facts.rowId, (ids) => numbers(context, info, ids))
        : Promise.resolve(undefined);
    }
  }
  return NumberLinks;
}

/** The link from a verdict to other numbers with the same digits. */
function otherLinks(type: new (...args: never[]) => { readonly facts: Facts | undefined }): new () => object {
  @Resolver(() => type)
  class OtherLinks {
    @FieldResolver(() => [PhoneNumber], { description: 'Other DIDs and Numbers with the same digits, at most ten.' })
    async others(
      @Root() { facts }: { readonly facts: Facts | undefined },
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<readonly Resource[]> {
      if (!facts) return [];
      const found = await loadByKey(context, info, facts.rowId, async (ids) => {
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

/** The link to the gateway, from a step of the path or from a verdict. */
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

/** The resolvers of the links from verdicts to resources. */
export const diagnosisLinks = [
  ...stepLinks,
  numberLinks(NumberStep, true),
  numberLinks(NumberHealth, false),
  otherLinks(NumberExplanation),
  otherLinks(NumberHealth),
  gatewayLink(GatewayStep),
  gatewayLink(NumberHealth),
];
