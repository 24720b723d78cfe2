import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, GraphQLISODateTime, ID, Info, Mutation, Query, Resolver } from 'type-graphql';

import { deviceOf } from './device';
import type { Role, Viewer } from '../../auth/role';
import type { SignIn } from '../../auth/sign-ins/sign-in-store';
import type { User } from '../../auth/user-store';
import type { Context } from '../context';
import { type Connection, connectionOf, PageArgs, rangeOf, readConnection } from '../schema/connection';
import { DryRun } from '../schema/dry-run';
import { CreateUserInput, RoleEnum, TokenType, UserType, ViewerType } from './account-types';
import { nullable, objectOf } from '../schema/type-tables';

const REF = 'Reference of the user.';
const SECRET = 'Secret to sign in with: 8 to 100 characters.';
const DRY_RUN = 'Check everything, change nothing, and return what the user would be.';
const users = connectionOf('User', UserType);

const ADMIN = 'Requires the role ADMIN and a token of a sign-in.';

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
    return readConnection(info, range, service.page(range), () => service.count());
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

  @Mutation(() => UserType, { description: `Creates a user. ${ADMIN}` })
  async createUser(
    @Arg('input', () => CreateUserInput, { description: 'The new user.' }) input: CreateUserInput,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<User> {
    const user = await session.adminWrite.users.create(input, { dryRun });
    if (!dryRun) session.logChange('user-created', { target: user.username, role: user.role });
    return user;
  }

  @Mutation(() => UserType, {
    description: `Changes a user's secret and revokes the user's tokens at once. ${ADMIN}`,
  })
  async setUserSecret(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Arg('secret', () => String, { description: SECRET }) secret: string,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<User> {
    const user = await session.adminWrite.users.setSecret(ref, secret, { dryRun });
    if (!dryRun) session.logChange('secret-changed', { target: user.username });
    return user;
  }

  @Mutation(() => UserType, {
    description: `Changes the role of a user, except of the last admin. ${ADMIN}`,
  })
  async setUserRole(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Arg('role', () => RoleEnum, { description: 'The new role.' }) role: Role,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<User> {
    const user = await session.adminWrite.users.setRole(ref, role, { dryRun });
    if (!dryRun) session.logChange('role-changed', { target: user.username, role });
    return user;
  }

  @Mutation(() => ID, {
    description: `Deletes a user, except the last admin, and returns the reference. ${ADMIN}`,
  })
  async deleteUser(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<string> {
    await session.adminWrite.users.delete(ref, { dryRun });
    if (!dryRun) session.logChange('user-deleted', { target: ref });
    return ref;
  }
}

const SessionType = objectOf('Session', 'A sign-in with name and secret whose token is still good.', {
  id: [ID, 'Identifies the session for endSession.'],
  address: [String, 'The address from which the user signed in.'],
  device: [
    nullable(String),
    'The browser and the device, such as `Firefox on Windows`, or the program, as the user agent names them; null if they are unknown. Programs may send anything.',
  ],
  userAgent: [
    nullable(String),
    'The User-Agent header of the sign-in: at most 200 printable characters of ASCII; null if it is unknown.',
  ],
  createdOn: [GraphQLISODateTime, 'When the user signed in.'],
  expiresOn: [GraphQLISODateTime, 'When the token expires.'],
  current: [Boolean, 'Whether this request uses the token of the session.'],
});
type SessionType = InstanceType<typeof SessionType>;

/** The account of the signed-in user: its sessions and its secret. */
@Resolver(() => ViewerType)
export class SessionResolver {
  @Mutation(() => ID, {
    description:
      "Changes the caller's secret, and ends all sessions of the caller at once, including this one. API tokens stay valid. Returns the user's reference. Requires a token of a sign-in.",
  })
  async changeSecret(
    @Arg('oldSecret', () => String, { description: 'The secret until now.' }) oldSecret: string,
    @Arg('newSecret', () => String, { description: SECRET }) newSecret: string,
    @DryRun('A wrong `oldSecret` counts as a failed sign-in, as without it.') dryRun: boolean,
    @Ctx() { authenticator, caller, session }: Context,
  ): Promise<string> {
    const { accountWrite, viewer } = session;
    await authenticator.assertSecret(viewer, oldSecret, caller, 'oldSecret');
    const { ref, username } = await accountWrite.users.setSecret(viewer.ref, newSecret, { field: 'newSecret', dryRun });
    if (!dryRun) session.logChange('secret-changed', { target: username });
    return ref;
  }

  @FieldResolver(() => [SessionType], {
    description: 'The sign-ins whose tokens are still good, newest first: the last 200.',
  })
  async sessions(@Ctx() { session }: Context): Promise<readonly SessionType[]> {
    const { viewer, account } = session;
    return (await account.sessions.list(viewer)).map((signIn) => toSession(signIn, viewer));
  }

  @Query(() => [SessionType], {
    description: "A user's sign-ins whose tokens are still good, newest first: the last 200. Requires the role ADMIN.",
  })
  async userSessions(
    @Arg('userRef', () => String, { description: REF }) userRef: string,
    @Ctx() { session }: Context,
  ): Promise<readonly SessionType[]> {
    const found = await session.admin.sessions.listOf(userRef);
    return found.map((signIn) => toSession(signIn, session.viewer));
  }

  @Mutation(() => ID, {
    description:
      "Ends a session of the caller: its token is rejected from then on. Returns the session's id. Requires a token of a sign-in.",
  })
  async endSession(
    @Arg('id', () => ID, { description: 'The id of the session.' }) id: string,
    @DryRun() dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<string> {
    await session.accountWrite.sessions.end(session.viewer, id, { dryRun });
    if (!dryRun) session.logChange('session-ended', { target: session.viewer.username });
    return id;
  }

  @Mutation(() => ID, {
    description:
      "Ends all sessions of a user, including this one. API tokens stay valid. Returns the user's reference. Requires a token of a sign-in.",
  })
  async endAllSessions(
    @DryRun() dryRun: boolean,
    @Ctx() { session }: Context,
    @Arg('userRef', () => String, {
      nullable: true,
      description: 'Reference of the user, by default the caller. Other users require the role ADMIN.',
    })
    userRef?: string | null,
  ): Promise<string> {
    const target = await session.accountWrite.sessions.endAll(session.viewer, userRef ?? undefined, { dryRun });
    if (!dryRun) session.logChange('sessions-ended', { target });
    return target;
  }
}

function toSession({ ref, userAgent, ...each }: SignIn, { session }: Viewer): SessionType {
  const device = userAgent === null ? null : deviceOf(userAgent);
  return { ...each, id: ref, userAgent, device, current: ref === session };
}
