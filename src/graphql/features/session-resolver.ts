import { Arg, Ctx, Field, FieldResolver, GraphQLISODateTime, ID, Mutation, ObjectType, Resolver } from 'type-graphql';

import type { Context } from '../context';
import { ViewerType } from './account-types';

@ObjectType('Session', {
  simpleResolvers: true,
  description: 'A sign-in with name and secret whose token is still good.',
})
class SessionType {
  @Field(() => ID, { description: 'Identifies the session for endSession.' })
  id!: string;

  @Field(() => String, { description: 'The address from which the user signed in.' })
  address!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the user signed in.' })
  createdOn!: number;

  @Field(() => GraphQLISODateTime, { description: 'When the token expires.' })
  expiresOn!: number;

  @Field(() => Boolean, { description: 'Whether this request uses the token of the session.' })
  current!: boolean;
}

/** The sessions of the signed-in user. */
@Resolver(() => ViewerType)
export class SessionResolver {
  @FieldResolver(() => [SessionType], {
    description: 'The sign-ins whose tokens are still good, newest first: the last 200.',
  })
  async sessions(@Ctx() { session }: Context): Promise<readonly SessionType[]> {
    const { viewer, account } = session;
    const found = await account.sessions.list(viewer);
    return found.map(({ ref, ...each }) => ({ ...each, id: ref, current: ref === viewer.session }));
  }

  @Mutation(() => ID, {
    description:
      "Ends a session of the caller: its token is rejected from then on. Returns the session's id. Requires a token of a sign-in.",
  })
  async endSession(
    @Arg('id', () => ID, { description: 'The id of the session.' }) id: string,
    @Ctx() { session }: Context,
  ): Promise<string> {
    await session.accountWrite.sessions.end(session.viewer, id);
    session.changed('session-ended', { target: session.viewer.username });
    return id;
  }

  @Mutation(() => ID, {
    description:
      "Ends all sessions of a user, including this one. API tokens stay valid. Returns the user's reference. Requires a token of a sign-in.",
  })
  async endAllSessions(
    @Ctx() { session }: Context,
    @Arg('userRef', () => String, {
      nullable: true,
      description: 'Reference of the user, by default the caller. Other users require the role ADMIN.',
    })
    userRef?: string | null,
  ): Promise<string> {
    const target = await session.accountWrite.sessions.endAll(session.viewer, userRef ?? undefined);
    session.changed('sessions-ended', { target });
    return target;
  }
}
