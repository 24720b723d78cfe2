import { Field, GraphQLISODateTime, InputType, ObjectType, registerEnumType } from 'type-graphql';

import type { Role } from '../../auth/role';

export const RoleEnum = { ADMIN: 'admin', OPERATOR: 'operator', VIEWER: 'viewer' } as const;
registerEnumType(RoleEnum, {
  name: 'Role',
  description: 'The role of a user, which determines the permissions.',
  valuesConfig: {
    ADMIN: { description: 'Can read and write resources, and manage users.' },
    OPERATOR: { description: 'Can read and write resources.' },
    VIEWER: { description: 'Can read resources, without secrets.' },
  },
});

@ObjectType('User', { description: 'A user who can sign in.' })
export class UserType {
  @Field(() => String, { description: 'Reference of the user.' })
  ref!: string;

  @Field(() => String, { description: 'Name to sign in with.' })
  username!: string;

  @Field(() => RoleEnum, { description: 'The role of the user.' })
  role!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the user was created.' })
  createdOn!: number;

  @Field(() => GraphQLISODateTime, { description: 'When the user was last changed.' })
  modifiedOn!: number;
}

@ObjectType('Viewer', { description: 'The signed-in user.' })
export class ViewerType {
  @Field(() => String, { description: 'Reference of the user.' })
  ref!: string;

  @Field(() => String, { description: 'Name of the user.' })
  username!: string;

  @Field(() => RoleEnum, { description: 'The role of the user.' })
  role!: string;
}

@ObjectType('Token', { description: 'A bearer token for the Authorization header.' })
export class TokenType {
  @Field(() => String, { description: 'The token: send it as `Authorization: Bearer <token>`.' })
  token!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the token expires.' })
  expiresOn!: number;

  @Field(() => RoleEnum, { description: 'The role of the user.' })
  role!: string;
}

@InputType({ description: 'A new user.' })
export class CreateUserInput {
  @Field(() => String, { description: 'Name to sign in with: 1 to 100 characters without spaces and colons.' })
  username!: string;

  @Field(() => String, { description: 'Secret to sign in with: 8 to 100 characters.' })
  secret!: string;

  @Field(() => RoleEnum, { description: 'The role of the user.' })
  role!: Role;
}
