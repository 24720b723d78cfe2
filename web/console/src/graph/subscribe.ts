import { createClient, type Client } from 'graphql-ws/client';

import type { ReportedError } from '../../../shared/request';
import { credentialsOf, isSame, type Session } from '../../../shared/session';
import { GraphError } from './graph-error';
import { serverUrl, type Variables } from './post';
import { pause } from './retries';
import { endSession, readRole, signedIn } from './session';

/** The code with which the server closes a connection whose token is not valid, or has another role. */
const FORBIDDEN = 4403;
// Milliseconds before the first and between later attempts to connect again.
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

/** Data of a subscription: its root field, which may have a cursor. */
type Event = Readonly<Record<string, { readonly cursor?: string }>>;

/** How a subscription starts and what it tells. */
interface SubscribeOptions {
  /** The cursor after which the stream starts, for example that of the query `changeCursor`. */
  readonly since?: string | undefined;
  /**
   * Called when events may be missing: the stream was interrupted and has no cursor, or the server no longer has the
   * events after it. Read the current state again.
   */
  readonly onGap?: () => void;
  /** Called with false when the stream is interrupted, and with true when it runs again. */
  readonly onConnected?: (connected: boolean) => void;
}

/**
 * Calls `onNext` with the data of each event, until the returned function is called. The stream survives interruptions:
 * it connects again, waits for the user if the token is no longer valid, and resumes after the last event if the
 * document selects `cursor` and declares `$since: String`.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows the data of its document
export function subscribe<Data>(
  query: string,
  variables: Variables,
  onNext: (data: Data) => void,
  { since, onGap, onConnected }: SubscribeOptions = {},
): () => void {
  const stop = new AbortController();
  const stopped = stop.signal;
  const isStopped = (): boolean => stopped.aborted;
  const resumes = query.includes('$since');
  let cursor = since;
  let wait = FIRST_WAIT;

  const take = (data: Data): void => {
    // The first root field is the only one of a subscription.
    const [event] = Object.values(data as Event);
    cursor = event?.cursor ?? cursor;
    wait = FIRST_WAIT;
    onNext(data);
  };

  const run = async (): Promise<void> => {
    for (let attempt = 0; !isStopped(); attempt++) {
      const session = await signedIn();
      // An aborted subscription must not open the connection again.
      if (isStopped()) return;
      const parameters = resumes ? { ...variables, since: cursor } : variables;
      const onStart = (): void => {
        onConnected?.(true);
        if (attempt > 0 && (!resumes || cursor === undefined)) onGap?.();
      };
      const failure = await stream<Data>(
        connectionOf(session),
        { query, variables: parameters },
        take,
        onStart,
        stopped,
      );
      if (isStopped()) return;
      onConnected?.(false);
      if (isRefusal(failure) && (await isInvalid(session))) endSession(session);
      else if (failure instanceof GraphError && failure.code === 'CURSOR_GONE') {
        cursor = undefined;
      } else {
        await pause(wait * (0.5 + Math.random()), stopped);
        wait = Math.min(wait * 2, LONGEST_WAIT);
      }
    }
  };
  void run();
  return () => stop.abort();
}

/** Delivers one stream until it ends, and resolves to the reason. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as in subscribe
async function stream<Data>(
  { client, isOpen }: Connection,
  document: { readonly query: string; readonly variables: Variables },
  onNext: (data: Data) => void,
  onStart: () => void,
  stopped: AbortSignal,
): Promise<unknown> {
  const forgets: (() => void)[] = [];
  return new Promise<unknown>((resolve) => {
    if (isOpen) onStart();
    else forgets.push(client.on('connected', onStart));
    const end = client.subscribe<Data>(document, {
      next: ({ data, errors }) => {
        if (errors) resolve(toGraphError(errors));
        else if (data !== undefined && data !== null) onNext(data);
      },
      error: (error) => resolve(Array.isArray(error) ? toGraphError(error) : error),
      complete: () => resolve(undefined),
    });
    const leave = (): void => {
      end();
      resolve(undefined);
    };
    stopped.addEventListener('abort', leave);
    forgets.push(() => stopped.removeEventListener('abort', leave));
  }).finally(() => {
    for (const forget of forgets) forget();
  });
}

function toGraphError(errors: readonly object[]): GraphError {
  return new GraphError(errors as readonly ReportedError[]); // graphql-ws passes on what the server sent
}

/** Whether the server no longer accepts a session. It closes connections also when the role of the user changes. */
async function isInvalid(session: Session): Promise<boolean> {
  try {
    await readRole(session);
    return false;
  } catch (error) {
    return error instanceof GraphError && error.code === 'UNAUTHENTICATED';
  }
}

function isRefusal(failure: unknown): boolean {
  if (failure instanceof GraphError) return failure.code === 'UNAUTHENTICATED';
  return typeof failure === 'object' && failure !== null && 'code' in failure && failure.code === FORBIDDEN;
}

// Milliseconds between two tests of the connection, and for the response.
const TEST_AFTER = 15_000;
const TEST_LIMIT = 5000;

/** The connection of all subscriptions with a session. It opens with the first and closes after the last. */
interface Connection {
  readonly session: Session;
  readonly client: Client;
  isOpen: boolean;
}

let shared: Connection | undefined;

/** Returns the connection with a session. It is opened when it is used. */
function connectionOf(session: Session): Connection {
  if (shared && isSame(shared.session, session)) return shared;
  const client = createClient({
    url: serverUrl('graphql').replace(/^http/, 'ws'),
    connectionParams: credentialsOf(session),
    retryAttempts: 0,
    keepAlive: TEST_AFTER,
  });
  const connection: Connection = { session, client, isOpen: false };
  client.on('connected', () => (connection.isOpen = true));
  let limit: ReturnType<typeof setTimeout> | undefined;
  // A network that fails without closing the connection is noticed by the missing response only.
  client.on('ping', (isReceived) => {
    if (!isReceived) limit = setTimeout(() => client.terminate(), TEST_LIMIT);
  });
  client.on('pong', () => clearTimeout(limit));
  client.on('closed', () => {
    clearTimeout(limit);
    connection.isOpen = false;
  });
  return (shared = connection);
}
