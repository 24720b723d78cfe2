import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Ctx,
  Field,
  GraphQLISODateTime,
  ID,
  Info,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  registerEnumType,
} from 'type-graphql';

import type { Role, Viewer } from '../../auth/role';
import type { User } from '../../auth/user-store';
import { Connection, PageArgs, connectionOf, rangeOf } from '../resources/connection';
import type { Context } from '../context';
import { asksFor } from '../resources/look-ahead';

const RoleEnum = { ADMIN: 'admin', OPERATOR: 'operator', VIEWER: 'viewer' } as const;
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
class UserType {
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
class ViewerType {
  @Field(() => String, { description: 'Reference of the user.' })
  ref!: string;

  @Field(() => String, { description: 'Name of the user.' })
  username!: string;

  @Field(() => RoleEnum, { description: 'What the user may do.' })
  role!: string;
}

@ObjectType('Token', { simpleResolvers: true, description: 'A bearer token for the Authorization header.' })
class TokenType {
  @Field(() => String, { description: 'The token: send it as `Authorization: Bearer <token>`.' })
  token!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the token ends.' })
  expiresOn!: number;

  @Field(() => RoleEnum, { description: 'What the user may do.' })
  role!: string;
}

@InputType({ description: 'A new user.' })
class CreateUserInput {
  @Field(() => String, { description: 'Name to sign in with: 1 to 100 characters without spaces and colons.' })
  username!: string;

  @Field(() => String, { description: 'Secret to sign in with: 8 to 100 characters.' })
  secret!: string;

  @Field(() => RoleEnum, { description: 'What the user may do.' })
  role!: Role;
}

const REF = 'Reference of the user.';
const SECRET = 'Secret to sign in with: 8 to 100 characters.';
const users = connectionOf('User', UserType);

/** Signing in, and the users. */
@Resolver()
export class AccountResolver {
  @Query(() => ViewerType, { description: 'Who is asking.' })
  viewer(@Ctx() { session }: Context): Viewer {
    return session.viewer;
  }

  @Query(() => users, { description: 'All users; for admins.' })
  async users(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<User>> {
    const service = session.admin.users;
    const range = rangeOf(args);
    const [page, count] = await Promise.all([
      service.page(range),
      asksFor('totalCount', info) ? service.count() : undefined,
    ]);
    return new Connection(page, range, count);
  }

  @Mutation(() => TokenType, { description: 'Signs in; needs no token.' })
  async createToken(
    @Arg('username', () => String, { description: 'Name of the user.' }) username: string,
    @Arg('secret', () => String, { description: 'Secret of the user.' }) secret: string,
    @Ctx() { authenticator, caller }: Context,
  ): Promise<TokenType> {
    const { viewer, ...token } = await authenticator.signIn(username, secret, caller);
    return { ...token, role: viewer.role };
  }

  @Mutation(() => UserType, { description: 'Creates a user; for admins.' })
  async createUser(
    @Arg('input', () => CreateUserInput, { description: 'The new user.' }) input: CreateUserInput,
    @Ctx() { session }: Context,
  ): Promise<User> {
    const user = await session.adminWrite.users.create(input);
    session.changed('user-created', { target: user.username, role: user.role });
    return user;
  }

  @Mutation(() => UserType, {
    description: "Changes a user's secret, which ends the user's tokens at once; for admins.",
  })
  async setUserSecret(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Arg('secret', () => String, { description: SECRET }) secret: string,
    @Ctx() { session }: Context,
  ): Promise<User> {
    const user = await session.adminWrite.users.setSecret(ref, secret);
    session.changed('secret-changed', { target: user.username });
    return user;
  }

  @Mutation(() => UserType, { description: 'Changes what a user may do, but not for the last admin; for admins.' })
  async setUserRole(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Arg('role', () => RoleEnum, { description: 'What the user may do from then on.' }) role: Role,
    @Ctx() { session }: Context,
  ): Promise<User> {
    const user = await session.adminWrite.users.setRole(ref, role);
    session.changed('role-changed', { target: user.username, role });
    return user;
  }

  @Mutation(() => ID, { description: 'Deletes a user, but not the last admin; returns the reference. For admins.' })
  async deleteUser(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Ctx() { session }: Context,
  ): Promise<string> {
    await session.adminWrite.users.delete(ref);
    session.changed('user-deleted', { target: ref });
    return ref;
  }
}
