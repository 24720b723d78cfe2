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
    if (err) console.error(err);
    stopped.abort();
    await app?.close();
  });
  try {
    app = await createApp(config, undefined, stopped.signal);
    const url = await app.listen();
    console.log(banner(config, url, app.firstAdmin));
  } catch (error) {
    if (stopped.signal.aborted) return;
    console.error(`sipgraph cannot start: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

function configOrExit(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
