import { loadConfig } from '../../src/config/config';
import { startApp } from '../support/app';
import { createUser } from '../support/factories';
import { createSqliteDatabase } from '../support/databases/sqlite-database';
import { storeCall } from '../support/databases/sql';

test('traceUrl of a call has its Call-ID and its times, and viewers who see shortened numbers do not get it', async () => {
  const { url, drop } = await createSqliteDatabase();
  const TRACE_URL = 'https://homer.test/?id={callId}&from={begun}&to={ended}&x={other}';
  const app = await startApp({ DATABASE_URL: url, TRACE_URL, CALLS_PRIVACY: 'on' });
  await storeCall(url, { callId: 'a&b c@198.51.100.1', begun: Date.now() - 1000, ended: Date.now() });
  const read = async (token?: string) => {
    const { data } = await app.graphql<{
      calls: { nodes: { begunOn: string; endedOn: string; traceUrl: string | null }[] };
    }>('{ calls { nodes { begunOn endedOn traceUrl } } }', {}, { token });
    return data.calls.nodes[0];
  };
  const call = await read();
  const [begun, ended] = [Date.parse(call?.begunOn ?? ''), Date.parse(call?.endedOn ?? '')];
  expect(call?.traceUrl).toBe(
    `https://homer.test/?id=a%26b%20c%40198.51.100.1&from=${String(begun)}&to=${String(ended)}&x={other}`,
  );
  expect((await read((await createUser(app, 'VIEWER')).token))?.traceUrl).toBeNull();
  await app.close();
  await drop();
});

test('without TRACE_URL, traceUrl is null', async () => {
  const { url, drop } = await createSqliteDatabase();
  const app = await startApp({ DATABASE_URL: url });
  await storeCall(url);
  const { data } = await app.graphql('{ calls { nodes { traceUrl } } }');
  expect(data).toEqual({ calls: { nodes: [{ traceUrl: null }] } });
  await app.close();
  await drop();
});

test.each([
  ['homer.test/{callId}', /TRACE_URL: is not an http or https URL/],
  ['javascript:{callId}', /TRACE_URL: is not an http or https URL/],
  ['https://homer.test/', /TRACE_URL: does not contain \{callId\}/],
])('TRACE_URL=%s is refused', (TRACE_URL, message) => {
  expect(() => loadConfig({ TRACE_URL })).toThrow(message);
});
