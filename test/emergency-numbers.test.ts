import {
  change,
  everythingElse,
  OFFICE,
  placeEmergency,
  undoing,
  unknownExceptions,
  type Placed,
} from './support/emergency';
import { onEachDriver } from './support/on-each-database';
import { registerContact, runSql, storeCall } from './support/sql';

const PLACES = { emergency: { host: '127.0.1.31', port: 5070 }, other: { host: '127.0.1.32', port: 5070 } };
const PHONE = '127.0.1.2';

interface Explained {
  readonly outcome: string;
  readonly attempts: readonly { readonly requestUri: string; readonly gateway: { readonly ref: string } | null }[];
}

onEachDriver('A call to 112 leaves by its emergency route', (subject) => {
  let placed: readonly Placed[];

  const refOf = (role: string): string => placed.find((each) => each.role === role)?.ref ?? '';

  beforeAll(async () => {
    const { app, url } = subject();
    placed = await placeEmergency(app, PLACES);
    await registerContact(url, { username: '112', domain: OFFICE, contact: 'sip:112@127.0.1.9' });
    // One call is in progress, and more minutes than any limit are used.
    await storeCall(url, {
      ...{ state: 3, direction: 'OUT', from_uri: `sip:anna@${OFFICE}`, called: '100' },
      ...{ caller: `agent:${refOf('caller')}`, gateway_ref: refOf('emergency gateway') },
    });
    const day = Math.floor(Date.now() / 86_400_000);
    for (const { kind, ref } of placed.filter((each) => ['Agent', 'Domain', 'Gateway'].includes(each.kind)))
      for (const prefix of ['1', '112'])
        await runSql(url, 'INSERT INTO used_minutes (day, kind, ref, prefix, seconds) VALUES (?, ?, ?, ?, 90000)', [
          ...[day, kind, ref, prefix],
        ]);
  });

  /** The gateways by which the call leaves, and whether 112 is called at each. */
  async function gateways(): Promise<unknown> {
    const { data, errors } = await subject().app.graphql<{ explainCall: Explained }>(
      `query ($from: String!, $source: String) { explainCall(from: $from, to: "112", sourceAddress: $source) {
        outcome attempts { requestUri gateway { ref } } } }`,
      { from: `anna@${OFFICE}`, source: PHONE },
    );
    expect(errors).toBeUndefined();
    const { outcome, attempts } = data.explainCall;
    return [outcome, ...attempts.map(({ requestUri, gateway }) => [/^sip:(9?112)@/.test(requestUri), gateway?.ref])];
  }

  const expected = (): unknown => ['LEAVES', [true, refOf('emergency gateway')]];

  test('whatever one of the other fields says', async () => {
    expect(unknownExceptions(placed)).toEqual([]);
    expect(await gateways()).toEqual(expected());
    const [wrong, missing]: [unknown[], string[]] = [[], []];
    for (const { of, field, inputs } of everythingElse(placed, PLACES)) {
      if (inputs.length === 0) missing.push(`${of.role} ${field}`);
      for (const input of inputs) {
        const refused = await change(subject().app, of, input);
        const left = await gateways();
        if (JSON.stringify(left) !== JSON.stringify(expected())) wrong.push([of.role, input, left]);
        // An emergency route cannot be disabled.
        if (refused !== undefined && !refused.includes('an emergency route cannot be disabled'))
          wrong.push([of.role, input, refused]);
        const undone = await change(subject().app, of, undoing(of, input));
        if (undone !== undefined) wrong.push([of.role, input, undone]);
      }
    }
    // A new field has a value in test/support/emergency.ts.
    expect(missing).toEqual([]);
    expect(wrong).toEqual([]);
    expect(await gateways()).toEqual(expected());
  });

  test('whatever all of the other fields say', async () => {
    for (let turn = 0; turn < 2; turn++) {
      // What another field excludes is tried without it.
      const without: string[] = [];
      for (const { of, inputs } of everythingElse(placed, PLACES)) {
        const refused = await change(subject().app, of, inputs[turn % inputs.length] ?? {});
        if (refused !== undefined) without.push(refused);
      }
      expect(without.length).toBeLessThan(8);
      expect(await gateways()).toEqual(expected());
    }
  });
});
