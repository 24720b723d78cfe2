import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Float, GraphQLISODateTime, Info, Resolver, Root } from 'type-graphql';

import type { DeprecatedUse } from '../../../auth/deprecated-uses';
import type { Context } from '../../context';
import { loadByKey } from '../../schema/loader';
import { UserType, ViewerType } from '../account-types';
import { ApiTokenType } from '../api-token-resolver';
import { objectOf } from '../../schema/type-tables';

const DeprecatedUseType = objectOf('DeprecatedUse', 'The use of a deprecated element of this graph.', {
  field: [
    String,
    'The element: a field such as `Gateway.host`, an argument such as `Query.dids(filter:)`, or a value.',
  ],
  count: [Float, 'The number of requests that used it.'],
  lastUsedOn: [GraphQLISODateTime, 'The day (its start, in UTC) on which it was last used.'],
});

/** Creates the resolver of `deprecatedUses` of a type. `sender` says whose requests are counted. */
function resolverOf(type: new () => object, sender: string): new () => object {
  @Resolver(() => type)
  class DeprecatedUseResolver {
    @FieldResolver(() => [DeprecatedUseType], {
      description: `Deprecated elements of this graph in requests ${sender}. A request is counted within ten seconds.`,
    })
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

/** The uses of deprecated elements, by API tokens and by users without one. */
export const deprecatedUseResolvers = [
  resolverOf(ApiTokenType, 'with this API token'),
  resolverOf(UserType, 'by the user without an API token'),
  resolverOf(ViewerType, 'by the user without an API token'),
];
