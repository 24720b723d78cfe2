import type { DataSource } from 'typeorm';

import { CreateModel1763676000000 } from './migrations/1763676000000-create-model';
import { CreateLive1763676100000 } from './migrations/live/1763676100000-create-live';
import { CompareSpaces1763676200000 } from './migrations/1763676200000-compare-spaces';
import { RegistrationState1763676300000 } from './migrations/live/1763676300000-registration-state';
import { CreateChanges1763676400000 } from './migrations/1763676400000-create-changes';
import { UnescapeUsers1763676500000 } from './migrations/1763676500000-unescape-users';
import { SigningKeys1763676610000 } from './migrations/1763676610000-signing-keys';
import { NumberChanges1763676700000 } from './migrations/1763676700000-number-changes';
import { ApiTokens1763676810000 } from './migrations/1763676810000-api-tokens';
import { SignIns1763676815000 } from './migrations/1763676815000-sign-ins';
import { Journal1763676820000 } from './migrations/1763676820000-journal';
import { Webhooks1763676840000 } from './migrations/1763676840000-webhooks';
import { IdempotencyKeys1763676910000 } from './migrations/1763676910000-idempotency-keys';
import { ReplicaMarks1763676920000 } from './migrations/1763676920000-replica-marks';
import { WebhookSecrets1763676950000 } from './migrations/1763676950000-webhook-secrets';
import { NumbersOfDomains1763676960000 } from './migrations/1763676960000-numbers-of-domains';
import { Samples1763676970000 } from './migrations/live/1763676970000-samples';
import { GatewaySources1763676980000 } from './migrations/1763676980000-gateway-sources';
import { GatewayHealth1763676986000 } from './migrations/live/1763676986000-gateway-health';
import { Routes1763676990000 } from './migrations/1763676990000-routes';
import { SignInAgents1763676995000 } from './migrations/1763676995000-sign-in-agents';
import { WatchedHealth1763676995100 } from './migrations/live/1763676995100-watched-health';
import { WebhookAttempts1763676995200 } from './migrations/1763676995200-webhook-attempts';
import { Enabled1763676996000 } from './migrations/resources/1763676996000-enabled';
import { Callers1763676996100 } from './migrations/resources/1763676996100-callers';
import { NumberTargets1763676996200 } from './migrations/resources/1763676996200-number-targets';
import { TargetsOfDomains1764200007000 } from './migrations/resources/1764200007000-targets-of-domains';
import { CallLimits1763676996300 } from './migrations/live/1763676996300-call-limits';
import { RegistrationEvents1763676996500 } from './migrations/live/1763676996500-registration-events';
import { Views1763676996600 } from './migrations/users/1763676996600-views';
import { Labels1763676996700 } from './migrations/resources/1763676996700-labels';
import { Calls1763677010000 } from './migrations/live/1763677010000-calls';
import { CallAttempts1763677016400 } from './migrations/live/1763677016400-call-attempts';
import { NumberRanges1764130500000 } from './migrations/resources/1764130500000-number-ranges';
import { FailedCalls1764130700000 } from './migrations/live/1764130700000-failed-calls';
import { Exports1764130701000 } from './migrations/live/1764130701000-exports';
import { CallMessages1764130702000 } from './migrations/live/1764130702000-call-messages';
import { CallCounts1764130800000 } from './migrations/live/1764130800000-call-counts';
import { DailyMinutes1764130900000 } from './migrations/live/1764130900000-daily-minutes';
import { CallOutcomes1764200004000 } from './migrations/live/1764200004000-call-outcomes';
import { HealthStates1764200005000 } from './migrations/live/1764200005000-health-states';
import { PendingChanges1764200001000 } from './migrations/pending/1764200001000-pending-changes';
import { ScheduledChanges1764200002000 } from './migrations/pending/1764200002000-scheduled-changes';
import { ApiTokenDocuments1764200003000 } from './migrations/users/1764200003000-api-token-documents';
import { DeprecatedUses1764200006000 } from './migrations/users/1764200006000-deprecated-uses';
import { ExportTokens1764200008000 } from './migrations/live/1764200008000-export-tokens';
import { CallsOfDomains1764400000000 } from './migrations/live/1764400000000-calls-of-domains';
import { DigitsKeys1764300000000 } from './migrations/resources/1764300000000-digits-keys';
import { OutsideTargets1764400000010 } from './migrations/resources/1764400000010-outside-targets';
import { NumberForms1764400000040 } from './migrations/resources/1764400000040-number-forms';
import { RouteShares1764400000041 } from './migrations/resources/1764400000041-route-shares';
import { WatchedDestinations1764400000050 } from './migrations/live/1764400000050-watched-destinations';
import { Tasks1764500000000 } from './migrations/pending/1764500000000-tasks';
import { GatewayHosts1764500000040 } from './migrations/resources/1764500000040-gateway-hosts';
import { CountedDomains1764500000050 } from './migrations/live/1764500000050-counted-domains';
import { forgetProgress } from './resumable';
import { LOCK_TIMEOUT } from './sqlite/sqlite-locks';

/** All migrations, oldest first. They run on every database. */
export const migrations = [
  CreateModel1763676000000,
  CreateLive1763676100000,
  CompareSpaces1763676200000,
  RegistrationState1763676300000,
  CreateChanges1763676400000,
  UnescapeUsers1763676500000,
  SigningKeys1763676610000,
  NumberChanges1763676700000,
  ApiTokens1763676810000,
  SignIns1763676815000,
  Journal1763676820000,
  Webhooks1763676840000,
  IdempotencyKeys1763676910000,
  ReplicaMarks1763676920000,
  WebhookSecrets1763676950000,
  NumbersOfDomains1763676960000,
  Samples1763676970000,
  GatewaySources1763676980000,
  GatewayHealth1763676986000,
  Routes1763676990000,
  SignInAgents1763676995000,
  WatchedHealth1763676995100,
  WebhookAttempts1763676995200,
  Enabled1763676996000,
  Callers1763676996100,
  NumberTargets1763676996200,
  CallLimits1763676996300,
  RegistrationEvents1763676996500,
  Views1763676996600,
  Labels1763676996700,
  Calls1763677010000,
  CallAttempts1763677016400,
  NumberRanges1764130500000,
  FailedCalls1764130700000,
  Exports1764130701000,
  CallMessages1764130702000,
  CallCounts1764130800000,
  DailyMinutes1764130900000,
  PendingChanges1764200001000,
  ScheduledChanges1764200002000,
  ApiTokenDocuments1764200003000,
  CallOutcomes1764200004000,
  HealthStates1764200005000,
  DeprecatedUses1764200006000,
  TargetsOfDomains1764200007000,
  ExportTokens1764200008000,
  DigitsKeys1764300000000,
  CallsOfDomains1764400000000,
  OutsideTargets1764400000010,
  NumberForms1764400000040,
  RouteShares1764400000041,
  WatchedDestinations1764400000050,
  Tasks1764500000000,
  GatewayHosts1764500000040,
  CountedDomains1764500000050,
];

/** Runs the pending migrations and returns their number. */
export async function runMigrations(dataSource: DataSource): Promise<number> {
  if (dataSource.options.type !== 'better-sqlite3') {
    const { length } = await dataSource.runMigrations();
    await forgetProgress(dataSource);
    return length;
  }
  // The driver has set the busy timeout to 0. Nothing is served yet, so a migration may block for a lock.
  await dataSource.query(`PRAGMA busy_timeout = ${String(LOCK_TIMEOUT)}`);
  try {
    return (await dataSource.runMigrations()).length;
  } finally {
    await dataSource.query('PRAGMA busy_timeout = 0');
  }
}

/**
 * The names of the migrations that have not run. This function only reads, whereas TypeORM's `showMigrations` creates a
 * table.
 */
export async function pendingMigrations(dataSource: DataSource): Promise<readonly string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const rows = (await runner.hasTable('migrations'))
      ? ((await runner.query('SELECT name FROM migrations')) as readonly { readonly name: string }[])
      : [];
    const done = new Set(rows.map(({ name }) => name));
    return migrations.map(({ name }) => name).filter((name) => !done.has(name));
  } finally {
    await runner.release();
  }
}
