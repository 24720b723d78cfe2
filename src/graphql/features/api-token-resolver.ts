import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  GraphQLISODateTime,
  ID,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';

import type { IssuedApiToken } from '../../auth/api-token-service';
import type { ApiToken } from '../../auth/api-token-store';
import type { Role } from '../../auth/role';
import type { Context } from '../context';
import { RoleEnum } from './account-types';

@ObjectType('ApiToken', {
  simpleResolvers: true,
  description: 'An API token of a user: a token for programs, which does not contain a name and secret.',
})
class ApiTokenType {
  @Field(() => String, { description: 'Reference of the API token.' })
  ref!: string;

  @Field(() => String, { description: 'Name of the API token.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'A note about the API token.' })
  note!: string | null;

  @Field(() => RoleEnum, {
    description:
      "The role of the API token. While the role of its user has fewer permissions, the user's role applies.",
  })
  role!: string;

  @Field(() => String, { description: 'Name of the user.' })
  username!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the API token was created.' })
  createdOn!: number;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When the API token expires; null if it does not.' })
  expiresOn!: number | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'The day (its start, in UTC) on which the API token was last used; null if it was never used.',
  })
  lastUsedOn!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The address of the first request of that day; null if the API token was never used.',
  })
  lastUsedFrom!: string | null;
}

@ObjectType('CreatedApiToken', { simpleResolvers: true, description: 'A new API token.' })
class CreatedApiTokenType {
  @Field(() => String, {
    description:
      'The token: send it as `Authorization: Bearer <token>`. It is shown only here, because only its hash is stored.',
  })
  token!: string;

  @Field(() => ApiTokenType, { description: 'What is stored about the API token.' })
  apiToken!: ApiTokenType;
}

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
