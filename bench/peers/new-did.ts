import { randomBytes } from 'node:crypto';

import { BadRequestError } from './errors';

/** The input for a new DID from either protocol, before validation. */
export type DidInput = Readonly<Partial<Record<string, unknown>>>;

/** The validated fields of a new DID, by the names of the entity. */
export interface NewDid {
  readonly ref: string;
  readonly createdOn: number;
  readonly modifiedOn: number;
  readonly gatewayRef: string;
  readonly city: string | null;
  readonly country: string | null;
  readonly countryISOCode: string | null;
  readonly telUrl: string;
  readonly aorLink: string;
  readonly telDigits: string;
  readonly digitsKey: string;
  readonly aorUser: string;
  readonly aorHost: string;
}

const TEL_URL = /^tel:\+?[\d\-.()*#A-Fa-f]+(?:;[^;\s]+)*$/;
const AOR_LINK = /^sips?:(?:([^@\s]+)@)?([\w.-]+)(?::\d{1,5})?(?:;[^;\s]+)*$/;

/** Validates the input of `createDID`. */
export function newDid(input: DidInput): NewDid {
  const { city, country, countryISOCode } = object(input['geoInfo']);
  const telUrl = text(input['telUrl'], 100, TEL_URL);
  const aorLink = text(input['aorLink'], 255, AOR_LINK);
  const [, user = '', host = ''] = AOR_LINK.exec(aorLink) ?? [];
  const telDigits = (telUrl.split(';', 1)[0] ?? '').replace(/\D/g, '');
  const now = Date.now();
  return {
    ref: `dd${randomBytes(8).toString('hex')}`,
    createdOn: now,
    modifiedOn: now,
    gatewayRef: text(input['gatewayRef'], 24, /./),
    city: optional(city, 100),
    country: optional(country, 100),
    countryISOCode: optional(countryISOCode, 2),
    telUrl,
    aorLink,
    telDigits,
    digitsKey: telDigits === '' || telDigits.length > 20 ? '' : String(telDigits.length).padStart(2, '0') + telDigits,
    aorUser: user,
    aorHost: host.toLowerCase(),
  };
}

/** The input in a document of the REST contract. */
export function inputOf(document: unknown): DidInput {
  const { kind, metadata, spec } = object(document);
  if (kind !== 'DID') throw new BadRequestError('kind is not DID');
  const { gwRef, geoInfo } = object(metadata);
  const { telUrl, aorLink } = object(object(spec)['location']);
  return { gatewayRef: gwRef, geoInfo, telUrl, aorLink };
}

/** The value as an object, empty if it is none. */
export function object(value: unknown): DidInput {
  return typeof value === 'object' && value !== null ? (value as DidInput) : {}; // an object has members of some type
}

function text(value: unknown, length: number, pattern: RegExp): string {
  if (typeof value === 'string' && value.length <= length && pattern.test(value)) return value;
  throw new BadRequestError(`${JSON.stringify(value)} is not valid`);
}

function optional(value: unknown, length: number): string | null {
  return value === undefined || value === null ? null : text(value, length, /./);
}
