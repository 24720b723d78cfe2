import { setFlagsFromString } from 'node:v8';

import closeWithGrace from 'close-with-grace';

import { createApp, type App } from './app';
import { banner, type Banner } from './banner';
import { ConfigError, loadConfig, type Config } from '../config/config';

/**
 * How much the old generation of the heap may grow between two collections, in percent. By default, V8 lets garbage grow to
 * several times what is in use. `npm run bench` shows that this costs memory and saves no time. The flag is V8's, not
 * Node's: after an upgrade of Node, compare the memory.
 */
const HEAP_GROWTH = 30;

/** Runs the server until the process receives a signal. Resolves to the banner once the server listens. */
export async function serve(env: NodeJS.ProcessEnv): Promise<Banner> {
  setFlagsFromString(`--heap-growing-percent=${String(HEAP_GROWTH)}`);
  const config = configOrExit(env);
  const stopped = new AbortController();
  let app: App | undefined;
  closeWithGrace({ delay: config.drain + 10_000 }, async ({ err, signal }) => {
    if (err) process.stderr.write(`${err.stack ?? err.message}\n`);
    app?.http.log.info({ signal }, 'shutting down');
    stopped.abort();
    await app?.close();
  });
  if (env['npm_command'] !== undefined) stopWithParent();
  try {
    app = await createApp(config, { signal: stopped.signal });
    const url = await app.listen();
    return banner(config, url, app.admin);
  } catch (error) {
    if (stopped.signal.aborted) return await new Promise<never>(() => undefined); // the process is about to exit
    const reason = error instanceof Error ? error.message : String(error);
    const advice = reason.includes('EADDRINUSE') ? ': wait until the other process has ended, or set PORT' : '';
    return fail(`sipgraph cannot start: ${reason}${advice}`);
  }
}

/** Stops the server when its parent exits: `npx` runs commands in a shell, and sends SIGTERM to that shell only. */
function stopWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

function configOrExit(env: NodeJS.ProcessEnv): Config {
  try {
    return loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return fail(error.message);
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
