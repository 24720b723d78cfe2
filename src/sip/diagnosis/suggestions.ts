import { list, raw, sql, type Fragment } from '../../database/fragment';
import type { Reads } from '../../database/sql';
import type { AddressFacts } from './facts';
import type { Meant } from './steps';

/** The alphabet of telephone numbers without formatting. */
const DIGITS = '0123456789';

/** The common alphabet of host and user names. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789.-_';

/**
 * All strings that differ from this one by one inserted, missing, replaced or transposed character. Looking them up by
 * key finds a typing error at any position, at a cost that does not depend on how many names there are.
 */
function variantsOf(text: string, alphabet: string): readonly string[] {
  const variants = new Set<string>();
  for (let at = 0; at <= text.length; at++) {
    const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
    for (const letter of alphabet) {
      variants.add(before + letter + here + after);
      if (here !== '') variants.add(before + letter + after);
    }
    variants.add(before + after);
    variants.add(before + after.slice(0, 1) + here + after.slice(1));
  }
  variants.delete(text);
  variants.delete('');
  return [...variants];
}

// A longer name has too many variants to look up: this one has 2,400.
const LONGEST_NAME = 30;
const BATCH = 250;
// Variants that cost as much as an object.
const PER_OBJECT = 10;

/** Finds names that differ by one character from a name that does not exist. */
export class Suggestions {
  constructor(
    private readonly sql: Reads,
    /** Charges the user for the variants that are looked up, in objects. Throws RateLimitedError. */
    private readonly spend: (objects: number) => void,
  ) {}

  /** Suggests a domain or a user for a number whose target is missing. */
  async forTarget({ domainId, agentId, peerId, agentElsewhere, host, user }: AddressFacts): Promise<Meant> {
    if (agentId !== null || peerId !== null) return {};
    if (domainId === null) return { domain: await this.similar(raw('domain_uri'), raw('domains WHERE TRUE'), host) };
    if (agentElsewhere !== null) return {};
    return { user: await this.similar(raw('username'), sql`agent_domains WHERE domain_id = ${domainId}`, user) };
  }

  /** Suggests the tel URL of a number whose digits are similar. */
  forNumber(digits: string): Promise<string | undefined> {
    const similar = this.variants(digits.slice(0, LONGEST_NAME), DIGITS);
    return this.first(sql`SELECT n.tel_url FROM numbers n WHERE n.tel_digits IN (${similar}) ORDER BY n.id LIMIT 1`);
  }

  private async similar(column: Fragment, rows: Fragment, name: string): Promise<string | undefined> {
    if (name.length > LONGEST_NAME) return undefined;
    return this.first(
      sql`SELECT ${column} FROM ${rows} AND ${column} IN (${this.variants(name, LETTERS)}) ORDER BY 1 LIMIT 1`,
    );
  }

  private async first({ text, values }: Fragment): Promise<string | undefined> {
    const [row] = await this.sql.rows(text, values);
    return row && String(row[0]);
  }

  /** The variants as a SQL list, padded with a repeated value so that few different statements are prepared. */
  private variants(text: string, alphabet: string): Fragment {
    const all = variantsOf(text, alphabet);
    this.spend(Math.ceil(all.length / PER_OBJECT));
    const filler = Array.from({ length: (BATCH - (all.length % BATCH)) % BATCH }, () => all[0] ?? '');
    return list([...all, ...filler]);
  }
}
