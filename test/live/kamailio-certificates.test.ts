import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';

import { Certificates, type Certified } from '../sip/certificates';
import { runCommand } from '../support/command-line';
import { describeWith } from '../support/runner/programs';

describeWith(['openssl'], 'The certificate of a configuration for Kamailio', () => {
  let certificates: Certificates;
  let good: Certified;
  let output: string;

  beforeAll(() => {
    certificates = new Certificates();
    good = certificates.sign('good', 'DNS:sip.test');
    output = certificates.at('kamailio.cfg');
  });

  afterAll(() => {
    certificates.remove();
  });

  const config = (...args: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(
      { DATABASE_URL: 'mysql://u:p@127.0.0.1:3306/sipgraph' },
      ...['kamailio', 'config', '--password', 'kamailio-secret', '--sip', '192.0.2.1:5060', ...args],
    );
  const tls = ({ cert, key }: Certified): string[] => ['--tls-cert', cert, '--tls-key', key];
  const authorities = (): string[] => ['--tls-ca', certificates.authority()];

  test('is named in a second file, beside the configuration, and its key in neither', async () => {
    const { code, out } = await config(...tls(good), ...authorities(), '--output', output);
    expect({ code, out }).toEqual({
      code: 0,
      out: `Wrote ${output} and ${certificates.at('kamailio.tls')}, which only their owner can read.\n`,
    });
    const texts = [output, certificates.at('kamailio.tls')].map((file) => readFileSync(file, 'utf8'));
    expect(texts[0]).toContain('listen=tls:192.0.2.1:5061\n');
    expect(texts[0]).toContain('modparam("tls", "config", "kamailio.tls")');
    for (const file of [good.cert, good.key, certificates.authority()]) expect(texts[1]).toContain(`"${file}"`);
    const secret = readFileSync(good.key, 'utf8').split('\n')[1] ?? '';
    expect(secret).toMatch(/.{60}/);
    expect(texts.join()).not.toContain(secret);
    expect(statSync(certificates.at('kamailio.tls')).mode & 0o777).toBe(0o600);
  });

  test('is for the public address of a NAT, too', async () => {
    await config(...tls(good), ...authorities(), '--advertise', '203.0.113.7:6060', '--output', output);
    const text = readFileSync(output, 'utf8');
    for (const transport of ['udp', 'tcp'])
      expect(text).toContain(`listen=${transport}:192.0.2.1:5060 advertise "203.0.113.7":6060\n`);
    expect(text).toContain('listen=tls:192.0.2.1:5061 advertise "203.0.113.7":5061\n');
  });

  test('is absent by default', async () => {
    const { out } = await config();
    expect(out).not.toMatch(/^listen=tls|tls\.so|[a-z]{4}_tls\b(?<!disable_tls)|WITH_TLS|@[A-Z_]+@/m);
  });

  test.each<[string, () => readonly string[], RegExp]>([
    ['a missing key', () => ['--tls-cert', good.cert, '--output', output], /needs both --tls-cert and --tls-key/],
    ['only an address', () => ['--tls', '192.0.2.1:5061', '--output', output], /needs both --tls-cert and --tls-key/],
    ['no file to write', () => [...tls(good), ...authorities()], /TLS needs --output/],
    [
      'the address for SIP without TLS',
      () => [...tls(good), ...authorities(), '--tls', '192.0.2.1:5060', '--output', output],
      /tls: "192\.0\.2\.1:5060" is the address for SIP without TLS/,
    ],
    [
      'a wildcard address',
      () => [...tls(good), ...authorities(), '--tls', '0.0.0.0:5061', '--output', output],
      /tls: "0\.0\.0\.0:5061" is a wildcard/,
    ],
    [
      'a public address that has its port for SIP without TLS',
      () => [...tls(good), ...authorities(), '--advertise', '203.0.113.7:5061', '--output', output],
      /advertise: "203\.0\.113\.7:5061" has the port of SIP over TLS/,
    ],
    [
      'a file that does not exist',
      () => [...tls({ ...good, cert: '/nowhere/cert.pem' }), ...authorities(), '--output', output],
      /^\/nowhere\/cert\.pem cannot be read: ENOENT$/m,
    ],
    [
      'a key of another certificate',
      () => [
        ...tls({ ...good, key: certificates.sign('other', 'DNS:a.test').key }),
        ...authorities(),
        '--output',
        output,
      ],
      /other\.key is not the key of the certificate .*good\.pem/,
    ],
    [
      'an expired certificate',
      () => [...tls(certificates.sign('old', 'DNS:a.test', { days: -1 })), ...authorities(), '--output', output],
      /old\.pem has expired on /,
    ],
    [
      'a certificate in the place of the key',
      () => [...tls({ ...good, key: good.cert }), ...authorities(), '--output', output],
      /good\.pem contains no private key in PEM format/,
    ],
    [
      'a key in the place of the certificate',
      () => [...tls({ ...good, cert: good.key }), ...authorities(), '--output', output],
      /good\.key contains no certificate in PEM format/,
    ],
    [
      'an encrypted key',
      () => {
        writeFileSync(certificates.at('locked.key'), '-----BEGIN ENCRYPTED PRIVATE KEY-----\n');
        return [...tls({ ...good, key: certificates.at('locked.key') }), ...authorities(), '--output', output];
      },
      /locked\.key is encrypted, but Kamailio asks for no passphrase/,
    ],
    [
      'authorities without a certificate',
      () => [...tls(good), '--tls-ca', good.key, '--output', output],
      /good\.key contains no certificate in PEM format/,
    ],
  ])('is refused with %s, and nothing is written', async (_what, args, message) => {
    writeFileSync(output, 'before');
    const { code, err } = await config(...args());
    expect(err).toMatch(message);
    expect(err).not.toMatch(/BEGIN|-----|node:|at .*\.ts/);
    expect(code).not.toBe(0);
    expect(readFileSync(output, 'utf8')).toBe('before');
  });

  describe('for a group', () => {
    // The number of a group without members, and without a user of its name.
    const group = '54321';

    test.each<[string, (copy: Certified & { directory: string }) => void, RegExp | undefined]>([
      ['that may read the files', () => undefined, undefined],
      [
        'that may not read the key',
        ({ key }) => {
          chmodSync(key, 0o600);
        },
        /own\.key cannot be read by the group 54321$/m,
      ],
      [
        'that may not enter the directory',
        ({ directory }) => {
          chmodSync(directory, 0o700);
        },
        /cannot be read by the group 54321, which may not enter .*\/of-a-group-2$/m,
      ],
    ])('%s is accepted or refused', async (name, change, message) => {
      const directory = certificates.at(
        `of-a-group-${String(['key', 'directory'].findIndex((word) => name.includes(word)) + 1)}`,
      );
      chmodSync(certificates.directory, 0o755);
      mkdirSync(directory, { mode: 0o755 });
      const copy = { directory, cert: `${directory}/own.pem`, key: `${directory}/own.key` };
      writeFileSync(copy.cert, readFileSync(good.cert), { mode: 0o644 });
      writeFileSync(copy.key, readFileSync(good.key), { mode: 0o644 });
      chmodSync(certificates.authority(), 0o644);
      change(copy);
      const args = [...tls(copy), ...authorities(), '--output', output];
      // Root may give the file to any group.
      const { err } = await config(...args, '--group', group);
      if (message === undefined) expect(err).not.toContain('cannot be read by');
      else expect(err).toMatch(message);
    });
  });
});
