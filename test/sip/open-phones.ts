import { Phone } from './phone';
import type { Stack } from './stack';

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
