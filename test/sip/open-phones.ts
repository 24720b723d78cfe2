import { Phone } from './phone';
import type { Stack } from './stack';

/**
 * Returns a function that opens a phone at the server of a stack. The phones that it opened are closed after each test.
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
