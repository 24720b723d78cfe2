import { randomBytes } from 'node:crypto';

import { BadRequestError, MissingError } from './raw-answers';
import type { RawDatabase, Value } from './raw-database';
import { sql } from './raw-sql';

/** The input for a new DID from either protocol, before validation. */
export type NewDid = Readonly<
  Record<'gatewayRef' | 'telUrl' | 'aorLink' | 'city' | 'country' | 'countryISOCode', unknown>
>;

/** A new DID, with its gateway. */
export interface CreatedDid {
  readonly ref: string;
  readonly telUrl: string;
  readonly aorLink: string;
  readonly gateway: { readonly ref: Value; readonly name: Value; readonly host: Value };
}

const TEL_URL = /^tel:\+?[\d\-.()*#A-Fa-f]+(?:;[^;\s]+)*$/;
const AOR_LINK = /^sips?:(?:([^@\s]+)@)?([\w.-]+)(?::\d{1,5})?(?:;[^;\s]+)*$/;

const ATTEMPTS = 4;

/** Validates and stores a DID. */
export async function createDid(database: RawDatabase, input: NewDid): Promise<CreatedDid> {
  const { gatewayRef, telUrl, aorLink, city, country, countryISOCode } = input;
  const [tel, aor] = [text(telUrl, 100, TEL_URL), text(aorLink, 255, AOR_LINK)];
  const [, user = '', host = ''] = AOR_LINK.exec(aor) ?? [];
  const geo = [optional(city, 100), optional(country, 100), optional(countryISOCode, 2)];
  const digits = (tel.split(';', 1)[0] ?? '').replace(/\D/g, '');
  const now = Date.now();
  const insert = (ref: string) =>
    database.writeAfter(sql.gateway, text(gatewayRef, 24, /./), ([id = null]) => [
      [sql.insertDid, [ref, now, now, id, ...geo, tel, aor, digits, user, host.toLowerCase()]],
      // Last, to hold the lock briefly: the ids of changes must increase in commit order.
      [sql.nextChange, []],
      [sql.noteChange, [now, ref]],
    ]);
  for (let attempt = 1; ; attempt++) {
    const ref = `dd${randomBytes(4).toString('hex')}`;
    try {
      const gateway = await insert(ref);
      if (!gateway) throw new MissingError(`There is no Gateway ${String(gatewayRef)}`);
      const [, gwRef = null, name = null, gwHost = null] = gateway;
      return { ref, telUrl: tel, aorLink: aor, gateway: { ref: gwRef, name, host: gwHost } };
    } catch (error) {
      if (attempt === ATTEMPTS || !isRefTaken(error)) throw error;
    }
  }
}

/** Collisions happen: among tens of thousands of random refs of 32 bits, every second run has one. */
function isRefTaken(error: unknown): boolean {
  return error instanceof Error && /numbers_ref|numbers\.ref/.test(error.message);
}

function text(value: unknown, length: number, pattern: RegExp): string {
  if (typeof value === 'string' && value.length <= length && pattern.test(value)) return value;
  throw new BadRequestError(`${JSON.stringify(value)} is not valid`);
}

function optional(value: unknown, length: number): string | null {
  return value === undefined || value === null ? null : text(value, length, /./);
}
