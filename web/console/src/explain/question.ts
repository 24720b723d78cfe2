import { addressOf, numberIn, plainText } from '../../../../src/spelling/written';

/** What the user asks about. */
export interface Question {
  readonly is: 'number' | 'address' | 'name';
  readonly text: string;
}

const ADDRESS = /^sips?:|@/i;

/** Tells a number, an address of record and a name apart. Undefined for no text. */
export function questionOf(entered: string): Question | undefined {
  const text = entered.trim();
  if (plainText(text) === '') return undefined;
  const address = addressOf(text);
  if (ADDRESS.test(address)) return { is: 'address', text };
  return { is: numberIn(text) ? 'number' : 'name', text };
}
