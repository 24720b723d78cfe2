import { Arg, Args, ArgsType, Ctx, Field, GraphQLISODateTime, ID, Mutation, Query, Resolver } from 'type-graphql';

import type { IssuedApiToken } from '../../auth/api-token-service';
import type { ApiToken } from '../../auth/api-token-store';
import type { Role } from '../../auth/role';
import type { Context } from '../context';
import { RoleEnum } from './account-types';
import { ApiTokenType, CreatedApiTokenType } from './api-token-types';

const OWNER = 'Reference of the user, by default the caller. Other users require the role ADMIN.';

@ArgsType()
class CreateApiTokenArgs {
  @Field(() => String, { description: 'Name: 1 to 100 characters.' })
  name!: string;

  @Field(() => RoleEnum, { description: "The role of the API token: at most the caller's and the user's." })
  role!: Role;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the API token expires. By default, it does not expire.',
  })
  expiresOn?: Date | null;

  @Field(() => String, { nullable: true, description: 'A note: at most 500 characters.' })
  note?: string | null;

  @Field(() => String, { nullable: true, description: OWNER })
  userRef?: string | null;
}

/** API tokens. */
@Resolver()
export class ApiTokenResolver {
  @Query(() => [ApiTokenType], { description: 'The API tokens of a user, without the tokens themselves.' })
  apiTokens(
    @Ctx() { session }: Context,
    @Arg('userRef', () => String, { nullable: true, description: OWNER }) userRef?: string | null,
  ): Promise<readonly ApiToken[]> {
    return session.account.apiTokens.list(session.viewer, userRef ?? undefined);
  }

  @Mutation(() => CreatedApiTokenType, {
    description: 'Creates an API token, which is shown only once. Requires a token of a sign-in.',
  })
  async createApiToken(
    @Args(() => CreateApiTokenArgs) { userRef, expiresOn, ...input }: CreateApiTokenArgs,
    @Ctx() { session }: Context,
  ): Promise<IssuedApiToken> {
    const issued = await session.accountWrite.apiTokens.create(
      session.viewer,
      { ...input, expiresOn: expiresOn?.getTime() ?? null },
      userRef ?? undefined,
    );
    const { ref: token, username: target, role } = issued.apiToken;
    session.changed('api-token-created', { target, token, role });
    return issued;
  }

  @Mutation(() => ID, {
    description:
      "Deletes an API token, which is rejected from then on, and returns its reference. Other users' API tokens require the role ADMIN. Requires a token of a sign-in.",
  })
  async deleteApiToken(
    @Arg('ref', () => String, { description: 'Reference of the API token.' }) ref: string,
    @Ctx() { session }: Context,
  ): Promise<string> {
    const { username: target } = await session.accountWrite.apiTokens.delete(session.viewer, ref);
    session.changed('api-token-deleted', { target, token: ref });
    return ref;
  }
}
