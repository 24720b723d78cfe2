import type { Timings } from '../../../src/app/composition';
import { startApp, type TestApp } from '../app';
import { databases, drivers, type DatabaseKind } from './databases';
import { isFull } from '../runner/full';

/** The application under test, and its database. */
export interface Subject {
  readonly app: TestApp;
  readonly url: string;
}

type Tests = (subject: () => Subject, database: string) => void;

type Settings = Readonly<Record<string, string>>;

/**
 * Runs the tests on each available database, with a separate application and database. `timings` keep tests from waiting;
 * a full run waits.
 */
export function onEachDatabase(what: string, tests: Tests, env: Settings = {}, timings: Timings = {}): void {
  onEach(databases, what, tests, env, timings);
}

/** Like `onEachDatabase`, for what is the same on MariaDB and MySQL. */
export function onEachDriver(what: string, tests: Tests, env: Settings = {}, timings: Timings = {}): void {
  onEach(drivers, what, tests, env, timings);
}

/**
 * Like Jest's `describe`, for tests on SQLite in a file that has tests on other databases, too. The run on the other
 * databases does not repeat them.
 */
export function onSqlite(what: string, tests: () => void): void {
  if (databases.some(({ name }) => name === 'SQLite')) describe(what, tests);
}

function onEach(kinds: readonly DatabaseKind[], what: string, tests: Tests, env: Settings, timings: Timings): void {
  describe.each(kinds)(`${what}, on $name`, ({ name, createDatabase }) => {
    let subject: Subject;
    let drop: () => Promise<void>;

    beforeAll(async () => {
      const database = await createDatabase();
      drop = database.drop;
      subject = {
        url: database.url,
        app: await startApp({ DATABASE_URL: database.url, ...env }, undefined, isFull ? {} : { timings }),
      };
    });

    afterAll(async () => {
      await subject.app.close();
      await drop();
    });

    tests(() => subject, name);
  });
}
