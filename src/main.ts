import closeWithGrace from 'close-with-grace';

import { createApp, type App } from './app';
import { banner } from './banner';
import { ConfigError, loadConfig, type Config } from './config';

void main();

async function main(): Promise<void> {
  const config = configOrExit();
  const stopped = new AbortController();
  let app: App | undefined;
  closeWithGrace({ delay: 10_000 }, async ({ err }) => {
    if (err) process.stderr.write(`${err.stack ?? err.message}\n`);
    stopped.abort();
    await app?.close();
  });
  try {
    app = await createApp(config, undefined, stopped.signal);
    const url = await app.listen();
    process.stdout.write(banner(config, url, app.firstAdmin));
  } catch (error) {
    if (stopped.signal.aborted) return;
    fail(`sipgraph cannot start: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function configOrExit(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return fail(error.message);
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
