import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { pendingChanges, type Pending } from '../../support/pending';
import { id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';
import { createTrunk } from './trunk';

const CREDENTIALS = { username: 'anna', secret: 's' };

describe.each(databases.filter(({ name }) => name !== 'SQLite'))('A change that breaks calls, on $name', (database) => {
  let stack: Stack;
  let anna: Phone;
  let good: Phone;
  let bad: Phone;
  let gatewayRef: string;

  beforeAll(async () => {
    const host = database.name === 'MySQL' ? '127.0.82.2' : '127.0.82.1';
    stack = await startStack(database);
    anna = await Phone.open(stack.sip);
    [good, bad] = [await Phone.open(stack.sip, host), await Phone.open(stack.sip, host)];
    const trunk = await createTrunk(stack.app, {
      gateway: { name: 'trunk', host, port: good.port },
      aorLink: 'sip:bert@one.test',
      agents: [['anna', 'out.test']],
    });
    ({ gatewayRef } = trunk);
    expect(await anna.registers('anna', 'out.test')).toMatch(/^SIP\/2\.0 200/);
  });

  afterAll(async () => {
    for (const phone of [anna, good, bad]) phone.close();
    await stack.close();
  });

  /** Anna calls out, and a provider refuses the call. Throws if its INVITE does not arrive there. */
  async function calls(provider: Phone): Promise<void> {
    const [callId, to] = [id(), '+49305550@out.test'];
    const headers = [`Contact: <${anna.contact('anna')}>`];
    const asking = { method: 'INVITE', uri: `sip:${to}`, from: 'anna@out.test', to, callId, fromTag: 'f', headers };
    const answer = anna.proves(asking, CREDENTIALS);
    const invite = await provider.hears((text) => text.startsWith('INVITE ') && text.includes(callId), 5);
    if (invite === undefined) throw new Error(`no INVITE: ${String(await answer)}`);
    provider.answers(invite, '503 Service Unavailable', 'p');
    // A proxy does not pass on a 503 (RFC 3261, 16.7).
    expect(await answer).toMatch(/^SIP\/2\.0 500/);
  }

  /** The set of changes, as it is now. */
  const pending = async (): Promise<Pending | undefined> => (await pendingChanges(stack.app))[0];

  test('comes back within 5 s from when too many calls have failed, and the history says why, with the figure', async () => {
    const { app } = stack;
    const { errors } = await app.graphql(
      `mutation ($ref: String!, $port: Int) {
        updateManyGateways(refs: [$ref], set: { port: $port }, expectedCount: 1, confirmWithin: 600, revertIf: { failedCallsPercent: 50, minCalls: 3 }) {
          pending { state }
        }
      }`,
      { ref: gatewayRef, port: bad.port },
    );
    expect(errors).toBeUndefined();
    // Kamailio asks for the gateway in each call.
    for (let n = 0; n < 2; n++) await calls(bad);
    await eventually(8, async () =>
      expect(await pending()).toMatchObject({ state: 'UNCONFIRMED', figures: { newCalls: 2, failedCalls: 2 } }),
    );
    await calls(bad);
    const crossed = Date.now();
    await eventually(15, async () => expect(await pending()).toMatchObject({ state: 'REVERTED' }), 100);
    const reverted = await pending();
    const reason = '100 % of 3 new calls failed, limit 50 %';
    expect(reverted).toMatchObject({ reason, figures: { newCalls: 3, failedCalls: 3 } });
    expect(Date.parse(reverted?.finishedOn ?? '') - crossed).toBeLessThan(5000);
    const { data } = await app.graphql<{ history: { nodes: readonly object[] }; gateway: { port: number } }>(
      `query ($request: String, $ref: String!) {
        history(where: { request: $request }) { nodes { kind ref reason changes { field before after } } }
        gateway(ref: $ref) { port }
      }`,
      { request: reverted?.revertedBy, ref: gatewayRef },
    );
    expect(data.gateway.port).toBe(good.port);
    const [before, after] = [String(bad.port), String(good.port)];
    expect(data.history.nodes).toEqual([
      { kind: 'Gateway', ref: gatewayRef, reason, changes: [{ field: 'port', before, after }] },
    ]);
    // The next call takes the old way.
    await calls(good);
  });
});
