import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { ApolloServer } from '@apollo/server';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';

import { sendConsistencyToken } from '../../http/consistency-token';
import type { Context } from '../context';
import type { Documents } from './documents';
import { httpStatusOf } from './http-status';
import { SchemaAnswers } from './introspection';
import { documentIn, plainOperationIn } from './operation-request';
import { chargeResponse } from './response-size';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Handles GraphQL over HTTP. Responds to introspection from a cache, and executes compiled operations directly. Apollo
 * handles all other requests.
 */
export function httpHandler(
  documents: Documents,
  apollo: ApolloServer<Context>,
  contextOf: (request: FastifyRequest) => Context,
): RouteHandlerMethod {
  const answers = new SchemaAnswers();
  const throughApollo = fastifyApolloHandler(apollo, { context: (request) => Promise.resolve(contextOf(request)) });
  return async function (request, reply) {
    reply.header('cache-control', 'no-store');
    const plain = plainOperationIn(request);
    const compiled = plain && documents.compiledOf(plain);
    if (compiled) {
      const context = contextOf(request);
      const result = await documents.answer(plain, compiled, context);
      if (context.isSignedIn) sendConsistencyToken(reply, context.session.read.consistency);
      const { status, headers } = httpStatusOf(result);
      reply.code(status).headers(headers).header('content-type', JSON_TYPE);
      return send(request, reply, JSON.stringify(result), context);
    }
    const schemaKey = plain && answers.keyOf(plain);
    const answer = schemaKey === undefined ? undefined : answers.find(schemaKey, request, reply);
    if (answer) return reply.header('content-type', JSON_TYPE).send(answer);
    const body: unknown = await throughApollo.call(this, request, reply);
    const context = contextOf(request);
    if (context.isSignedIn) sendConsistencyToken(reply, context.session.read.consistency);
    if (schemaKey !== undefined && typeof body === 'string' && reply.statusCode === 200)
      await answers.keep(schemaKey, body);
    return typeof body === 'string' ? send(request, reply, body, context) : body;
  };
}

/**
 * Charges for a response. Compresses all responses except those of mutations, which may contain a token (see
 * http/compression.ts).
 */
function send(request: FastifyRequest, reply: FastifyReply, body: string, context: Context): FastifyReply {
  const tooLarge = chargeResponse(body, context);
  if (tooLarge !== undefined) return reply.code(400).send(tooLarge);
  // Mutations are rejected over GET.
  const query = documentIn(request);
  const holdsNoSecret = request.method === 'GET' || (query !== '' && !/\bmutation\b/.test(query));
  if (!holdsNoSecret) return reply.send(body);
  reply.compress(body);
  return reply;
}
