import { startApp, type TestApp } from './app';
import { databases } from './databases';

/** The application under test, and its database. */
export interface Subject {
  readonly app: TestApp;
  readonly url: string;
}

/** Runs the tests on each available database, with a separate application and database. */
export function onEachDatabase(
  what: string,
  tests: (subject: () => Subject, database: string) => void,
  env: Readonly<Record<string, string>> = {},
): void {
  describe.each(databases)(`${what}, on $name`, ({ name, createDatabase }) => {
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
