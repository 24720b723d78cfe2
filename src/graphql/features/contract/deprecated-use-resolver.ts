import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, Float, GraphQLISODateTime, Info, ObjectType, Resolver, Root } from 'type-graphql';

import type { DeprecatedUse } from '../../../auth/deprecated-uses';
import type { Context } from '../../context';
import { loadByKey } from '../../schema/loader';
import { UserType, ViewerType } from '../account-types';
import { ApiTokenType } from '../api-token-resolver';

@ObjectType('DeprecatedUse', {
  simpleResolvers: true,
  description: 'The use of something in this graph that is deprecated.',
})
class DeprecatedUseType {
  @Field(() => String, {
    description:
      'What is deprecated: a field such as `Gateway.host`, an argument such as `Query.dids(filter:)`, or a value.',
  })
  field!: string;

  @Field(() => Float, { description: 'The number of requests that used it.' })
  count!: number;

  @Field(() => GraphQLISODateTime, { description: 'The day (its start, in UTC) on which it was last used.' })
  lastUsedOn!: number;
}

const DOCUMENTS =
  'What the documents that were sent %s use of what is deprecated. A request is counted within seconds.';

/** Creates the resolver of `deprecatedUses` of a type. `how` says with which tokens it is used. */
function resolverOf(type: new () => object, how: string): new () => object {
  @Resolver(() => type)
  class DeprecatedUseResolver {
    @FieldResolver(() => [DeprecatedUseType], { description: DOCUMENTS.replace('%s', how) })
    async deprecatedUses(
      @Root() { ref }: { readonly ref: string },
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<readonly DeprecatedUse[]> {
      const { deprecatedUses } = context.session.account;
      return (await loadByKey(context, info, ref, deprecatedUses)) ?? [];
    }
  }
  return DeprecatedUseResolver;
}

/** The uses of what is deprecated, by API tokens and by users without one. */
export const deprecatedUseResolvers = [
  resolverOf(ApiTokenType, 'with this API token'),
  resolverOf(UserType, 'by the user without an API token'),
  resolverOf(ViewerType, 'by the user without an API token'),
];
