import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Creates a certificate authority in a directory, `authority.pem`, and a certificate for a server with this name,
 * `authority-host.pem` and `authority-host.key`. Requires openssl.
 */
export function certify(directory: string, authority: string, host: string): void {
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: directory, stdio: 'ignore' });
  };
  const subject = ['-subj', `/CN=${authority}`, '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
  openssl('req', '-x509', ...subject, '-keyout', `${authority}.key`, '-out', `${authority}.pem`);
  const name = `${authority}-${host}`;
  const request = ['-new', '-nodes', '-newkey', 'rsa:2048', '-subj', `/CN=${host}`];
  openssl('req', ...request, '-keyout', `${name}.key`, '-out', 'csr');
  writeFileSync(join(directory, 'ext'), `subjectAltName=DNS:${host}\n`);
  const signed = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-extfile', 'ext'];
  openssl('x509', '-req', '-in', 'csr', ...signed, '-days', '2', '-out', `${name}.pem`);
}
