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

/** A call that the user asks about. The source address is empty if it is not given. */
export interface AskedCall {
  readonly from: string;
  readonly to: string;
  readonly source: string;
}

const ARROW = /^(?:from\s+)?(.+?)\s*(?:→|⇒|[-=]?>)\s*(.+)$/i;
const WORDS = /^from\s+(.+?)\s+to\s+(.+)$/i;
const VIA = /^(.+?)\s+(?:via|at)\s+\[?([\d.]+|[\da-f:]*:[\da-f:.]*)\]?$/i;
const USER = /^[\p{L}\d._+-]+$/u;

/**
 * Both ends of a call, as people write them: `1001 → +49301234`, `1001 > +49 30 1234`, `from 1001 to +49301234`, with ` via` and an IP
 * address at the end if it comes from there. Undefined for other text.
 */
export function callOf(entered: string): AskedCall | undefined {
  const text = plainText(entered);
  const [, call = text, source = ''] = VIA.exec(text) ?? [];
  const [, from = '', to = ''] = WORDS.exec(call) ?? ARROW.exec(call) ?? [];
  return isEnd(from) && isEnd(to) ? { from, to, source } : undefined;
}

/** A call as one text, which `callOf` reads. */
export function textOfCall({ from, to, source }: AskedCall): string {
  return `${from} → ${to}${source === '' ? '' : ` via ${source}`}`;
}

/** The address of the page that explains a call. */
export function callPath({ from, to, source }: AskedCall): string {
  return `/?${new URLSearchParams({ q: to, from, ...(source !== '' && { source }) }).toString()}`;
}

function isEnd(text: string): boolean {
  return numberIn(text) !== undefined || /^[^\s@<>]+@[^\s@<>]+$/.test(text) || USER.test(text);
}
