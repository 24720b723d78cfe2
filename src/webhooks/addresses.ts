import { getServers, promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';

/** An address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

// Milliseconds to wait for a name server, and the number of times that each is asked.
const PATIENCE = { timeout: 1500, tries: 2 };
const HOSTS = '/etc/hosts';
const LOOPBACK: readonly HostAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Returns the addresses of a host, from /etc/hosts or else from the name servers of the system, until `signal` is
 * aborted. The system's own look-up is not used: each one occupies a thread, of which the process has four, until a name
 * server responds. Throws an Error with a `code`.
 */
export async function addressesOf(host: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const name = host.toLowerCase();
  const known = inHosts(await readFile(HOSTS, 'utf8').catch(() => ''), name);
  if (known.length > 0) return known;
  if (name === 'localhost') return LOOPBACK;
  const resolver = new dns.Resolver(PATIENCE);
  resolver.setServers(getServers());
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...addresses(four, 4), ...addresses(six, 6)];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function addresses(result: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly HostAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/** The addresses of a name in the text of /etc/hosts. */
function inHosts(text: string, name: string): readonly HostAddress[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return names.includes(name) ? [{ address, family: address.includes(':') ? 6 : 4 }] : [];
  });
}
