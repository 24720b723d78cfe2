import type { Config } from './config';
import { API_VERSION } from './resources/kind';
import type { FirstAdmin } from './start';
import { API_PATH } from './system/system-info';

/** What the start prints: where everything is, and who may sign in. */
export function banner(config: Config, url: string, admin: FirstAdmin | undefined): string {
  const { database } = config;
  const lines = [
    ['GraphQL', `${url}/graphql`],
    ...(config.playground ? [['Playground', `${url}/playground`]] : []),
    ['REST', `${url}${API_PATH}/${API_VERSION}`],
    ['API docs', `${url}/docs`],
    [
      'Database',
      database.dialect === 'sqlite' ? database.file : `${database.host}:${String(database.port)}/${database.database}`,
    ],
  ];
  if (admin) {
    const secret = admin.generated ? `${admin.secret}   (shown only this once)` : 'the ADMIN_SECRET you gave';
    lines.push(['Sign in as', admin.username], ['with secret', secret]);
  }
  return [
    '',
    `sipgraph ${config.version} is listening`,
    '',
    ...lines.map(([name = '', value = '']) => `  ${name.padEnd(12)} ${value}`),
    '',
  ].join('\n');
}
