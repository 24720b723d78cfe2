import '@fastify/swagger-ui/static/swagger-ui.css';
import '@fastify/swagger-ui/static/index.css';
import './header.css';

import SwaggerUI from '@fastify/swagger-ui/static/swagger-ui-bundle.js';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

import {
  credentialsOf,
  endSessionOnServer,
  forgetSession,
  isShared,
  loadSession,
  saveSession,
  type Session,
} from '../shared/session';
import { readNamed, withNamed } from './documents';
import { Header } from './header';

const ROOT = new URL('../', import.meta.url);

/** The session of this tab. The REST API does not accept the cookie that the tabs of a browser share. */
function sessionOfTab(): Session | undefined {
  const session = loadSession(ROOT);
  return session && !isShared(session) ? session : undefined;
}

interface Request {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** Sends the token of the session with a request that has no other credentials. */
function withToken(request: Request): Request {
  const { searchParams } = new URL(request.url, ROOT);
  const hasOther =
    searchParams.has('token') || Object.keys(request.headers).some((name) => /^authorization$/i.test(name));
  return hasOther ? request : { ...request, headers: { ...credentialsOf(sessionOfTab()), ...request.headers } };
}

let shown: ReturnType<typeof SwaggerUI> | undefined;

/**
 * Shows the operations. Examples name what exists on this server, if the reader is signed in. What the reader has opened or typed stays.
 * Does nothing if it is `stopped` meanwhile.
 */
async function showOperations(session: Session | undefined, stopped: AbortSignal): Promise<void> {
  const named = session ? await readNamed(credentialsOf(session)).catch(() => undefined) : undefined;
  const text = await (await fetch('openapi.json')).text();
  if (stopped.aborted) return;
  const spec = withNamed(text, named ?? new Map());
  if (shown) {
    shown.specActions.updateSpec(JSON.stringify(spec));
    return;
  }
  shown = SwaggerUI({
    dom_id: '#swagger-ui',
    spec,
    url: 'openapi.json',
    deepLinking: true,
    validatorUrl: null,
    requestInterceptor: withToken,
  });
}

function Head() {
  const [session, setSession] = useState(sessionOfTab);
  useEffect(() => {
    const stop = new AbortController();
    void showOperations(session, stop.signal);
    return () => stop.abort();
  }, [session]);
  return (
    <Header
      here="docs"
      session={session}
      hint="Sign in to try the operations. A session of the console is not used here: it is a cookie, which the REST API does not accept."
      onSignedIn={(next) => {
        saveSession(ROOT, next);
        setSession(next);
      }}
      onSignOut={(ended) => {
        forgetSession(ROOT, ended, false);
        setSession(undefined);
        void endSessionOnServer('graphql', ended);
      }}
    />
  );
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const head = document.getElementById('head');
if (head) createRoot(head).render(<Head />);
