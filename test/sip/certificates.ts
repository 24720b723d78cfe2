import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its key, as PEM files. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

/** Certificate authorities of a test, and the certificates that they sign. */
export class Certificates {
  readonly directory = mkdtempSync(join(tmpdir(), 'sipgraph-certificates-'));

  constructor() {
    for (const authority of ['known', 'unknown'])
      this.openssl('req', '-x509', ...NEW_KEY, this.at(`${authority}.key`), '-out', this.authority(authority), ...CA);
  }

  /** The certificate of an authority, as a PEM file. */
  authority(name = 'known'): string {
    return this.at(`${name}.pem`);
  }

  /** Signs a certificate for names such as `DNS:a.test` and `IP:127.0.0.1`. */
  sign(name: string, names: string, { by = 'known', days = 2 } = {}): Certified {
    const [cert, key, csr] = ['pem', 'key', 'csr'].map((end) => this.at(`${name}.${end}`)) as [string, string, string];
    this.openssl('req', ...NEW_KEY, key, '-out', csr, '-subj', '/CN=a.test');
    writeFileSync(this.at('extensions'), `subjectAltName=${names}\n`);
    const signed = [
      '-CA',
      this.authority(by),
      '-CAkey',
      this.at(`${by}.key`),
      '-CAcreateserial',
      '-days',
      String(days),
    ];
    this.openssl('x509', '-req', '-in', csr, ...signed, '-extfile', this.at('extensions'), '-out', cert);
    return { cert, key };
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }

  at(name: string): string {
    return join(this.directory, name);
  }

  private openssl(...args: readonly string[]): void {
    execFileSync('openssl', args, { stdio: 'pipe', cwd: this.directory });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout'];
const CA = ['-days', '2', '-subj', '/CN=Authority'];

/** The certificate and key as the module tls of Node.js takes them. */
export function pemOf({ cert, key }: Certified): { readonly cert: string; readonly key: string } {
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}
