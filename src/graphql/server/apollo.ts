import { ApolloServer, HeaderMap, type ApolloServerPlugin, type GraphQLResponse } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { Kind, type DocumentNode, type ExecutionResult, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';

import { shorten } from '../../errors';
import type { Context } from '../context';
import type { Documents, PreparedOperation, Refusal } from './documents';
import { httpStatusOf } from './http-handler';
import { wantsCost } from './operation-request';

/**
 * Creates the Apollo server, which handles what is specific to GraphQL over HTTP: the parameters of POST and GET, CSRF
 * prevention, and the content type and status of the response. `documents` does everything else.
 */
export async function startApollo(
  schema: GraphQLSchema,
  documents: Documents,
  log: Logger,
): Promise<ApolloServer<Context>> {
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    // Pages of other origins cannot send these headers without a preflight. A browser adds no bearer token by itself.
    csrfPrevention: { requestHeaders: ['authorization', 'apollo-require-preflight', 'x-apollo-operation-name'] },
    // serve.ts handles signals. Apollo's handlers would send the signal to the process again.
    stopOnTerminationSignals: false,
    documentStore: null,
    dangerouslyDisableValidation: true,
    logger: log,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      answersFrom(documents),
    ],
    formatError,
  });
  await apollo.start();
  return apollo;
}

/**
 * The document for an operation that does not run. Apollo finds no operation in it, and continues with the response.
 */
const NOTHING: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };

/** Takes the parsed document and the result of each request from `documents`: Apollo neither parses nor executes. */
function answersFrom(documents: Documents): ApolloServerPlugin<Context> {
  return {
    requestDidStart: () => {
      let prepared: PreparedOperation | Refusal | undefined;
      return Promise.resolve({
        didResolveSource: (requestContext) => {
          const { source: query, contextValue } = requestContext;
          const { operationName, variables, extensions } = requestContext.request;
          const request = { query, operationName, variables, wantsCost: wantsCost(extensions) };
          prepared = documents.prepare(request, contextValue);
          // Apollo parses the source only if no plugin has set the document.
          Object.assign(requestContext, { document: 'errors' in prepared ? NOTHING : prepared.document });
          return Promise.resolve();
        },
        responseForOperation: async () => {
          if (!prepared) return null;
          return responseOf('errors' in prepared ? prepared : await documents.execute(prepared));
        },
      });
    },
  };
}

function responseOf(result: ExecutionResult): GraphQLResponse {
  const { status, headers } = httpStatusOf(result);
  const { errors, ...rest } = result;
  const singleResult = errors ? { ...rest, errors: errors.map((error) => error.toJSON()) } : rest;
  return { http: { status, headers: new HeaderMap(Object.entries(headers)) }, body: { kind: 'single', singleResult } };
}

// Apollo's codes for requests whose parameters, not documents, are malformed.
const MALFORMED: readonly unknown[] = ['BAD_REQUEST', 'OPERATION_RESOLUTION_FAILURE'];

/** Converts Apollo's own errors: adds a documented code and the legacy status. */
function formatError({ message, locations, extensions = {} }: GraphQLFormattedError): GraphQLFormattedError {
  const { code } = extensions;
  if (code === 'INTERNAL_SERVER_ERROR') return { message: 'Internal server error', extensions: { code, status: 500 } };
  const documented = MALFORMED.includes(code) ? { code: 'BAD_USER_INPUT' } : {};
  return {
    message: shorten(message),
    ...(locations && { locations }),
    extensions: { ...extensions, ...documented, status: 400 },
  };
}
