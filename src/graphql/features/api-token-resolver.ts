import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  GraphQLISODateTime,
  ID,
  Info,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';

import type { IssuedApiToken } from '../../auth/api-token-service';
import type { ApiToken } from '../../auth/api-token-store';
import type { ListedDocument } from '../../auth/trusted-documents';
import type { Context } from '../context';
import { loadByKey } from '../schema/loader';
import { RoleEnum } from './account-types';
import { trustedDocuments } from './contract/fitting-documents';
import { argsOf, nullable, objectOf, withDefault } from '../schema/type-tables';

export const ApiTokenType = objectOf(
  'ApiToken',
  'An API token of a user: a token for programs, which does not contain a name and secret.',
  {
    ref: [String, 'Reference of the API token.'],
    name: [String, 'Name of the API token.'],
    note: [nullable(String), 'A note about the API token.'],
    role: [
      RoleEnum,
      "The role of the API token. While the role of its user has fewer permissions, the user's role applies.",
    ],
    username: [String, 'Name of the user.'],
    createdOn: [GraphQLISODateTime, 'When the API token was created.'],
    expiresOn: [nullable(GraphQLISODateTime), 'When the API token expires; null if it does not.'],
    lastUsedOn: [
      nullable(GraphQLISODateTime),
      'The day (its start, in UTC) on which the API token was last used; null if it was never used.',
    ],
    lastUsedFrom: [
      nullable(String),
      'The address of the first request of that day; null if the API token was never used.',
    ],
  },
);

const ApiTokenDocumentType = objectOf('ApiTokenDocument', 'A document that an API token may send.', {
  name: [String, 'Its operations, such as `query Health`.'],
  sha256Hash: [
    String,
    'The SHA-256 hash of the document, which may be sent instead of it (`extensions.persistedQuery.sha256Hash`).',
  ],
});

const CreatedApiTokenType = objectOf('CreatedApiToken', 'A new API token.', {
  token: [
    String,
    'The token: send it as `Authorization: Bearer <token>`. It is shown only here, because only its hash is stored. Empty after a dry run.',
  ],
  apiToken: [ApiTokenType, 'What is stored about the API token.'],
});

const OWNER = 'Reference of the user, by default the caller. Other users require the role ADMIN.';

const CreateApiTokenArgs = argsOf({
  name: [String, 'Name: 1 to 100 characters.'],
  role: [RoleEnum, "The role of the API token: at most the caller's and the user's."],
  expiresOn: [nullable(GraphQLISODateTime), 'When the API token expires. By default, it does not expire.'],
  note: [nullable(String), 'A note: at most 500 characters.'],
  documents: [
    nullable([String]),
    'The only GraphQL documents that the API token may send, to the letter, which must fit the schema: at most 100, of 10,000 characters each and 200,000 in all. Without them, it may send any, and use REST.',
  ],
  userRef: [nullable(String), OWNER],
  dryRun: [
    withDefault(Boolean, false),
    'Check everything, change nothing, and return what the API token would be, with an empty `token`.',
  ],
});
type CreateApiTokenArgs = InstanceType<typeof CreateApiTokenArgs>;

/** API tokens. */
@Resolver(() => ApiTokenType)
export class ApiTokenResolver {
  @FieldResolver(() => [ApiTokenDocumentType], {
    nullable: true,
    description: 'The only documents that the API token may send; null if it may send any.',
  })
  async documents(
    @Root() { ref, documents, listed }: IssuedApiToken['apiToken'],
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<readonly ListedDocument[] | null> {
    if (listed !== undefined) return listed;
    if (documents === 0) return null;
    const { apiTokens } = context.session.account;
    return (await loadByKey(context, info, ref, (refs: readonly string[]) => apiTokens.documents(refs))) ?? null;
  }

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
    @Args(() => CreateApiTokenArgs) { userRef, expiresOn, documents, dryRun, ...input }: CreateApiTokenArgs,
    @Ctx() context: Context,
    @Info() { schema }: GraphQLResolveInfo,
  ): Promise<IssuedApiToken> {
    const { session } = context;
    const spend = (objects: number): void => context.spend(objects);
    const issued = await session.accountWrite.apiTokens.create(
      session.viewer,
      {
        ...input,
        expiresOn: expiresOn?.getTime() ?? null,
        documents: documents ? trustedDocuments(documents, input.role, { schema, spend }) : undefined,
      },
      userRef ?? undefined,
      { dryRun },
    );
    const { ref: token, username: target, role } = issued.apiToken;
    if (!dryRun) session.logChange('api-token-created', { target, token, role });
    return issued;
  }

  @Mutation(() => ID, {
    description:
      "Deletes an API token, which is rejected from then on, and returns its reference. Other users' API tokens require the role ADMIN. Requires a token of a sign-in.",
  })
  async deleteApiToken(
    @Arg('ref', () => String, { description: 'Reference of the API token.' }) ref: string,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: 'Check everything, and delete nothing.' })
    dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<string> {
    const { username: target } = await session.accountWrite.apiTokens.delete(session.viewer, ref, { dryRun });
    if (!dryRun) session.logChange('api-token-deleted', { target, token: ref });
    return ref;
  }
}
