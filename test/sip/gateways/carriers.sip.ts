import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { answeredCall } from '../call';
import { headersOf, id, Phone } from '../phone';
import { startStack, type Stack } from '../stack';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

/** The hosts and networks of the page, and those of this machine. */
const HERE: readonly (readonly [page: string, here: string])[] = [
  ['sip.one.example', '127.0.82.1'],
  ['eu.two.example', '127.0.82.11'],
  ['us.two.example', '127.0.82.12'],
  ['ap.two.example', '127.0.82.13'],
  ['192.0.2.', '127.0.83.'],
  ['198.51.100.', '127.0.84.'],
  ['203.0.113.', '127.0.85.'],
];
const CREDENTIALS = { username: 'anna', secret: 's' };

/** A host of a carrier, which answers each INVITE in the same way, and requires a digest for REGISTER. */
class Carrier {
  answer = '503 Service Unavailable';
  /** From of each INVITE. */
  readonly invited: string[] = [];
  private readonly seen = new Set<string>();

  private constructor(readonly phone: Phone) {
    this.serves();
  }

  /** Answers all further messages. */
  serves(): void {
    this.phone.handle((message) => {
      this.hears(message);
    });
  }

  static async open(server: string, host: string): Promise<Carrier> {
    return new Carrier(await Phone.open(server, host, 5060));
  }

  private hears(message: string): void {
    const [method = ''] = message.split(' ');
    if (method === 'OPTIONS' || method === 'BYE') this.phone.answers(message, '200 OK', 'c');
    if (method === 'REGISTER') {
      const challenge = 'WWW-Authenticate: Digest realm="one", nonce="n", qop="auth"';
      if (headersOf(message, 'Authorization').length === 0)
        this.phone.answers(message, '401 Unauthorized', 'c', [challenge]);
      else
        this.phone.answers(
          message,
          '200 OK',
          'c',
          headersOf(message, 'Contact').map((line) => `${line};expires=600`),
        );
    }
    if (method !== 'INVITE') return;
    const branch = /branch=([^;\r]+)/.exec(message)?.[1] ?? '';
    const isNew = this.seen.size < this.seen.add(branch).size;
    if (isNew) this.invited.push(/sip:([^@]*)@/.exec(headersOf(message, 'From')[0] ?? '')?.[1] ?? '');
    this.phone.answers(message, this.answer, 'c', [`Contact: <${this.phone.contact('c')}>`]);
  }
}

describe('docs/kamailio/carriers.md', () => {
  let stack: Stack;
  let anna: Phone;
  const carriers = new Map<string, Carrier>();
  const sections = new Map<string, readonly Block[]>();

  interface Block {
    readonly language: string;
    readonly text: string;
  }

  beforeAll(async () => {
    stack = await startStack(database);
    anna = await Phone.open(stack.sip);
    for (const [page, host] of HERE.slice(0, 4)) carriers.set(page, await Carrier.open(stack.sip, host));
    const page = await readFile(join(__dirname, '../../../docs/kamailio/carriers.md'), 'utf8');
    const here = HERE.reduce((text, [usual, own]) => text.replaceAll(usual, own), page);
    for (const section of here.split(/^## /m).slice(1)) {
      const [title = ''] = section.split('\n', 1);
      const blocks = [...section.matchAll(/```(\w+)\n([^]*?)```/g)];
      sections.set(
        title,
        blocks.map(([, language = '', text = '']) => ({ language, text })),
      );
    }
  });

  afterAll(async () => {
    for (const { phone } of carriers.values()) phone.close();
    anna.close();
    await stack.close();
  });

  /** Does what a section says. Returns what its commands and its queries print. */
  async function follow(title: string): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'sipgraph-carriers-'));
    const printed: string[] = [];
    for (const { language, text } of sections.get(title) ?? []) {
      if (language === 'yaml') await writeFile(join(directory, /^# (\S+)/.exec(text)?.[1] ?? ''), text);
      if (language === 'graphql') printed.push(await graphql(text));
      if (language !== 'sh') continue;
      const args = text.trim().replace('npx sipgraph ', '').split(' ');
      printed.push(await stack.run(...args.map((arg) => (arg.endsWith('.yml') ? join(directory, arg) : arg))));
    }
    return printed.join('\n');
  }

  async function graphql(document: string): Promise<string> {
    const { data, errors } = await stack.app.graphql(document);
    expect(errors).toBeUndefined();
    return JSON.stringify(data);
  }

  const at = (page: string): Carrier => {
    const carrier = carriers.get(page);
    if (!carrier) throw new Error(page);
    return carrier;
  };

  /** Anna calls. Returns the status, and the callers that the hosts of carriers saw, in their order on the page. */
  async function dial(to: string): Promise<readonly [string, readonly (readonly string[])[]]> {
    for (const carrier of carriers.values()) carrier.invited.length = 0;
    const headers = [`Contact: <${anna.contact('anna')}>`];
    const called = `${to}@office.example`;
    const asking = { method: 'INVITE', uri: `sip:${called}`, from: 'anna@office.example', to: called, fromTag: id() };
    const answer = await anna.proves({ ...asking, headers }, CREDENTIALS);
    return [answer?.slice(8, 11) ?? 'none', [...carriers.values()].map(({ invited }) => [...invited])];
  }

  /** Calls a number from an address of a carrier. Whether Anna's phone rings, or else the response. */
  async function callFrom(host: string, to: string, uri = `sip:${to}@${stack.sip}`): Promise<string> {
    const carrier = [...carriers.values()].find(({ phone }) => phone.host === host);
    const caller = carrier?.phone ?? (await Phone.open(stack.sip, host));
    caller.handle(undefined);
    try {
      const made = answeredCall({ phone: caller, from: '+33142@carrier.example' }, anna, `${to}@${stack.sip}`, { uri });
      return await made.then(
        () => 'rings',
        (error: unknown) => /SIP\/2\.0 (\d+)/.exec(String(error))?.[1] ?? 'nothing',
      );
    } finally {
      if (carrier) carrier.serves();
      else caller.close();
    }
  }

  test('connects a carrier that registers, one by address, failover, and emergency numbers', async () => {
    await follow('An office');
    await eventually(15, async () => expect(await anna.registers('anna', 'office.example')).toMatch(/^SIP\/2\.0 200/));

    const one = at('sip.one.example');
    one.answer = '200 OK';
    expect(await follow('1. A carrier that registers')).toContain('127.0.82.1');
    await eventually(20, async () => expect(await stack.run('trunks')).toContain('REGISTERED'));
    await eventually(15, async () => expect(await dial('+4989123456')).toEqual(['200', [['+49301000'], [], [], []]]));
    const [host, eu, us, ap] = ['127.0.82.1', at('eu.two.example'), at('us.two.example'), at('ap.two.example')];
    expect(await callFrom(host, '+49301000', `sip:carrier-one@${stack.sip}`)).toBe('rings');

    us.answer = '200 OK';
    await follow('2. A carrier by address');
    // The second host of the region is called when the first one cannot carry the call.
    const american = ['+12025550100'];
    await eventually(15, async () => expect(await dial('+12025550199')).toEqual(['200', [[], american, american, []]]));
    for (const source of ['127.0.83.1', '127.0.83.65', '127.0.84.2', '127.0.85.15', '127.0.82.13'])
      expect([source, await callFrom(source, '+12025550100')]).toEqual([source, 'rings']);
    expect(await callFrom('127.0.83.17', '+12025550100')).toBe('407');
    const [refused = ''] = (sections.get('2. A carrier by address') ?? []).flatMap(({ language, text }) =>
      language === 'graphql' ? [text] : [],
    );
    await eventually(10, async () =>
      expect(await graphql(refused)).toBe(
        '{"refusedCallers":[{"ip":"127.0.83.17","calls":1,"gateway":{"ref":"carrier-two"}}]}',
      ),
    );

    one.answer = '503 Service Unavailable';
    eu.answer = '200 OK';
    expect(await follow('3. Failover')).toContain('127.0.82.11');
    expect(await dial('+4989123456')).toEqual(['200', [['+49301000'], american, [], []]]);
    one.answer = '486 Busy Here';
    expect(await dial('+4989123456')).toEqual(['486', [['+49301000'], [], [], []]]);

    await follow('4. Emergency numbers');
    const disable = 'mutation { updateGateway(ref: "carrier-one", input: { enabled: false }) { enabled } }';
    expect(await graphql(disable)).toBe('{"updateGateway":{"enabled":false}}');
    one.answer = '200 OK';
    expect(await dial('112')).toEqual(['200', [['+49301000'], [], [], []]]);
    expect(ap.invited).toEqual([]);
  }, 180_000);
});
