import type { GraphQLResolveInfo } from 'graphql';
import type { Logger } from 'pino';

import type { TrustedDocuments } from '../auth/trusted-documents';
import type { Channel } from '../changes/actor';
import { UnauthenticatedError } from '../errors';
import type { Permit } from '../limits/admission';
import { CHARACTERS_PER_OBJECT } from '../limits/budgets';
import type { RequestSpan } from '../limits/tracer';
import type { GivenKey } from '../resources/write/idempotency-key';
import type { TransportAccess } from '../session/access';
import type { Session } from '../session/session';

/** A connection that outlives a request: a WebSocket or an event stream. */
export interface ClientConnection {
  readonly token: string | undefined;
  /** Aborted when the token is no longer valid. */
  readonly ended?: AbortSignal | undefined;
  /** Closes the connection immediately. */
  readonly cut: () => void;
}

/** What the transport knows about the sender of a request. */
export interface Caller extends Partial<ClientConnection> {
  readonly token: string | undefined;
  /** The network address, for limits. */
  readonly address: string;
  readonly requestId: string;
  /** Undefined if the request is not traced. */
  readonly span?: RequestSpan | undefined;
  /** The header Idempotency-Key. */
  readonly idempotencyKey?: string | undefined;
  /** The header Sipgraph-After: the consistency token of a write that reads must see. */
  readonly consistencyToken?: string | undefined;
  readonly channel: Channel;
  /** The header User-Agent. */
  readonly userAgent?: string | undefined;
  readonly log: Logger;
}

/** Used instead of a session for a caller without a valid token. */
interface NoSession {
  readonly refusal: UnauthenticatedError;
  readonly spend: (work: number) => void;
}

/** The objects that count as one request of a caller without a valid token. */
const WORK_PER_REQUEST = 40;

/**
 * The objects of an event that are free of charge, and whose text is free in any response: enough for a resource, a
 * registration or a contact.
 */
export const FREE_OBJECTS = 20;

/** Maximum number of objects in the lists of a response. A thousand take up to 50 ms, with their links. */
export const MAX_LISTED = 20_000;

type Nodes = GraphQLResolveInfo['fieldNodes'];

const EXPLAINED_AT_ONCE = 4;

/** The GraphQL context of one request. */
export class Context {
  private readonly made = new Map<Nodes, unknown>();
  private creates = 0;
  /** Objects that are charged, and whose text is not sent yet. */
  private prepaid = 0;
  /** Objects in the lists of the response. */
  private listed = 0;
  /** The explanations that have begun, each after the one before it in its row. */
  private readonly explanations: Promise<unknown>[] = [];
  private explained = 0;

  constructor(
    private readonly opened: Session | NoSession,
    readonly authenticator: TransportAccess['authenticator'],
    readonly caller: Caller,
  ) {}

  /** The services for the user. Throws UnauthenticatedError if the request has no valid token. */
  get session(): Session {
    if ('refusal' in this.opened) throw this.opened.refusal;
    return this.opened;
  }

  /** Whether the request has a valid token. */
  get isSignedIn(): boolean {
    return !('refusal' in this.opened);
  }

  /** The permit of the request. Undefined without a valid token, because signing in needs no place. */
  get permit(): Permit | undefined {
    return 'refusal' in this.opened ? undefined : this.opened.permit;
  }

  /** Why there is no session; undefined if there is one. */
  get refusal(): UnauthenticatedError | undefined {
    return 'refusal' in this.opened ? this.opened.refusal : undefined;
  }

  /** The only documents that the caller may send. Undefined if there are no such limits. */
  get documents(): TrustedDocuments | undefined {
    return 'refusal' in this.opened ? undefined : this.opened.viewer.apiToken?.documents;
  }

  /** Throws ForbiddenError for a document that the caller's API token may not send. */
  assertListed(document: string): void {
    if (!('refusal' in this.opened)) this.opened.assertListed(document);
  }

  /** Returns the idempotency key of the next create of this request, if the caller sent one. */
  nextKey(): GivenKey | undefined {
    const { idempotencyKey: text } = this.caller;
    return text === undefined ? undefined : { user: this.session.viewer.ref, text, index: this.creates++ };
  }

  /** Charges the caller's budget for a number of objects. Throws RateLimitedError. */
  spend(work: number): void {
    this.opened.spend(work);
    this.prepaid += work;
  }

  /** Lets responses have the text of a number of objects that another context has charged. */
  prepay(objects: number): void {
    this.prepaid += objects;
  }

  /** Charges for the body of a request before it is parsed, as far as it is longer than that of most. Throws RateLimitedError. */
  chargeBody(bytes: number): void {
    const objects = Math.floor(bytes / CHARACTERS_PER_OBJECT) - FREE_OBJECTS;
    if (objects > 0 && this.isSignedIn) this.session.spend(objects);
  }

  /** Charges for the text of a response, as far as it is longer than that of the objects that were charged. */
  chargeAnswer(characters: number): void {
    const objects = Math.floor(characters / CHARACTERS_PER_OBJECT) - FREE_OBJECTS;
    if (objects <= 0 || !this.isSignedIn) return;
    const paid = Math.min(objects, this.prepaid);
    this.prepaid -= paid;
    this.session.owe(objects - paid);
  }

  /**
   * Explains a few things at a time, because each takes many statements: those of others need not wait until all of this
   * request have had their turn. Those that run together share what they read.
   */
  explain<T>(work: () => Promise<T>): Promise<T> {
    const row = this.explained++ % EXPLAINED_AT_ONCE;
    const explanation = (this.explanations[row] ?? Promise.resolve()).then(work);
    this.explanations[row] = explanation.catch(() => undefined);
    return explanation;
  }

  /** Counts the objects of a list. Returns whether the response may contain them. Charges for a response that is too long. */
  countListed(objects: number): boolean {
    const before = this.listed;
    this.listed += objects;
    if (this.listed <= MAX_LISTED) return true;
    if (before <= MAX_LISTED && this.isSignedIn) this.session.owe(MAX_LISTED);
    return false;
  }

  /** Whether lists of the response were emptied. */
  get hasEmptiedLists(): boolean {
    return this.listed > MAX_LISTED;
  }

  /** Returns a context with the same caller and session, but without the data that was loaded for this request. */
  withoutLoaded(): Context {
    return new Context(this.opened, this.authenticator, this.caller);
  }

  /**
   * Returns the value of `make`, such as a loader, which is called once for each field of the document in this request.
   */
  once<T>({ fieldNodes }: GraphQLResolveInfo, make: () => T): T {
    // fieldNodes is the same array for all objects of a list, so these objects share a loader.
    const cached = this.made.get(fieldNodes);
    if (cached !== undefined) return cached as T; // created by the resolver of the same field
    const value = make();
    this.made.set(fieldNodes, value);
    return value;
  }
}

/**
 * Creates the context of a request. Without a valid token, reading `session` of the context throws. Without a permit,
 * the request first waits for a place, and the caller of this function must close the permit of the context. Throws
 * RateLimitedError if the caller has exceeded a budget, UnavailableError if the database is down, and OverloadedError.
 */
export async function createContext(transport: TransportAccess, caller: Caller, permit?: Permit): Promise<Context> {
  const { access } = transport;
  const opened = await (permit ? access.open(caller, permit, true) : access.enter(caller, true)).catch(
    (refusal: unknown) => {
      if (!(refusal instanceof UnauthenticatedError)) throw refusal;
      const spend = (work: number): void => access.admit(caller, Math.floor(work / WORK_PER_REQUEST));
      return { refusal, spend };
    },
  );
  return new Context(opened, transport.authenticator, caller);
}
