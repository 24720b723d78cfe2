import { performance } from 'node:perf_hooks';

import { sign } from 'jsonwebtoken';

import { fetchToken } from '../support/app';
import { runCommand } from '../support/command-line';
import { onEachDriver } from '../support/databases/on-each-database';
import { eventually } from '../support/eventually';

const HOUR = 3_600_000;

onEachDriver('If the clock is set back', (subject) => {
  const [now, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)];
  /** Sets the clock back, and lets as many milliseconds pass. */
  function setBack(passed: number): void {
    jest.spyOn(Date, 'now').mockImplementation(() => now() - HOUR);
    jest.spyOn(performance, 'now').mockImplementation(() => monotonic() + passed);
  }

  afterEach(() => jest.restoreAllMocks());

  test('sign-ins of the last minute have their entry, revoked keys end, and unknown keys are refused', async () => {
    const { app, url } = subject();
    const statusOf = async (token: string): Promise<number> =>
      (await app.rest('GET', '/system/info', { token })).status;
    const signIn = (): Promise<string> => fetchToken(app.url, 'admin', app.adminSecret);
    const counts = async (): Promise<readonly unknown[]> => {
      const { data, errors } = await app.graphql<{ history: { nodes: readonly { event: string; count: unknown }[] } }>(
        '{ history(first: 20, where: { kind: User }) { nodes { event count } } }',
        {},
        { token },
      );
      expect(errors).toBeUndefined();
      return data.history.nodes.filter(({ event }) => event === 'SIGNED_IN').map(({ count }) => count);
    };
    let token = await signIn();
    await eventually(5, async () => expect(await counts()).toEqual([1]));
    for (let n = 0; n < 2; n++) token = await signIn();
    const unknown = sign({ sub: 'a' }, 'a key', { keyid: 'unknown' });
    setBack(61_000);
    await eventually(10, async () => expect(await counts()).toEqual([2, 1]));
    await runCommand({ DATABASE_URL: url }, 'key', 'rotate', '--now');
    setBack(61_000 + 31_000);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(unknown)).toBe(401);
    expect(await statusOf(await signIn())).toBe(200);
  });
});
