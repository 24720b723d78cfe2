import {
  change,
  changeEverythingElse,
  everythingElse,
  OFFICE,
  placeEmergency,
  undoing,
  unknownExceptions,
  useUpMinutes,
  type Placed,
} from '../support/emergency';
import { onEachDriver } from '../support/databases/on-each-database';
import { registerContact, storeCall } from '../support/databases/sql';

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
    // One call is in progress.
    await storeCall(url, {
      ...{ state: 3, direction: 'OUT', from_uri: `sip:anna@${OFFICE}`, called: '100' },
      ...{ caller: `agent:${refOf('caller')}`, gateway_ref: refOf('emergency gateway') },
    });
    await useUpMinutes(url, placed);
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
      await changeEverythingElse(subject().app, placed, PLACES, turn);
      expect(await gateways()).toEqual(expected());
    }
  });
});
