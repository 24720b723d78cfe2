import closeWithGrace from 'close-with-grace';
import { GraphQLError } from 'graphql';

import type { AdminSetup } from '../auth/ensure-admin';
import { type Config, ConfigError, loadConfig } from '../config/config';
import { operatorMessage } from '../database/errors';
import { nameOf } from '../database/open';
import { API_PATH } from '../monitoring/system-info';
import { type App, createApp } from './app';
import { limitHeap } from './heap';

/** Runs the server until the process receives a signal. Resolves to the banner once the server listens. */
export async function serve(env: NodeJS.ProcessEnv): Promise<Banner> {
  limitHeap();
  const config = configOrExit(env);
  const stopped = new AbortController();
  let app: App | undefined;
  closeWithGrace({ delay: config.drain + 10_000, skip: ['unhandledRejection'] }, async ({ err, signal }) => {
    if (err) process.stderr.write(`${err.stack ?? err.message}\n`);
    app?.http.log.info({ signal }, 'shutting down');
    stopped.abort();
    await app?.close();
  });
  process.on('unhandledRejection', (reason) => {
    // graphql drops the promises of a list whose later item fails at once, and answers with that error.
    if (!(reason instanceof GraphQLError)) throw reason;
  });
  if (env['npm_command'] !== undefined) stopWithParent();
  try {
    app = await createApp(config, { signal: stopped.signal });
    const url = await app.listen();
    return banner(config, url, app.admin);
  } catch (error) {
    if (stopped.signal.aborted) return await new Promise<never>(() => undefined); // the process is about to exit
    const reason = error instanceof Error ? operatorMessage(error) : String(error);
    return fail(`sipgraph cannot start: ${reason}${adviceOn(reason)}`);
  }
}

function adviceOn(reason: string): string {
  if (reason.includes('EADDRINUSE')) return ': wait until the other process has ended, or set PORT';
  return /^(?:listen|getaddrinfo) E/.test(reason) ? ': check HOST and PORT' : '';
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

/** What `sipgraph serve` prints at startup: `text` for people, `json` with `--json`. */
interface Banner {
  readonly text: readonly string[];
  readonly json: object;
  readonly goesOn: true;
}

const NOTES = {
  'unused-secret':
    'ADMIN_SECRET was ignored, because the user admin has another secret: run `sipgraph user secret admin` to change it',
  'no-admin': 'no user is an admin: set ADMIN_SECRET and restart, or run `sipgraph user role NAME admin`',
} as const;

/** Builds the banner: the URLs, the database, and how to sign in. */
export function banner(config: Config, url: string, admin: AdminSetup | undefined): Banner {
  const lines = [
    ...(config.console ? [['Console', `${url}/console`]] : []),
    ['GraphQL', `${url}/graphql`],
    ...(config.playground ? [['Playground', `${url}/playground`]] : []),
    ['REST', `${url}${API_PATH}`],
    ...(config.discovery ? [['API docs', `${url}/docs`]] : []),
    ['Database', nameOf(config.database)],
  ];
  if (admin?.type === 'made' || admin?.type === 'restored') {
    const isNew = admin.type === 'made' && admin.secret !== undefined;
    const secret = isNew ? `${admin.secret}   (shown only this once)` : 'the value of ADMIN_SECRET';
    lines.push(['Sign in as', admin.username], ['with secret', secret]);
  } else if (admin) lines.push(['Note', NOTES[admin.type]]);
  const text = [
    '',
    `sipgraph ${config.version} is listening`,
    '',
    ...lines.map(([name = '', value = '']) => `  ${name.padEnd(12)} ${value}`),
  ];
  return {
    text,
    goesOn: true,
    json: { url, version: config.version, database: nameOf(config.database), ...(admin && { admin }) },
  };
}
