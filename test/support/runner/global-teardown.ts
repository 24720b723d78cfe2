import { rm } from 'node:fs/promises';

import { running } from '../databases/running-servers';

/** Jest's global teardown. Stops the servers that the global setup started, and deletes its directory. */
export default async function globalTeardown(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.stop()));
  await rm(process.env['SIPGRAPH_TEST_DATA'] ?? '', { recursive: true, force: true });
}
