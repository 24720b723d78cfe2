import { Phone } from '../phone';
import type { Stack } from '../stack';

/**
 * Returns a function that opens a phone at a local address. The phone sends to the stack's Kamailio, and is closed
 * after the test.
 */
export function openPhones(stack: () => Stack): (host: string, port?: number) => Promise<Phone> {
  let phones: Phone[] = [];

  afterEach(() => {
    for (const phone of phones) phone.close();
    phones = [];
  });

  return async (host, port) => {
    const phone = await Phone.open(stack().sip, host, port);
    phones.push(phone);
    return phone;
  };
}

/** Opens a phone and registers it as the only one of a user. */
export async function registeredPhone(
  open: (host: string) => Promise<Phone>,
  user: string,
  domain: string,
  host: string,
): Promise<Phone> {
  const phone = await open(host);
  await phone.registers(user, domain, ['Contact: *', 'Expires: 0']);
  expect(await phone.registers(user, domain)).toMatch(/^SIP\/2\.0 200/);
  return phone;
}
