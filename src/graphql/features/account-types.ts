import { Field, GraphQLISODateTime, InputType, ObjectType, registerEnumType } from 'type-graphql';

import type { Role } from '../../auth/role';

export const RoleEnum = { ADMIN: 'admin', OPERATOR: 'operator', VIEWER: 'viewer' } as const;
registerEnumType(RoleEnum, {
  name: 'Role',
  description: 'What a user may do.',
  valuesConfig: {
    ADMIN: { description: 'Reads, writes resources and manages users.' },
    OPERATOR: { description: 'Reads and writes resources.' },
    VIEWER: { description: 'Reads, without secrets.' },
  },
});

@ObjectType('User', { simpleResolvers: true, description: 'A user who can sign in.' })
export class UserType {
  @Field(() => String, { description: 'Reference of the user.' })
  ref!: string;

  @Field(() => String, { description: 'Name to sign in with.' })
  username!: string;

  @Field(() => RoleEnum, { description: 'What the user may do.' })
  role!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the user was created.' })
  createdOn!: number;

  @Field(() => GraphQLISODateTime, { description: 'When the user was last changed.' })
  modifiedOn!: number;
}

@ObjectType('Viewer', { simpleResolvers: true, description: 'Who is asking.' })
export class ViewerType {
  @Field(() => String, { description: 'Reference of the user.' })
  ref!: string;

  @Field(() => String, { description: 'Name of the user.' })
  username!: string;

  @Field(() => RoleEnum, { description: 'What the user may do.' })
  role!: string;
}

@ObjectType('Token', { simpleResolvers: true, description: 'A bearer token for the Authorization header.' })
export class TokenType {
  @Field(() => String, { description: 'The token: send it as `Authorization: Bearer <token>`.' })
  token!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the token ends.' })
  expiresOn!: number;

  @Field(() => RoleEnum, { description: 'What the user may do.' })
  role!: string;
}

@InputType({ description: 'A new user.' })
export class CreateUserInput {
  @Field(() => String, { description: 'Name to sign in with: 1 to 100 characters without spaces and colons.' })
  username!: string;

  @Field(() => String, { description: 'Secret to sign in with: 8 to 100 characters.' })
  secret!: string;

  @Field(() => RoleEnum, { description: 'What the user may do.' })
  role!: Role;
}
