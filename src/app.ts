import { join } from 'node:path';

import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import { Access } from './auth/access';
import { Authenticator } from './auth/authenticator';
import type { AdminSetup } from './auth/ensure-admin';
import { StoredKeyRing, fixedKeyRing } from './auth/key-ring';
import { TokenService } from './auth/token-service';
import { UserService } from './auth/user-service';
import { ChangeFeed } from './changes/change-feed';
import { ChangeLog } from './changes/change-log';
import { LiveWatch } from './changes/live-watch';
import type { Config } from './config/config';
import type { Database } from './database/database';
import { openDatabase } from './database/open';
import type { Reads } from './database/sql';
import { NumberDiagnosis } from './diagnosis/number-diagnosis';
import { graphSchema } from './graphql/schema';
import { registerGraphql } from './graphql/server/routes';
import { registerCompression } from './http/compression';
import { registerOpenApi } from './http/open-api';
import { refuseOverload } from './http/overload';
import { registerHome, registerPages } from './http/pages';
import { registerProbes } from './http/probes';
import { httpOptions, registerCommon } from './http/server';
import { BindingService } from './live/binding-service';
import { ContactReader } from './live/contact-reader';
import { RegistrationReader } from './live/registration-reader';
import { SipServer } from './live/sip-server';
import { Budgets, HEAVY_READ } from './limits/budgets';
import { callerAddress } from './limits/trusted-proxies';
import { createLogger } from './log';
import type { KindClass } from './model/kind';
import { kinds as sipKinds } from './model/kinds';
import { modelOf, type Model } from './model/model';
import { entitiesFor } from './resources/entities';
import { Filters } from './resources/filters';
import { ResourceReader } from './resources/resource-reader';
import { ResourceService } from './resources/resource-service';
import { answerFrameworkError, answerNotFound } from './rest/failures';
import { openApiDocument } from './rest/openapi';
import { registerRest } from './rest/routes';
import { SecurityEvents } from './security/events';
import type { TransportAccess, ReadServices } from './services';
import { prepareDatabase } from './start';
import { Health } from './system/health';
import { createMetrics } from './system/metrics';
import { API_PATH, systemInfo } from './system/system-info';

/** The application, ready to listen. */
export interface App {
  readonly http: FastifyInstance;
  /** The admin that was created at startup, if any, with a generated secret in clear. */
  readonly admin: AdminSetup | undefined;
  /** Listens, and returns the base URL. */
  listen(): Promise<string>;
  /** Finishes the requests in flight, then closes. */
  close(): Promise<void>;
}

/** What `createApp` takes beside the configuration. */
export interface AppOptions {
  readonly log?: Logger | undefined;
  /** Ends the wait for a database that cannot be reached. */
  readonly signal?: AbortSignal | undefined;
  /** The kinds of resources that are served: the six of SIP, which the features of SIP need, and any others. */
  readonly kinds?: readonly KindClass[];
}

/** Wires the services: the composition root. Throws where a kind is declared wrongly or the database cannot be opened. */
export async function createApp(
  config: Config,
  { log = createLogger(config), signal, kinds = sipKinds }: AppOptions = {},
): Promise<App> {
  const model = modelOf(kinds);
  const database = await openDatabase(config.database, entitiesFor(model.kinds, config.database.dialect), {
    mustExist: !config.migrate,
    log,
    wait: { signal },
  });
  try {
    const admin = await prepareDatabase(database, config, model);
    const http = await createHttp(config, log, database, model);
    return {
      http,
      admin,
      listen: () => http.listen({ host: config.host, port: config.port }),
      close: () => http.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function createHttp(config: Config, log: Logger, database: Database, model: Model): Promise<FastifyInstance> {
  const keys =
    config.jwtSecret === undefined
      ? new StoredKeyRing(database, config.tokenTtl * 1000)
      : fixedKeyRing(config.jwtSecret, config.previousJwtSecrets);
  const tokens = new TokenService(keys, config.tokenTtl, config.legacyTokens);
  const events = new SecurityEvents(log);
  const authenticator = new Authenticator(database, tokens, events);
  const sipServer = config.sipRpc && new SipServer(config.sipRpc);
  const changes = new ChangeFeed(
    database,
    new ChangeLog(database, config.outboxKept),
    new LiveWatch(database, config.outboxKept),
    log,
  );
  const metrics = createMetrics(database, changes);
  const shared = {
    model,
    filters: new Filters(database.product),
    systemInfo: systemInfo(config),
    sipServer,
    metrics,
    changes,
  };
  const readServices = (reads: Reads): ReadServices => ({
    ...shared,
    resources: new ResourceReader(reads),
    contacts: new ContactReader(reads),
    registrations: new RegistrationReader(reads),
    diagnosis: new NumberDiagnosis(reads, config.sipNode),
  });
  const access = new Access(
    authenticator,
    {
      read: ({ ref }, spend) => readServices(database.readsFor({ id: ref, charge: () => spend(HEAVY_READ) })),
      write: { resources: new ResourceService(database), bindings: new BindingService(database, sipServer) },
      admin: { users: new UserService(database) },
    },
    new Budgets(config.budgets),
    events,
    config.readOnly,
  );
  const transport: TransportAccess = { access, authenticator };
  const rest = {
    kinds: model.kinds,
    maxItemsPerPage: config.maxItemsPerPage,
    hideSecrets: config.restHideSecrets,
    profile: config.restProfile,
    numericStatus: config.restNumericStatus,
    provider: database.product,
  };

  const http = Fastify({ ...httpOptions(config, log), frameworkErrors: answerFrameworkError(rest) });
  registerCommon(http, config, metrics);
  // Only the scopes that say so take bodies.
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', (_request, _body, done) => done(null));
  await refuseOverload(http, config.overload);
  http.setNotFoundHandler(answerNotFound(rest));
  http.addHook('onClose', async () => {
    events.flush();
    await changes.close();
    await database.close();
  });
  await registerCompression(http);
  registerProbes(http, transport, new Health(database, sipServer));
  await http.register((scope) => registerRest(scope, transport, rest, config.corsOrigins), { prefix: API_PATH });
  await http.register((scope) =>
    registerGraphql(scope, transport, {
      schema: graphSchema(model),
      page: config.playground ? 'playground' : undefined,
      origins: config.corsOrigins,
      maxPayload: config.bodyLimit,
      addressOf: (request) => callerAddress(request, config.trustProxy),
      discovery: config.discovery,
    }),
  );
  if (config.discovery) {
    registerHome(http, config.playground ? 'playground' : 'docs');
    registerOpenApi(http, openApiDocument(rest, config.version));
    await http.register(registerPages, {
      directory: join(__dirname, '..', 'dist', 'playground'),
      pages: { ...(config.playground && { '/playground': 'index.html' }), '/docs': 'docs.html' },
    });
  }
  return http;
}
