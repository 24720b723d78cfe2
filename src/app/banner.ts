import type { AdminSetup } from '../auth/ensure-admin';
import type { Config } from '../config/config';
import { nameOf } from '../database/open';
import { API_PATH } from '../monitoring/system-info';

/** What `sipgraph serve` prints at startup: `text` for people, `json` with `--json`. */
export interface Banner {
  readonly text: readonly string[];
  readonly json: object;
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
  return { text, json: { url, version: config.version, database: nameOf(config.database), ...(admin && { admin }) } };
}
