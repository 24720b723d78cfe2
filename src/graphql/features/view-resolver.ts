import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';

import { MAX_CONTENT, MAX_VIEWS, type View } from '../../auth/view-service';
import type { Context } from '../context';
import { DryRun } from '../schema/dry-run';
import { argsOf, objectOf } from '../schema/type-tables';

const ViewType = objectOf('View', 'A view of a list that its user has saved: filter, order and columns under a name.', {
  ref: [String, 'Reference of the view.'],
  list: [String, 'The list, such as `dids`.'],
  name: [String, 'Name of the view.'],
  content: [String, 'What the list shows, as the client that saved the view wrote it.'],
});

const SaveViewArgs = argsOf({
  list: [String, 'The list, such as `dids`: 1 to 40 letters, digits or hyphens.'],
  name: [String, 'Name: 1 to 60 characters.'],
  content: [String, `What the list shows: at most ${String(MAX_CONTENT)} bytes.`],
});
type SaveViewArgs = InstanceType<typeof SaveViewArgs>;

const OWN = 'Requires a token of a sign-in.';

/** The views of lists that the caller has saved. */
@Resolver()
export class ViewResolver {
  @Query(() => [ViewType], { description: "The caller's views of lists, by list and name." })
  views(@Ctx() { session }: Context): Promise<readonly View[]> {
    return session.account.views.of(session.viewer.ref);
  }

  @Mutation(() => ViewType, {
    description: `Saves a view of a list for the caller, at most ${String(MAX_VIEWS)}. It replaces the view of the same list and name. ${OWN}`,
  })
  saveView(
    @Args(() => SaveViewArgs) { list, name, content }: SaveViewArgs,
    @DryRun('Return what the view would be.') dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<View> {
    return session.accountWrite.views.save(session.viewer.ref, { list, name, content }, { dryRun });
  }

  @Mutation(() => ID, { description: `Deletes a view of the caller, and returns its reference. ${OWN}` })
  async deleteView(
    @Arg('ref', () => String, { description: 'Reference of the view.' }) ref: string,
    @DryRun() dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<string> {
    await session.accountWrite.views.delete(session.viewer.ref, ref, { dryRun });
    return ref;
  }
}
