import type { Actor } from '../changes/actor';
import { noteChange } from '../changes/outbox';
import type { ReadsAndWrites } from '../database/database';
import { ForbiddenError, NotFoundError, NotSupportedError } from '../errors';
import { lockOwner } from './api-token-store';
import { MAX_ENDED, withEnded } from './ended-sign-ins';
import type { KeyRing } from './key-ring';
import type { Viewer } from './role';
import { endAllSignIns, endSignIn, endedSignIns, signInOf, signInsOf, type SignIn } from './sign-in-store';
import { USER_KIND } from './user-store';

/** Lists and ends the sign-ins of a user. */
export class SessionService {
  constructor(
    private readonly database: ReadsAndWrites,
    private readonly keys: KeyRing,
    /** Who makes the changes, for the journal. */
    private readonly actor: Actor,
  ) {}

  /** The viewer's sign-ins whose tokens are still good, newest first. */
  async list({ ref }: Viewer): Promise<readonly SignIn[]> {
    const found = await signInsOf(this.database, ref, this.database.clock);
    const kids = [...new Set(found.map(({ kid }) => kid))];
    const isKnown = new Map(await Promise.all(kids.map(async (kid) => [kid, await this.keys.byId(kid)] as const)));
    return found.filter(({ kid }) => isKnown.get(kid) !== undefined);
  }

  /**
   * Ends a sign-in of the viewer: its token is rejected from the next request on. Throws NotFoundError, and
   * NotSupportedError if too many tokens that have not expired were ended one by one.
   */
  async end(viewer: Viewer, ref: string): Promise<void> {
    const { clock } = this.database;
    await this.database.transaction(async (transaction) => {
      await lockOwner(transaction, viewer.ref);
      const found = await signInOf(transaction, viewer.ref, ref);
      if (!found) throw new NotFoundError('Session', ref, 'id');
      const { ended, now } = await endedSignIns(transaction, viewer.ref, clock);
      const all = withEnded(ended, found, now);
      if (all === undefined)
        throw new NotSupportedError(`${String(MAX_ENDED)} sessions were ended one by one: end all of them`);
      await endSignIn(transaction, viewer.ref, ref, all);
      const { address } = found;
      const details = { before: { session: ref, address } };
      noteChange(transaction, { ...this.entry(viewer.ref), event: 'SESSION_ENDED', details });
    });
  }

  /**
   * Ends all sign-ins of a user, by default the viewer, also those that are not listed. Throws ForbiddenError for
   * another user unless the viewer is an admin, and NotFoundError.
   */
  async endAll(viewer: Viewer, userRef: string = viewer.ref): Promise<string> {
    if (userRef !== viewer.ref && viewer.role !== 'admin')
      throw new ForbiddenError(`The sessions of other users require the role admin; your role is ${viewer.role}`);
    await this.database.transaction(async (transaction) => {
      if (!(await endAllSignIns(transaction, userRef))) throw new NotFoundError('User', userRef, 'userRef');
      noteChange(transaction, { ...this.entry(userRef), event: 'SESSIONS_ENDED', details: {} });
    });
    return userRef;
  }

  private entry(ref: string) {
    return { kind: USER_KIND, ref, actor: this.actor };
  }
}
