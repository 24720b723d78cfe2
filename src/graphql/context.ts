import type { GraphQLResolveInfo } from 'graphql';
import type { Logger } from 'pino';

import { UnauthenticatedError } from '../errors';
import type { AppSession, Entrance } from '../services';

/** What the transport knows of a request. */
export interface Caller {
  readonly token: string | undefined;
  /** The network address, for the limit of failed sign-ins. */
  readonly address: string;
  readonly requestId: string;
  readonly log: Logger;
  /** Aborted when the caller's token is not good any more; where the connection outlives a request. */
  readonly ended?: AbortSignal | undefined;
  /** Ends such a connection at once. */
  readonly cut?: () => void;
}

/** A caller without a valid token. */
interface Unopened {
  readonly refusal: UnauthenticatedError;
  readonly spend: (work: number) => void;
}

/** Objects that cost a caller without a valid token as much as a request does. */
const WORK_PER_REQUEST = 40;

type Nodes = GraphQLResolveInfo['fieldNodes'];

/** What resolvers are given for one request. */
export class Context {
  private readonly made = new Map<Nodes, unknown>();

  constructor(
    private readonly opened: AppSession | Unopened,
    readonly authenticator: Entrance['authenticator'],
    readonly caller: Caller,
  ) {}

  /** The services, for the user whose token came with the request; throws UnauthenticatedError without a valid one. */
  get session(): AppSession {
    if ('refusal' in this.opened) throw this.opened.refusal;
    return this.opened;
  }

  /** Whether a valid token came with the request. */
  get isSignedIn(): boolean {
    return !('refusal' in this.opened);
  }

  /** Why there is no session, where no valid token came with the request. */
  get refusal(): UnauthenticatedError | undefined {
    return 'refusal' in this.opened ? this.opened.refusal : undefined;
  }

  /** Takes from the caller's budget what an operation costs, in objects; throws RateLimitedError. */
  spend(work: number): void {
    this.opened.spend(work);
  }

  /** The same caller and session, with nothing loaded. */
  anew(): Context {
    return new Context(this.opened, this.authenticator, this.caller);
  }

  /** What is made once for a field of this request, such as its loader. */
  once<T>({ fieldNodes }: GraphQLResolveInfo, make: () => T): T {
    // The nodes of a field are the same array for all objects of a list, which is what a loader has to be shared by.
    const known = this.made.get(fieldNodes);
    if (known !== undefined) return known as T; // made by this field's own resolver
    const value = make();
    this.made.set(fieldNodes, value);
    return value;
  }
}

/**
 * Opens the session of a request. Without a valid token there is a context all the same, whose `session` throws; without
 * a database there is none.
 */
export async function createContext(entrance: Entrance, caller: Caller): Promise<Context> {
  const opened = await entrance.access.open(caller).catch((refusal: unknown) => {
    if (!(refusal instanceof UnauthenticatedError)) throw refusal;
    const spend = (work: number): void => entrance.access.admit(caller, Math.floor(work / WORK_PER_REQUEST));
    return { refusal, spend };
  });
  return new Context(opened, entrance.authenticator, caller);
}
