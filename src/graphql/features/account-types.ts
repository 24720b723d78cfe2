import { GraphQLISODateTime, registerEnumType } from 'type-graphql';

import { inputOf, objectOf } from '../schema/type-tables';

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

export const UserType = objectOf('User', 'A user who can sign in.', {
  ref: [String, 'Reference of the user.'],
  username: [String, 'Name to sign in with.'],
  role: [RoleEnum, 'The role of the user.'],
  createdOn: [GraphQLISODateTime, 'When the user was created.'],
  modifiedOn: [GraphQLISODateTime, 'When the user was last changed.'],
});

export const ViewerType = objectOf('Viewer', 'The signed-in user.', {
  ref: [String, 'Reference of the user.'],
  username: [String, 'Name of the user.'],
  role: [RoleEnum, 'The role of the user.'],
});

export const TokenType = objectOf('Token', 'A bearer token for the Authorization header.', {
  token: [String, 'The token: send it as `Authorization: Bearer <token>`.'],
  expiresOn: [GraphQLISODateTime, 'When the token expires.'],
  role: [RoleEnum, 'The role of the user.'],
});
export type TokenType = InstanceType<typeof TokenType>;

export const CreateUserInput = inputOf('CreateUserInput', 'A new user.', {
  username: [String, 'Name to sign in with: 1 to 100 characters without spaces and colons.'],
  secret: [String, 'Secret to sign in with: 8 to 100 characters.'],
  role: [RoleEnum, 'The role of the user.'],
});
export type CreateUserInput = InstanceType<typeof CreateUserInput>;
