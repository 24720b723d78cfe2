import type { StartedServer } from './servers';

/** What the global setup started and the global teardown stops; both run in one process. */
export const running: StartedServer[] = [];
