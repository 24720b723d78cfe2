import type { Logger } from 'pino';

import { ApiTokenChecks, ApiTokenUses } from '../auth/api-token-checks';
import { ApiTokenService } from '../auth/api-token-service';
import { Authenticator } from '../auth/authenticator';
import { DeprecatedUses, deprecatedUsesOf } from '../auth/deprecated-uses';
import { StoredKeyRing, fixedKeyRing } from '../auth/key-ring';
import { LEASE, AccountLeases } from '../auth/account-leases';
import { SecurityEvents } from '../auth/security-events';
import { SignInEntries } from '../auth/sign-ins/sign-in-entries';
import { maintainSignIns, SessionService, SignIns } from '../auth/sign-ins/sign-ins';
import { TokenService } from '../auth/token-service';
import { UserService } from '../auth/user-service';
import { ViewService } from '../auth/view-service';
import { ChangeFeed } from '../changes/change-feed';
import { ChangeLog } from '../changes/change-log';
import type { Actor } from '../changes/actor';
import type { Config } from '../config/config';
import type { Database } from '../database/database';
import { Exporter, type ExporterOptions } from '../jobs/exports/exporter';
import { ExportFiles, ExportService } from '../jobs/exports/export-service';
import { conditionOf } from '../graphql/schema/list-args';
import { differencesOf } from '../history/differences';
import { HistoryReader } from '../history/history-reader';
import { newRequestId } from '../http/request-id';
import { RevertService } from '../history/revert-service';
import { Admission } from '../limits/admission';
import { Budgets, HEAVY_READ } from '../limits/budgets';
import type { Model } from '../model/model';
import { PendingGuard } from '../jobs/pending/pending-guard';
import { PendingService, type PendingOptions } from '../jobs/pending/pending-service';
import { createMetrics, type Metrics } from '../monitoring/metrics';
import { systemInfo } from '../monitoring/system-info';
import { ImportProgress } from '../resources/bulk/import-progress';
import { ImportService } from '../resources/bulk/import-service';
import { MoveService } from '../resources/moving/move-service';
import { ChangeSetService } from '../resources/bulk/change-set-service';
import { ManyService } from '../resources/bulk/many-service';
import { ListMemory } from '../resources/lists/cached-lists';
import { Filters } from '../resources/lists/filters';
import { KeyTurns, maintainKeys } from '../resources/write/idempotency-key';
import { maintainNumberKeys } from '../resources/write/number-keys';
import { resourceServices } from '../resources/write/resource-service';
import type { FindDifferences } from '../resources/write/unchanged';
import { Access } from '../session/access';
import type { TransportAccess } from '../session/access';
import { ReadServices, type ReadOptions } from '../session/services';
import { CallFeed } from '../sip/calls/call-feed';
import { maintainCalls } from '../sip/calls/call-maintenance';
import { BindingService } from '../sip/live/binding-service';
import { GatewayTests } from '../sip/live/gateway-tests';
import { LiveCounts } from '../sip/live/live-counts';
import { LiveWatch } from '../sip/live/live-watch';
import { MessageCollector } from '../sip/messages/message-collector';
import { SipServer } from '../sip/live/sip-server';
import { Sampler } from '../sip/samples/sampler';
import { TaskRunner } from '../jobs/tasks/task-runner';
import { TaskService } from '../jobs/tasks/task-service';
import { WebhookDispatcher, type WatchTimings } from '../webhooks/dispatcher';
import { WebhookService } from '../webhooks/webhook-service';
import { logFailure } from '../log';

/** The services for the transports, and those that the HTTP server needs. */
interface Services {
  /** The services that GraphQL and REST use. */
  readonly transport: TransportAccess;
  readonly admission: Admission;
  readonly changes: ChangeFeed;
  /** Ends what runs without a request. */
  readonly close: () => Promise<unknown>;
  readonly events: SecurityEvents;
  readonly exportFiles: ExportFiles;
  readonly metrics: Metrics;
  /** Undefined if none is configured. */
  readonly sipServer: SipServer | undefined;
}

/** Times that tests change, in milliseconds. */
export interface Timings {
  /** Between samples, by default a minute. */
  readonly samplesEvery?: number | undefined;
  /** How long an account that was read may be used without reading it again (auth/account-leases.ts). */
  readonly accountLease?: number | undefined;
  /** For how long callers share a text of the metrics at most (monitoring/metrics.ts). */
  readonly metricsShared?: number | undefined;
  /** Between deletions of old calls and transitions of registrations (sip/calls/call-maintenance.ts). */
  readonly callsMaintainedEvery?: number | undefined;
  /** Between looks at the calls for subscribers (sip/calls/call-feed.ts). */
  readonly callsReadEvery?: number | undefined;
  /** Between looks at changes that wait (pending/pending-guard.ts). */
  readonly pendingReadEvery?: number | undefined;
  /** Between looks for tasks of other processes, and for old ones (tasks/task-runner.ts). */
  readonly tasksReadEvery?: number | undefined;
  /** Between looks for exports of other processes, and for old ones (exports/exporter.ts). */
  readonly exports?: ExporterOptions['intervals'];
  /** Between looks at what webhooks watch (webhooks/dispatcher.ts). */
  readonly webhooks?: Partial<WatchTimings> | undefined;
}

const MINUTE = 60_000;

/** The composition root: creates every service and passes it its dependencies. */
export function createServices(
  config: Config,
  log: Logger,
  database: Database,
  model: Model,
  { samplesEvery = MINUTE, accountLease = LEASE, ...timings }: Timings = {},
): Services {
  const keys =
    config.jwtSecret === undefined
      ? new StoredKeyRing(database, config.tokenTtl * 1000)
      : fixedKeyRing(config.jwtSecret, config.previousJwtSecrets);
  const tokens = new TokenService(keys, config.tokenTtl, config.legacyTokens);
  const events = new SecurityEvents(log);
  const apiTokenUses = new ApiTokenUses(database);
  const signIns = new SignIns(database, tokens);
  const apiTokens = new ApiTokenChecks(apiTokenUses, new AccountLeases(accountLease));
  const entries = config.readOnly
    ? undefined
    : new SignInEntries(database, (error) => logFailure(log, error, 'cannot write sign-ins to the history'));
  const deprecatedUses = config.readOnly
    ? undefined
    : new DeprecatedUses(database, (error) => logFailure(log, error, 'cannot write uses of deprecated fields'));
  const authenticator = new Authenticator(
    database,
    tokens,
    signIns,
    apiTokens,
    new AccountLeases(accountLease),
    events,
    entries,
  );
  const sipServer = config.sipRpc && new SipServer(config.sipRpc);
  const changeLog = new ChangeLog(database, config.outboxKept, config.historyKept);
  const number = (): Promise<void> => changeLog.sequencer.settle();
  const watch = new LiveWatch(database, config.outboxKept);
  const changes = new ChangeFeed(database, changeLog, watch, log);
  const hooks = { database, log: changeLog, watch, model, policy: config.webhookPolicy };
  const webhooks = new WebhookDispatcher({ ...hooks, node: config.sipNode, logger: log, timings: timings.webhooks });
  const sampler = config.samples
    ? new Sampler({
        database,
        node: config.sipNode,
        liveKept: config.liveKept,
        kinds: model.kinds.map(({ name }) => name),
        logger: log,
        interval: samplesEvery,
      })
    : undefined;
  const webhookOptions = { ...hooks, changes, wake: () => webhooks.wake(), pings: new Set<object>() };
  const calls = new CallFeed(database, log, timings.callsReadEvery);
  const admission = new Admission(config.admission);
  const subscriptions = { size: () => changes.size + calls.size, lag: () => changeLog.sequencer.lag() };
  const metrics = createMetrics({
    ...{ database, subscriptions, events, admission, sipServer },
    live: new LiveCounts(database),
    shared: timings.metricsShared,
  });
  const find: FindDifferences = (kind, changed) =>
    differencesOf((spend) => new HistoryReader(database, database.product, number, spend), kind, changed);
  const resources = resourceServices(database, model, find);
  const keyTurns = new KeyTurns(database);
  const gatewayTests = new GatewayTests(database, sipServer, new Set());
  const importProgress = new ImportProgress();
  const reading: ReadOptions = {
    filters: new Filters(database.product),
    product: database.product,
    lists: new ListMemory(),
    node: config.sipNode,
    home: config.homeCountry,
    callsPrivacy: config.callsPrivacy,
    liveKept: config.liveKept,
    callsKept: config.callsKept,
    number,
  };
  const exporter = config.readOnly
    ? undefined
    : new Exporter({
        database,
        model,
        readsOf: (id, role) => new ReadServices(reading, database.readsFor({ id }), () => undefined, role),
        conditionOf,
        logger: log,
        intervals: timings.exports,
      });
  const historyReader = new HistoryReader(database, database.product, number);
  const changeSetsOf = (actor: Actor): ChangeSetService =>
    new ChangeSetService(model, keyTurns, actor, find, config.sipNode);
  const revertsOf = (actor: Actor): RevertService => new RevertService(database, model, historyReader, actor);
  const pendingOptions: PendingOptions = {
    database,
    changeSetsOf,
    revertsOf,
    keys: keyTurns,
    model,
    newId: newRequestId,
  };
  const guard = config.readOnly
    ? undefined
    : new PendingGuard({
        ...pendingOptions,
        database,
        node: config.sipNode,
        logger: log,
        interval: timings.pendingReadEvery,
      });
  const tasks = config.readOnly
    ? undefined
    : new TaskRunner({
        ...{ database, model, revertsOf, logger: log },
        home: config.homeCountry,
        interval: timings.tasksReadEvery,
      });
  const access = new Access(authenticator, admission, {
    services: {
      shared: {
        model,
        systemInfo: systemInfo(config),
        homeCountry: config.homeCountry,
        sipServer,
        metrics,
        changes,
        calls,
        importProgress,
        traceUrl: config.traceUrl,
      },
      read: ({ ref, role }, spend, request) => {
        const reads = database.readsFor({ id: ref, charge: () => spend(HEAVY_READ), request });
        return new ReadServices(reading, reads, spend, role);
      },
      write: (actor, request) => ({
        resources: resources(actor, request),
        many: new ManyService(keyTurns, actor),
        changeSets: changeSetsOf(actor),
        pending: new PendingService(pendingOptions, actor, () => guard?.wake()),
        imports: new ImportService(database, model, importProgress, actor, config.homeCountry, config.sipNode),
        moves: new MoveService(database, model, actor, config.homeCountry),
        bindings: new BindingService(database, sipServer, actor, config.liveKept),
        gatewayTests,
        reverts: revertsOf(actor),
      }),
      admin: (actor, request) => ({
        users: new UserService(database.forRequest(request), actor),
        sessions: new SessionService(database.forRequest(request), keys, actor),
        webhooks: new WebhookService({ ...webhookOptions, database: database.forRequest(request) }, actor),
      }),
      account: (actor, request) => ({
        users: new UserService(database.forRequest(request), actor),
        apiTokens: new ApiTokenService(database.forRequest(request), actor),
        sessions: new SessionService(database.forRequest(request), keys, actor),
        views: new ViewService(database.forRequest(request)),
        deprecatedUses: (refs) => deprecatedUsesOf(database.forRequest(request), refs),
      }),
      exports: (viewer, request) =>
        new ExportService(database.forRequest(request), keys, () => exporter?.wake(), viewer),
      tasks: (viewer, actor, request) =>
        new TaskService(
          {
            database: database.forRequest(request),
            reverts: revertsOf(actor),
            newId: newRequestId,
            wake: () => tasks?.wake(),
          },
          viewer,
          actor,
        ),
    },
    budgets: new Budgets(config.budgets),
    events,
    deprecatedUses,
    readOnly: config.readOnly,
  });
  const keyMaintenance = maintainKeys(database, log);
  const signInMaintenance = maintainSignIns(database, log);
  const numberKeys = config.readOnly ? undefined : maintainNumberKeys(database, log);
  const callMaintenance = maintainCalls(
    database,
    { calls: config.callsKept, registrations: config.liveKept, alerts: config.outboxKept },
    log,
    timings.callsMaintainedEvery,
  );
  const messages =
    config.hepListen === undefined || config.readOnly
      ? undefined
      : new MessageCollector(database, config.hepListen, log);
  const close = () =>
    Promise.all([
      apiTokenUses.settle(),
      signIns.settle(),
      entries?.close(),
      deprecatedUses?.close(),
      keyMaintenance.close(),
      signInMaintenance.close(),
      numberKeys?.close(),
      callMaintenance.close(),
      calls.close(),
      webhooks.close(),
      exporter?.close(),
      tasks?.close(),
      guard?.close(),
      messages?.close(),
      sampler?.close(),
    ]);
  const exportFiles = new ExportFiles(database, keys);
  return { transport: { access, authenticator }, admission, changes, close, events, exportFiles, metrics, sipServer };
}
