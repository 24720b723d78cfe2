import { createSocket, type Socket } from 'node:dgram';

import { databases } from '../support/databases';
import { eventually } from '../support/eventually';
import { createAgent } from '../support/factories';
import { startStack, type Stack } from './stack';

const servers = databases.filter(({ name }) => name === 'MariaDB');

describe.each(servers)('Traces of Kamailio, on $name', (database) => {
  let collector: Socket;
  let stack: Stack;
  const packets: string[] = [];

  beforeAll(async () => {
    collector = createSocket('udp4');
    collector.on('message', (packet) => packets.push(packet.toString('latin1')));
    await new Promise<void>((done) => collector.bind(0, '127.0.0.1', () => done()));
    const hep = `127.0.0.1:${String(collector.address().port)}`;
    stack = await startStack(database, { config: ['--hep', hep] });
    await createAgent(stack.app, { username: 'traced', secret: 's', domains: ['one.test'] });
  });

  afterAll(async () => {
    await stack.close();
    collector.close();
  });

  test('a collector gets requests and responses in HEP version 3', async () => {
    expect(await stack.register('traced', 'one.test', 's')).toBe(true);
    await eventually(20, () => {
      for (const line of ['REGISTER sip:one.test SIP/2.0', 'SIP/2.0 401 ', 'SIP/2.0 200 OK'])
        expect(packets.some((packet) => packet.startsWith('HEP3') && packet.includes(line))).toBe(true);
    });
  });

  test.each([
    ['homer.example:9060', /^hep: "homer\.example:9060" does not begin with an IP address$/],
    ['127.0.0.1', /^hep: "127\.0\.0\.1" is not host:port$/],
  ])('no configuration is printed for --hep %s', async (address, message) => {
    const printed = stack.run('kamailio', 'config', '--password', 'p', '--hep', address);
    await expect(printed).rejects.toThrow(message);
  });
});
