import { join } from 'node:path';

import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import type { AdminSetup } from '../auth/ensure-admin';
import type { Config } from '../config/config';
import type { Database } from '../database/database';
import { openDatabase } from '../database/open';
import { graphSchema } from '../graphql/schema';
import { registerGraphql } from '../graphql/server/routes';
import { registerSessions } from '../graphql/server/session-routes';
import { BACKLOG } from '../http/accept-first';
import { registerCompression } from '../http/compression';
import { drainBeforeClose } from '../http/drain';
import { registerExports } from '../http/exports';
import { refuseOverload } from '../http/overload';
import { registerHome, registerOpenApi, registerPages } from '../http/pages';
import { registerProbes } from '../http/probes';
import { httpOptions, registerCommon } from '../http/server';
import { traceRequests } from '../http/tracing';
import { callerAddress } from '../limits/addresses';
import type { Tracer } from '../limits/tracer';
import { createLogger } from '../log';
import type { KindClass } from '../model/kind';
import { kinds as sipKinds } from '../model/kinds';
import { modelOf, type Model } from '../model/model';
import { Health } from '../monitoring/health';
import type * as OpenTelemetry from '../monitoring/open-telemetry';
import { API_PATH } from '../monitoring/system-info';
import { answerClientError, answerFrameworkError, answerNotFound } from '../rest/failures';
import { openApiDocument } from '../rest/openapi';
import { registerRest } from '../rest/routes';
import { createServices, type Timings } from './composition';
import { prepareDatabase } from './start';

/** The application, ready to listen. */
export interface App {
  readonly http: FastifyInstance;
  /** What startup did with the user `admin`, if anything; contains the secret in clear text if it was generated. */
  readonly admin: AdminSetup | undefined;
  /** Starts listening, and resolves to the base URL. */
  listen(): Promise<string>;
  /** Shuts down gracefully: finishes requests in flight, then closes the database. */
  close(): Promise<void>;
}

/** The options of `createApp` other than the configuration. */
export interface AppOptions {
  readonly log?: Logger | undefined;
  /** Aborts the wait for a database server that cannot be reached. */
  readonly signal?: AbortSignal | undefined;
  /** The kinds of resources to serve, by default those of kinds.ts, which the SIP features require. */
  readonly kinds?: readonly KindClass[];
  readonly timings?: Timings;
}

/** Builds the application. Throws if a kind is declared incorrectly, or the database cannot be opened or prepared. */
export async function createApp(
  config: Config,
  { log = createLogger(config), signal, kinds = sipKinds, timings }: AppOptions = {},
): Promise<App> {
  const model = modelOf(kinds);
  const tracer = config.traces && openTelemetry().createTracer(config.traces, config.version);
  const database = await openDatabase(config.database, {
    mustExist: !config.migrate,
    log,
    wait: { signal },
    replicas: true,
  });
  try {
    const admin = await prepareDatabase(database, config, model);
    const http = await createHttp(config, log, database, model, tracer, timings);
    return {
      http,
      admin,
      listen: () => http.listen({ host: config.host, port: config.port, backlog: BACKLOG }),
      close: () => http.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function createHttp(
  config: Config,
  log: Logger,
  database: Database,
  model: Model,
  tracer?: Tracer,
  timings?: Timings,
): Promise<FastifyInstance> {
  const {
    transport,
    admission,
    changes,
    close: closeServices,
    events,
    exportFiles,
    metrics,
    sipServer,
  } = createServices(config, log, database, model, timings);
  const rest = {
    kinds: model.kinds,
    maxItemsPerPage: config.maxItemsPerPage,
    hideSecrets: config.restHideSecrets,
    profile: config.restProfile,
    numericStatus: config.restNumericStatus,
    provider: database.product,
  };

  const http = Fastify({
    ...httpOptions(config, log),
    frameworkErrors: answerFrameworkError(rest),
    clientErrorHandler: answerClientError(rest),
  });
  registerCommon(http, config, metrics);
  const drain = drainBeforeClose(http, config.drain);
  // Bodies are parsed only where a route's scope adds a parser.
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', (_request, _body, done) => done(null));
  if (tracer) traceRequests(http, tracer);
  refuseOverload(http, config.overload);
  http.setNotFoundHandler(answerNotFound(rest));
  http.addHook('onClose', async () => {
    admission.close();
    events.flush();
    await Promise.all([changes.close(), closeServices()]);
    await database.close();
  });
  await registerCompression(http);
  registerProbes(http, transport, new Health(database, { drain, sipServer, readOnly: config.readOnly }));
  registerExports(http, exportFiles, transport);
  await http.register((scope) => registerRest(scope, transport, rest, config.corsOrigins), { prefix: API_PATH });
  await http.register((scope) =>
    registerGraphql(scope, transport, {
      schema: graphSchema(model),
      page: config.playground ? 'playground' : undefined,
      origins: config.corsOrigins,
      maxPayload: config.bodyLimit,
      addressOf: (request) => callerAddress(request, config.trustProxy),
      discovery: config.discovery,
      sessions: config.console,
    }),
  );
  if (config.console) await http.register((scope) => registerSessions(scope, transport));
  await registerBrowserPages(http, config, openApiDocument(rest, config.version));
  return http;
}

/** Serves what browsers open: the console, the playground and the documentation. */
async function registerBrowserPages(http: FastifyInstance, config: Config, openApi: object): Promise<void> {
  const built = join(__dirname, '..', '..', 'dist');
  const home = config.console ? 'console' : config.playground ? 'playground' : 'docs';
  if (config.console || config.discovery) registerHome(http, home);
  if (config.console) {
    await http.register(registerPages, {
      directory: join(built, 'console'),
      pages: { '/console': 'index.html', '/console/*': 'index.html' },
      assets: '/console/assets/',
    });
  }
  if (!config.discovery) return;
  registerOpenApi(http, openApi);
  await http.register(registerPages, {
    directory: join(built, 'playground'),
    pages: { ...(config.playground && { '/playground': 'index.html' }), '/docs': 'docs.html' },
    assets: '/assets/',
  });
}

/** Loads the SDK of OpenTelemetry, which takes memory and time. */
function openTelemetry(): typeof OpenTelemetry {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only if traces are configured
  return require('../monitoring/open-telemetry') as typeof OpenTelemetry;
}
