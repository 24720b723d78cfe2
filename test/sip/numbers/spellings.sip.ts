import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { CALLS, type Attack } from '../spellings/attacks';
import { findAll, type Finding } from '../spellings/findings';
import { listen, play, reaches, registers } from '../spellings/play';
import { World } from '../spellings/world';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

// CONTRIBUTING.md describes these variables.
const CASES = Number(process.env['CASES'] ?? 500);
const SEED = Number(process.env['SEED'] ?? Math.floor(Date.now() / 1000) % 1_000_000);
const MOST = Number(process.env['FINDINGS'] ?? 5);
const ATTACK = process.env['ATTACK'];

/** Who is registered all the time. */
const PHONES = ['anna', 'eve', 'otto', 'olga', 'pia', 'toni', 'emil', 'fay', 'fay2'] as const;

/** What of the attacks has to be accepted and relayed, so that something is tested. */
const EFFECTS = [
  ...['REGISTER', 'INVITE in a registration', 'INVITE in a request', 'MESSAGE in a request'],
  ...['INVITE', 'REFER', 'INFO', 'BYE', 'ACK'].map((method) => `${method} in a call`),
  ...['SUBSCRIBE', 'NOTIFY'].map((method) => `${method} in a subscription`),
];

/** What broke a promise once, as `ATTACK`. */
const FOUND = [
  // The provider has the tag of the caller, and then heard its BYE for the caller's own Contact, after an INVITE of the caller or an
  // UPDATE of the provider.
  `{"kind":"call","caller":"pbx","callee":"provider","inviting":[],"accepting":[],"isTagEqual":true,"reading":0,"isRung":false,
    "steps":[{"side":"pbx","method":"INVITE","parties":"own","isRoutedFirst":true,"headers":[]}]}`,
  `{"kind":"call","caller":"olga","callee":"provider","inviting":[],"accepting":[],"isTagEqual":true,"reading":0,"isRung":false,
    "steps":[{"side":"callee","method":"UPDATE","parties":"own","isRoutedFirst":true,"headers":[]}]}`,
];

describe('Attacks with odd spellings', () => {
  let world: World;
  const effects = new Map<string, number>();
  let strays: readonly unknown[];
  let usedBefore: number;
  let logged: number;

  beforeAll(async () => {
    world = await World.open(database);
    strays = listen(world);
    // Kamailio knows the domains and gateways after some seconds.
    for (const name of PHONES) {
      await eventually(10, async () => expect([name, await registers(world, name)]).toEqual([name, true]));
    }
    for (const [caller, callee] of CALLS) {
      const reached = [caller, callee, true];
      await eventually(10, async () => expect([caller, callee, await reaches(world, caller, callee)]).toEqual(reached));
    }
    usedBefore = await memory();
    logged = world.stack.kamailio.log().length;
  });

  afterAll(() => world.close());

  /** Kamailio's value in the output of a command of kamcmd. */
  async function statistic(command: string, name: string): Promise<number> {
    const socket = `unix:${world.stack.kamailio.directory}/sipgraph_kamailio_ctl`;
    const { stdout } = await promisify(execFile)('kamcmd', ['-s', socket, command]);
    return Number(new RegExp(`\\b${name}: (\\d+)`).exec(stdout)?.[1]);
  }
  const memory = (): Promise<number> => statistic('core.shmmem', 'used');

  async function run(attack: Attack) {
    const outcome = await play(world, attack);
    for (const effect of outcome.effects) effects.set(effect, (effects.get(effect) ?? 0) + 1);
    return outcome.violations;
  }

  if (ATTACK !== undefined) {
    test('this one breaks no promise', async () => {
      world.show = (name, direction, text) => void process.stdout.write(`--- ${name} ${direction}\n${text}`);
      expect(await run(JSON.parse(ATTACK) as Attack)).toEqual([]);
    });
    return;
  }

  test('break no promise that one of them broke before', async () => {
    for (const attack of FOUND) expect(await run(JSON.parse(attack) as Attack)).toEqual([]);
  });

  test(`break no promise (${CASES} cases, seed ${SEED})`, async () => {
    const report = (finding: Finding): void => {
      if (CASES > 500) process.stderr.write(`${describeFinding(finding)}\n`);
    };
    const findings = [...(await findAll(run, { cases: CASES, seed: SEED, most: MOST }, report))];
    // Not every seed has each effect among few cases.
    for (let more = 1; more <= 10 && !EFFECTS.every((effect) => effects.has(effect)); more++)
      findings.push(...(await findAll(run, { cases: 200, seed: SEED + more * 1_000_000, most: MOST }, report)));
    if (CASES > 500) process.stderr.write(`${[...effects].map(([what, times]) => `${times} ${what}`).join('\n')}\n`);
    expect(findings.map(describeFinding).join('\n')).toBe('');
    expect(strays).toEqual([]);
    expect([...effects.keys()]).toEqual(expect.arrayContaining(EFFECTS));
  }, 7_200_000);

  test('leave Kamailio as it was', async () => {
    // Transactions end within fr_timer (10 s) and wt_timer (5 s), and calls that only ring within fr_inv_timer (120 s).
    await eventually(140, async () => expect(await statistic('tm.stats', 'current')).toBeLessThan(5));
    expect(await statistic('dlg.stats_active', 'ongoing')).toBe(0);
    expect((await memory()) - usedBefore).toBeLessThan(4_000_000);
    for (const [caller, callee] of CALLS) {
      expect([caller, callee, await reaches(world, caller, callee)]).toEqual([caller, callee, true]);
    }
    // Kamailio logs in this way what anybody may send: an ACK or BYE that it does not expect, and a URI that ends with ;mad, ;madd or
    // ;maddr, which it cannot read.
    const log = world.stack.kamailio
      .log()
      .replace(/^.*CRITICAL.*(bogus event|parse_uri\(\): BUG: bad {2}state (39|4[01]) ).*$/gm, '');
    const lines = log.slice(logged).split('\n');
    expect(lines.filter((line) => !/^( ?\d+\(\d+\) (ERROR|WARNING|NOTICE|INFO|CRITICAL): .*)?$/.test(line))).toEqual(
      [],
    );
    expect(/^.*(CRITICAL|ALERT|EMERG|BUG|segfault|core was).*$/m.exec(log)?.[0]).toBeUndefined();
  }, 180_000);
});

function describeFinding({ kind, seed, cases, seconds, attack, message }: Finding): string {
  return `${kind}: seed ${seed}, after ${cases} cases, ${seconds} s\nATTACK='${attack}'\n${message}`;
}
