import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { printSchema, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';

import type { Context } from '../context';
import type { DocumentExecutor } from './executor';
import type { KnownDocuments } from './known-documents';
import { MAX_TOKENS, parseFailure, refusalOf, rulesFor } from './limits';
import { failureError, lateStatus, withoutSuggestions, withoutValues } from './present-error';

/** Apollo: parsing, validation, limits and GraphQL over HTTP; documents are run by the executor. */
export async function startApollo(
  schema: GraphQLSchema,
  executor: DocumentExecutor,
  documents: KnownDocuments,
  discovery: boolean,
  log: Logger,
): Promise<ApolloServer<Context>> {
  const apollo = new ApolloServer<Context>({
    // Apollo takes another executor only from what it calls a gateway.
    gateway: {
      onSchemaLoadOrUpdate: (callback) => {
        callback({ apiSchema: schema, coreSupergraphSdl: printSchema(schema) });
        return () => undefined;
      },
      load: () =>
        Promise.resolve({
          // The name is the request's own, not the one that Apollo finds in a document without choice: together with
          // the text it is what known documents are found by.
          executor: ({ source, document, request: { operationName, variables = {} }, context }) =>
            // Apollo types a gateway's context loosely; it is the one that the route made.
            executor.execute({ source, document, operationName }, variables, context as Context),
        }),
      stop: () => Promise.resolve(),
    },
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // Where they may be told, the plugin below hides them from those who are not signed in.
    hideSchemaDetailsFromClientErrors: !discovery,
    persistedQueries: false,
    // Signals are main.ts's: Apollo would send the process a second one.
    stopOnTerminationSignals: false,
    documentStore: documents,
    parseOptions: { maxLexicalTokens: MAX_TOKENS },
    validationRules: [...rulesFor(discovery)],
    logger: {
      debug: (message?: string) => {
        log.debug(message);
      },
      info: (message?: string) => {
        log.info(message);
      },
      warn: (message?: string) => {
        log.warn(message);
      },
      error: (message?: string) => {
        log.error(message);
      },
    },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      limits(schema),
      statusOfLateness,
      suggestionsForUsers,
    ],
    formatError,
  });
  await apollo.start();
  return apollo;
}

function limits(schema: GraphQLSchema): ApolloServerPlugin<Context> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        didResolveOperation: ({ document, operationName, request, contextValue }) => {
          const { caller } = contextValue;
          try {
            const spend = (objects: number): void => contextValue.spend(objects);
            const refusal = refusalOf(schema, document, operationName, request.variables ?? {}, spend);
            return refusal ? Promise.reject(refusal) : Promise.resolve();
          } catch (error) {
            return Promise.reject(failureError(error, caller.requestId, caller.log));
          }
        },
      }),
  };
}

const statusOfLateness: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ response, errors }) => {
        const late = lateStatus(errors);
        if (late) response.http.status = late.status;
        for (const [name, value] of Object.entries(late?.headers ?? {})) response.http.headers.set(name, value);
        return Promise.resolve();
      },
    }),
};

const suggestionsForUsers: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ response: { body }, contextValue }) => {
        if (!contextValue.isSignedIn && body.kind === 'single' && body.singleResult.errors) {
          body.singleResult.errors = body.singleResult.errors.map((error) => ({
            ...error,
            message: withoutSuggestions(error.message),
          }));
        }
        return Promise.resolve();
      },
    }),
};

// Apollo's names for requests that are malformed around the document.
const MALFORMED = ['BAD_REQUEST', 'OPERATION_RESOLUTION_FAILURE'];

/** What the executor presented stays; Apollo's own errors get a code of ours, and the legacy status. */
function formatError({ locations, path, extensions = {}, ...error }: GraphQLFormattedError): GraphQLFormattedError {
  const isUnparsed = extensions['code'] === 'GRAPHQL_PARSE_FAILED';
  const { message, code } = isUnparsed
    ? parseFailure(error.message)
    : { message: error.message, code: extensions['code'] };
  return {
    message: withoutValues(message),
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: {
      ...extensions,
      ...(code !== undefined && { code }),
      ...(typeof code === 'string' && MALFORMED.includes(code) && { code: 'BAD_USER_INPUT' }),
      ...(extensions['status'] === undefined && { status: code === 'INTERNAL_SERVER_ERROR' ? 500 : 400 }),
    },
  };
}
