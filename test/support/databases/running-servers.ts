import type { StartedServer } from './servers';

/** The servers that the global setup started, for the global teardown, which runs in the same process. */
export const running: StartedServer[] = [];
