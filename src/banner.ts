import type { AdminSetup } from './auth/ensure-admin';
import type { Config } from './config/config';
import { nameOf } from './database/open';
import { API_PATH } from './system/system-info';

/** For people, and for programs. */
export interface Banner {
  readonly text: readonly string[];
  readonly json: object;
}

const NOTES = {
  'unused-secret':
    'ADMIN_SECRET is not the secret of the user admin and was not used: `sipgraph user secret admin` changes it',
  'no-admin': 'no user is an admin: set ADMIN_SECRET and restart, or run `sipgraph user role NAME admin`',
} as const;

/** What the start prints: where everything is, and who may sign in. */
export function banner(config: Config, url: string, admin: AdminSetup | undefined): Banner {
  const lines = [
    ['GraphQL', `${url}/graphql`],
    ...(config.playground ? [['Playground', `${url}/playground`]] : []),
    ['REST', `${url}${API_PATH}`],
    ['API docs', `${url}/docs`],
    ['Database', nameOf(config.database)],
  ];
  if (admin?.type === 'made' || admin?.type === 'restored') {
    const isNew = admin.type === 'made' && admin.secret !== undefined;
    const secret = isNew ? `${admin.secret}   (shown only this once)` : 'the ADMIN_SECRET you gave';
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
