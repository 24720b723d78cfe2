/** What the user asks about. */
export interface Question {
  readonly is: 'number' | 'address' | 'name';
  readonly text: string;
}

// Telephone numbers as people write them; short ones can also be user names.
const NUMBER = /^(?:tel:)?\+?[\s\-./()]*\d[\d\s\-./()*#]*(?:;.*)?$/i;
const IPV4 = /^\d+(?:\.\d+){3}$/;
const ADDRESS = /^sips?:|@/i;

/** Tells a number, an address of record and a name apart. Undefined for no text. */
export function questionOf(entered: string): Question | undefined {
  const text = entered.trim();
  if (text === '') return undefined;
  if (ADDRESS.test(text)) return { is: 'address', text };
  return { is: NUMBER.test(text) && !IPV4.test(text) ? 'number' : 'name', text };
}

/** A number in any spelling as a tel URL, without what people write between digits. */
export function telUrlOf(text: string): string {
  return `tel:${text.replace(/^tel:|;.*$|[\s\-./()]/gi, '')}`;
}
