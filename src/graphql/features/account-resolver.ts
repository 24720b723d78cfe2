import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';

import type { Role, Viewer } from '../../auth/role';
import type { User } from '../../auth/user-store';
import { Connection, PageArgs, connectionOf, rangeOf } from '../schema/connection';
import type { Context } from '../context';
import { asksFor } from '../schema/look-ahead';
import { CreateUserInput, RoleEnum, TokenType, UserType, ViewerType } from './account-types';

const REF = 'Reference of the user.';
const SECRET = 'Secret to sign in with: 8 to 100 characters.';
const users = connectionOf('User', UserType);

/** Sign-in and user accounts. */
@Resolver()
export class AccountResolver {
  @Query(() => ViewerType, { description: 'The signed-in user.' })
  viewer(@Ctx() { session }: Context): Viewer {
    return session.viewer;
  }

  @Query(() => users, { description: 'All users. Requires the role ADMIN.' })
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

  @Mutation(() => TokenType, { description: 'Signs in and returns a token. Does not require a token.' })
  async createToken(
    @Arg('username', () => String, { description: 'Name of the user.' }) username: string,
    @Arg('secret', () => String, { description: 'Secret of the user.' }) secret: string,
    @Ctx() { authenticator, caller }: Context,
  ): Promise<TokenType> {
    const { viewer, ...token } = await authenticator.signIn(username, secret, caller);
    return { ...token, role: viewer.role };
  }

  @Mutation(() => UserType, { description: 'Creates a user. Requires the role ADMIN.' })
  async createUser(
    @Arg('input', () => CreateUserInput, { description: 'The new user.' }) input: CreateUserInput,
    @Ctx() { session }: Context,
  ): Promise<User> {
    const user = await session.adminWrite.users.create(input);
    session.changed('user-created', { target: user.username, role: user.role });
    return user;
  }

  @Mutation(() => UserType, {
    description: "Changes a user's secret and revokes the user's tokens at once. Requires the role ADMIN.",
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

  @Mutation(() => UserType, {
    description: 'Changes the role of a user, except of the last admin. Requires the role ADMIN.',
  })
  async setUserRole(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Arg('role', () => RoleEnum, { description: 'The new role.' }) role: Role,
    @Ctx() { session }: Context,
  ): Promise<User> {
    const user = await session.adminWrite.users.setRole(ref, role);
    session.changed('role-changed', { target: user.username, role });
    return user;
  }

  @Mutation(() => ID, {
    description: 'Deletes a user, except the last admin, and returns the reference. Requires the role ADMIN.',
  })
  async deleteUser(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Ctx() { session }: Context,
  ): Promise<string> {
    await session.adminWrite.users.delete(ref);
    session.changed('user-deleted', { target: ref });
    return ref;
  }
}
