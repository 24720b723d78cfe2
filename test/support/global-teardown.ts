import { running } from './running-servers';

/** Jest's global teardown. Stops the servers that the global setup started. */
export default async function globalTeardown(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.stop()));
}
