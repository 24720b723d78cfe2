import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime';

import type { Contact } from '../sip/live/contact';
import type { LiveRegistration } from '../sip/live/registration-reader';

dayjs.extend(relativeTime);

/**
 * Returns the Location entry (docs/rest-contract.md, section 2.9) of the contacts of one address of record, which are
 * in descending order of preference.
 */
export function toLocationEntry(contacts: readonly Contact[]): Readonly<Record<string, string>> {
  const [contact] = contacts;
  if (!contact) throw new Error('an address of record without contacts is not listed');
  const { addressOfRecord, uri, transport, nat, expires } = contact;
  const others = contacts.length > 1 ? ' [...]' : '';
  return {
    addressOfRecord,
    contactInfo: `${uri};transport=${transport};nat=${String(nat)};expires=${String(expires)}${others}`,
  };
}

/** A Registry entry (docs/rest-contract.md, section 2.10). */
export function toRegistryEntry(registration: LiveRegistration): Readonly<Record<string, string | number>> {
  const { username, host, ip, port, expires, registeredOn, gatewayRef } = registration;
  return {
    username,
    host,
    ip,
    expires,
    registeredOn,
    gwRef: gatewayRef,
    gwURI: `sip:${username}@${host}:${String(port)}`,
    // Not in the future, even if the clock of the SIP server is ahead.
    regOnFormatted: dayjs(Math.min(registeredOn, Date.now())).fromNow(),
  };
}
