import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { InvalidInputError, quote } from '../../errors';
import { acceptJson } from '../../http/json-bodies';
import { closeWithResponse } from '../../http/request-permit';
import { cookieOf, cookieToken, newSessionId, sessionIn } from '../../http/session-cookie';
import type { TransportAccess } from '../../session/access';
import { MAX_PUBLIC_BODY } from './admission';
import { callerOf, sendFailure } from './routes';

/**
 * Signs browsers in and out at /graphql/session. The token of the session is in a cookie that pages cannot read, that
 * browsers send only to /graphql, and that counts only for requests which name the session (http/session-cookie.ts).
 */
export function registerSessions(http: FastifyInstance, { access, authenticator }: TransportAccess): void {
  acceptJson(http);
  http.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply));
  http.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
  http.post('/graphql/session', { bodyLimit: MAX_PUBLIC_BODY }, async (request, reply) => {
    const caller = callerOf(request, undefined);
    access.admit(caller);
    const origin = originOf(request);
    const { username, secret } = credentialsIn(request.body);
    const { token, expiresOn, viewer } = await authenticator.signIn(username, secret, caller);
    const expiresIn = Math.floor((expiresOn - Date.now()) / 1000);
    forget(request, reply);
    const id = newSessionId();
    reply.header('set-cookie', cookieOf(id, origin, token, expiresIn));
    return { data: { id, username: viewer.username, role: viewer.role.toUpperCase(), expiresIn } };
  });
  http.delete('/graphql/session', { bodyLimit: MAX_PUBLIC_BODY }, async (request, reply) => {
    // First, because the cookie is of no use either if the session has ended, or cannot be ended.
    forget(request, reply);
    const session = await access.enter(callerOf(request, cookieToken(request.headers)));
    closeWithResponse(session.permit, request, reply);
    const { viewer } = session;
    if (viewer.session !== undefined) await session.accountWrite.sessions.end(viewer, viewer.session);
    session.logChange('session-ended', { target: viewer.username });
    return { data: { id: sessionIn(request.headers) } };
  });
}

/** Removes the cookie of the session that the request names: that of a sign-out, or before another sign-in. */
function forget({ headers }: FastifyRequest, reply: FastifyReply): void {
  const session = sessionIn(headers);
  if (session !== undefined && headers.origin !== undefined)
    reply.header('set-cookie', cookieOf(session, headers.origin, '', 0));
}

/** The origin of the page. Browsers send it with every POST; `null` is that of any page without one. */
function originOf({ headers: { origin } }: FastifyRequest): string {
  if (origin === undefined || origin === 'null')
    throw InvalidInputError.of('Origin', `${quote(origin ?? '')} is not the origin of a page`);
  return origin;
}

function credentialsIn(body: unknown): { readonly username: string; readonly secret: string } {
  const { username, secret } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof username !== 'string') throw InvalidInputError.of('username', 'must be a string');
  if (typeof secret !== 'string') throw InvalidInputError.of('secret', 'must be a string');
  return { username, secret };
}
