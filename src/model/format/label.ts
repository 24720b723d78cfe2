import { quote } from '../../errors';
import { list, text, type Format } from './format';

/** A label: `key=value`. The value has no space, comma or semicolon, which separate the entries of a list in CSV. */
const LABEL = /^[a-z0-9](?:[-a-z0-9./]{0,61}[a-z0-9])?=[^\s,;"]{0,63}$/;
const EXPECTED =
  'key=value, with a key of 1 to 63 of a-z 0-9 - . / and a value of at most 63 characters without spaces, commas, semicolons and quotes';

/** Labels of a resource as texts `key=value`, each key once, sorted by key. */
export function labels(): Format {
  return list(text(127, { pattern: LABEL, expected: EXPECTED }), {
    max: 16,
    key: { of: keyOf, said: (label) => `the key ${quote(keyOf(label))}`, sorts: true },
  });
}

/** Whether a value has the form of labels, although they may be invalid. */
export function looksLikeLabels(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each.includes('='));
}

function keyOf(label: string): string {
  return label.slice(0, label.indexOf('='));
}
