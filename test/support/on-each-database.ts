import { startApp, type TestApp } from './app';
import { databases, drivers, type DatabaseKind } from './databases';

/** The application under test, and its database. */
export interface Subject {
  readonly app: TestApp;
  readonly url: string;
}

type Tests = (subject: () => Subject, database: string) => void;

/** Runs the tests on each available database, with a separate application and database. */
export function onEachDatabase(what: string, tests: Tests, env: Readonly<Record<string, string>> = {}): void {
  onEach(databases, what, tests, env);
}

/** Like `onEachDatabase`, for what is the same on MariaDB and MySQL. */
export function onEachDriver(what: string, tests: Tests, env: Readonly<Record<string, string>> = {}): void {
  onEach(drivers, what, tests, env);
}

function onEach(
  kinds: readonly DatabaseKind[],
  what: string,
  tests: Tests,
  env: Readonly<Record<string, string>>,
): void {
  describe.each(kinds)(`${what}, on $name`, ({ name, createDatabase }) => {
    let subject: Subject;
    let drop: () => Promise<void>;

    beforeAll(async () => {
      const database = await createDatabase();
      drop = database.drop;
      subject = { url: database.url, app: await startApp({ DATABASE_URL: database.url, ...env }) };
    });

    afterAll(async () => {
      await subject.app.close();
      await drop();
    });

    tests(() => subject, name);
  });
}
