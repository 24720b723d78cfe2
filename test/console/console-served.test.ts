import { startApp } from '../support/app';

const HTML = { accept: 'text/html' };

test.each([
  ['by default, browsers open the console at /', {}, 'console'],
  ['CONSOLE=off turns the console off, and browsers open the playground', { CONSOLE: 'off' }, 'playground'],
  ['without the playground, too, browsers open the API docs', { CONSOLE: 'off', PLAYGROUND: 'false' }, 'docs'],
  ['DISCOVERY=off leaves the console', { DISCOVERY: 'off' }, 'console'],
  ['without any page, / is not found', { DISCOVERY: 'off', CONSOLE: 'off' }, null],
])('%s', async (_name, env, home) => {
  const app = await startApp(env);
  const atHome = await fetch(`${app.url}/`, { redirect: 'manual', headers: HTML });
  const toPrograms = await fetch(`${app.url}/`);
  const pages = await Promise.all(
    ['/console', '/console/gateways?page=2'].map((path) => fetch(`${app.url}${path}`, { headers: HTML })),
  );
  const statuses = pages.map(({ status }) => status);
  await app.close();
  expect([atHome.status, atHome.headers.get('location')]).toEqual(home === null ? [404, null] : [302, home]);
  expect(toPrograms.status).toBe(404);
  expect(statuses).toEqual(Array(2).fill(home === 'console' ? 200 : 404));
});
