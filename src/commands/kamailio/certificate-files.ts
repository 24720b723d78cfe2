import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { Certificate } from '../../sip/kamailio/configuration';
import { CommandError } from '../answer';
import { idOfGroup, idOfUser } from '../private-file';

/** The files that the options name. */
interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
  /** By default, the certificate authorities of the system. */
  readonly authorities?: string | undefined;
  /** The group of Kamailio's user. By default, Kamailio runs as the current user. */
  readonly group?: string | undefined;
}

// The bundle of Debian, and that of Fedora.
const AUTHORITIES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt'];

/**
 * Checks the files of a certificate, so that Kamailio does not fail later: they can be read by Kamailio's user, the key
 * belongs to the certificate, and the certificate is valid now. Returns their absolute paths. Throws CommandError,
 * which names the file and never contains the key.
 */
export function checkCertificate({ certificate, key, authorities, group }: CertificateFiles): Certificate {
  const files = {
    certificate: resolve(certificate),
    key: resolve(key),
    authorities: authorities === undefined ? systemAuthorities() : resolve(authorities),
  };
  const texts = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, textOf(file)]));
  const [leaf] = certificatesIn(files.certificate, texts['certificate'] ?? '');
  certificatesIn(files.authorities, texts['authorities'] ?? '');
  const { validFrom, validTo } = leaf;
  const now = Date.now();
  if (Date.parse(validTo) <= now) throw new CommandError(`${files.certificate} has expired on ${validTo}`);
  if (Date.parse(validFrom) > now) throw new CommandError(`${files.certificate} is not valid before ${validFrom}`);
  if (!leaf.checkPrivateKey(keyIn(files.key, texts['key'] ?? '')))
    throw new CommandError(`${files.key} is not the key of the certificate ${files.certificate}`);
  for (const file of Object.values(files)) assertReadable(file, group);
  return files;
}

function systemAuthorities(): string {
  const found = AUTHORITIES.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new CommandError(
    `The system has no certificate authorities (${AUTHORITIES.join(', ')}): install ca-certificates, or name a file with --tls-ca`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}

/** Parses all certificates of a PEM file. */
function certificatesIn(file: string, text: string): readonly [X509Certificate, ...X509Certificate[]] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    const [first, ...rest] = blocks.map((block) => new X509Certificate(block));
    if (first) return [first, ...rest];
  } catch {
    // Reported below, without the library's text.
  }
  throw new CommandError(`${file} contains no certificate in PEM format, or one that is malformed`);
}

function keyIn(file: string, text: string): ReturnType<typeof createPrivateKey> {
  if (text.includes('ENCRYPTED')) throw new CommandError(`${file} is encrypted, but Kamailio asks for no passphrase`);
  try {
    return createPrivateKey(text);
  } catch {
    throw new CommandError(`${file} contains no private key in PEM format`);
  }
}

/**
 * Checks that Kamailio's user can read a file. With a group, that is a member of the group, or the user of the same
 * name.
 */
function assertReadable(file: string, group: string | undefined): void {
  if (group === undefined) {
    accessSync(file, constants.R_OK);
    return;
  }
  const user = idOfUser(group);
  const groupId = idOfGroup(group);
  for (const path of pathsTo(file)) {
    const { uid, gid, mode } = statSync(path);
    const shift = uid === user ? 6 : gid === groupId ? 3 : 0;
    const needed = path === realpathSync(file) ? constants.S_IROTH : constants.S_IXOTH;
    if (((mode >> shift) & needed) === 0)
      throw new CommandError(
        `${file} cannot be read by the group ${group}${path === realpathSync(file) ? '' : `, which may not enter ${path}`}`,
      );
  }
}

/** The file, and all directories through which it is reached, also those of symbolic links. */
function pathsTo(file: string): readonly string[] {
  const paths = [realpathSync(file)];
  for (const start of [file, realpathSync(file)]) {
    for (let path = dirname(start); ; path = dirname(path)) {
      if (!lstatSync(path).isSymbolicLink()) paths.push(path);
      if (path === dirname(path)) break;
    }
  }
  return paths;
}
