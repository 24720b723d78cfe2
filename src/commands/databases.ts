import { userInfo } from 'node:os';

import { SecurityEvents } from '../auth/security-events';
import type { User } from '../auth/user-store';
import type { Actor } from '../changes/actor';
import { Sequencer } from '../changes/sequencer';
import { loadConfig, type Config } from '../config/config';
import type { Database } from '../database/database';
import { runMigrations } from '../database/migrations';
import { openDatabase, withStartLock } from '../database/open';
import { readsWithin, type OwnTransaction } from '../database/sql';
import { newRequestId } from '../http/request-id';
import { createLogger } from '../log';
import { ListMemory } from '../resources/lists/cached-lists';
import { Filters } from '../resources/lists/filters';
import { ResourceReader } from '../resources/read/resource-reader';
import { ReadServices, type ReadOptions } from '../session/services';
import { LimitReader } from '../sip/calls/limit-reader';
import { AddressDiagnosis } from '../sip/diagnosis/address-diagnosis';
import { CallDiagnosis } from '../sip/diagnosis/calls/call-diagnosis';
import { NumberDiagnosis } from '../sip/diagnosis/number-diagnosis';
import { SipServer } from '../sip/live/sip-server';
import { warn } from './answer';

/** The services that explain calls. */
export type CallServices = Pick<ReadServices, 'resources' | 'diagnosis' | 'addresses' | 'callDiagnosis'>;

/** Opens the configured database for the duration of a command. */
export class Databases {
  /** Who runs the command: the account at the operating system. The run has an id, like a request. */
  readonly actor: Actor = { channel: 'COMMAND_LINE', username: account(), requestId: newRequestId() };

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** Logs a change to a user or to the API token of a user as a security event, on standard error. */
  logChange(
    event: Parameters<SecurityEvents['logChange']>[0],
    { username: target, role, token }: Pick<User, 'username' | 'role'> & { readonly token?: string },
  ): void {
    const log = createLogger(this.config, process.stderr);
    new SecurityEvents(log).logChange(event, {
      user: `${account()} (command line)`,
      target,
      role,
      ...(token !== undefined && { token }),
    });
  }

  /** Opens an existing database. Throws, without changing the data, if the database is missing or needs a migration. */
  openExisting<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.open(true, work);
  }

  /** Opens an existing database to read from it, through the services that GraphQL and REST read through. */
  openToRead<T>(work: (read: ReadServices) => Promise<T>): Promise<T> {
    return this.openExisting((database) => {
      const { product } = database;
      const { sipNode: node, homeCountry: home, liveKept, callsKept } = this.config;
      const options: ReadOptions = {
        filters: new Filters(product),
        product,
        lists: new ListMemory(),
        node,
        home,
        callsPrivacy: false,
        liveKept,
        callsKept,
        number: () => new Sequencer(database).settle(),
      };
      return work(new ReadServices(options, database.readsFor({ id: '' }), () => undefined, 'admin'));
    });
  }

  /** The services that explain calls as a transaction sees the data. */
  explainingWithin(transaction: OwnTransaction): CallServices {
    const { sipNode: node, homeCountry: home } = this.config;
    const product = transaction.isSerial ? 'sqlite' : 'mysql';
    const reads = readsWithin(transaction);
    const free = (): void => undefined;
    return {
      resources: new ResourceReader(reads),
      diagnosis: new NumberDiagnosis(reads, node, home, free),
      addresses: new AddressDiagnosis(reads, node, free),
      callDiagnosis: new CallDiagnosis(reads, new LimitReader(reads, product), product, node, home, free),
    };
  }

  /** The configuration in the environment. Throws ConfigError. */
  get config(): Config {
    return loadConfig(this.env);
  }

  /** The configured SIP server, if any. */
  sipServer(): SipServer | undefined {
    const { sipRpc } = this.config;
    return sipRpc && new SipServer(sipRpc);
  }

  /** Opens the database, and creates or migrates it first. With MIGRATE=off, identical to `openExisting`. */
  openPrepared<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.config.migrate ? this.openMigrated((database) => work(database)) : this.openExisting(work);
  }

  /** Opens the database, and creates or migrates it first, even with MIGRATE=off. `ran` is the number of migrations. */
  openMigrated<T>(work: (database: Database, ran: number) => Promise<T>): Promise<T> {
    return this.open(false, async (database) =>
      work(database, await withStartLock(database, () => runMigrations(database.dataSource))),
    );
  }

  private async open<T>(mustExist: boolean, work: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase(this.config.database, {
      mustExist,
      log: { warn },
    });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }
}

/** The name of the account at the operating system. In a container, the user id may have no name. */
function account(): string {
  try {
    return userInfo().username;
  } catch {
    return `user id ${String(process.getuid?.())}`;
  }
}
