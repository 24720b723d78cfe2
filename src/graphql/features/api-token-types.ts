import { Field, GraphQLISODateTime, ObjectType } from 'type-graphql';

import { RoleEnum } from './account-types';

@ObjectType('ApiToken', {
  simpleResolvers: true,
  description: 'An API token of a user: a token for programs, which does not contain a name and secret.',
})
export class ApiTokenType {
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
export class CreatedApiTokenType {
  @Field(() => String, {
    description:
      'The token: send it as `Authorization: Bearer <token>`. It is shown only here, because only its hash is stored.',
  })
  token!: string;

  @Field(() => ApiTokenType, { description: 'What is stored about the API token.' })
  apiToken!: ApiTokenType;
}
