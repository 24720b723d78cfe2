import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import type { TestApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { isFull } from '../support/runner/full';
import { onEachDatabase, type Subject } from '../support/databases/on-each-database';

/** A write of a sequence: on one of a few resources, with one of a few values. */
interface Step {
  readonly type: 'create' | 'update' | 'delete' | 'import';
  readonly slot: number;
  readonly value: number;
}

const steps = fc.array(
  fc.record({
    type: fc.constantFrom('create', 'create', 'update', 'update', 'delete', 'import'),
    slot: fc.nat({ max: 2 }),
    value: fc.nat({ max: 3 }),
  }),
  { minLength: 3, maxLength: 12 },
);

const FIELDS = 'ref name host port username secretSet transport sendRegister registries createdOn modifiedOn';
type Fields = Readonly<Record<string, unknown>>;

const file = join(mkdtempSync(join(tmpdir(), 'history-')), 'gateways.json');

let run = 0;

onEachDatabase('The history of random writes', (subject) => {
  async function read(app: TestApp, ref: string, asOf?: string): Promise<Fields | null> {
    const time = asOf === undefined ? '' : `, asOf: "${asOf}"`;
    const { data } = await app.graphql<{ gateway: Fields | null } | null>(
      `{ gateway(ref: "${ref}"${time}) { ${FIELDS} } }`,
    );
    return data?.gateway ?? null;
  }

  test('tells each earlier state, and reverting it newest first leads back to nothing', async () => {
    const { app } = subject();
    await fc.assert(
      fc.asyncProperty(steps, async (sequence: readonly Step[]) => {
        const prefix = `r${String(++run)}`;
        const refs = [0, 1, 2].map((slot) => `${prefix}-${String(slot)}`);
        const moments: { readonly at: string; readonly states: readonly (Fields | null)[] }[] = [];
        for (const step of sequence) {
          await apply(subject(), step, refs[step.slot] ?? '');
          await pause();
          const states = await Promise.all(refs.map((ref) => read(app, ref)));
          moments.push({ at: new Date().toISOString(), states });
          await pause();
        }
        for (const { at, states } of moments)
          expect(await Promise.all(refs.map((ref) => read(app, ref, at)))).toEqual(states);
        const entries = await Promise.all(
          refs.map(async (ref) => {
            const { data } = await app.graphql<{ history: { nodes: { entry: string }[] } }>(
              `{ history(first: 100, where: { kind: Gateway, ref: "${ref}" }) { nodes { entry } } }`,
            );
            return data.history.nodes.map(({ entry }) => Number(entry));
          }),
        );
        for (const entry of entries.flat().sort((a, b) => b - a)) {
          const { errors } = await app.graphql(
            `mutation { revert(entry: "${String(entry)}", secrets: [{ field: "secret", value: "the secret" }]) { ref } }`,
          );
          expect(errors).toBeUndefined();
        }
        expect(await Promise.all(refs.map((ref) => read(app, ref)))).toEqual([null, null, null]);
        const last = moments.at(-1);
        if (last) expect(await Promise.all(refs.map((ref) => read(app, ref, last.at)))).toEqual(last.states);
      }),
      { numRuns: isFull ? 12 : 4 },
    );
  });
});

/** Writes over GraphQL, or imports a file. A write that is not possible changes nothing. */
async function apply({ app, url }: Subject, { type, slot, value }: Step, ref: string): Promise<void> {
  const host = `${ref}.${String(slot)}.test`;
  const input = {
    name: `name ${String(value)}`,
    ...(value % 2 === 1 ? { username: 'u', secret: 'the secret' } : { username: null, secret: null }),
    port: value === 3 ? null : 5060 + value,
    sendRegister: value === 2 ? null : value === 1,
    registries: value === 0 ? null : [`r${String(value)}.test`, 'other.test:5080'],
  };
  if (type === 'create')
    await app.graphql('mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }', {
      input: { ...input, ref, host, transport: 'UDP' },
    });
  else if (type === 'update')
    await app.graphql(
      `mutation ($input: UpdateGatewayInput!) { updateGateway(ref: "${ref}", input: $input) { ref } }`,
      {
        input,
      },
    );
  else if (type === 'delete') await app.graphql(`mutation { deleteGateway(ref: "${ref}") }`);
  else {
    const entry = {
      kind: 'Gateway',
      metadata: { ref, name: 'imported', extra: value },
      spec: { host, transport: 'tcp' },
    };
    await writeFile(file, JSON.stringify([entry]));
    expect((await runCommand({ DATABASE_URL: url }, 'import', file)).err).toBe('');
  }
}

/** Moves the clock on by more than a millisecond. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3));
}
