import { EVENT_ID, YAMLException, constructFromEvents, parseEvents, type Event } from 'js-yaml';

import { shorten } from '../../errors';

/** A resource in a YAML text, and the line on which it starts, counted from 1. */
interface YamlEntry {
  readonly value: unknown;
  readonly line: number;
}

/** The resources in a YAML text (its documents, or the items of documents that are lists), and its errors. */
interface YamlEntries {
  readonly values: readonly YamlEntry[];
  readonly mistakes: readonly { readonly line: number; readonly message: string }[];
}

/** The most that a text may have. */
export interface YamlLimits {
  readonly documents?: number | undefined;
  /** Resources. */
  readonly entries?: number | undefined;
  /** Marks of YAML and JSON before or between values. A text is parsed at once, which takes some microseconds for each of them. */
  readonly marks?: number | undefined;
}

/** The most marks in a text of a request. What clients send has fewer: even the shortest members are longer. */
export function marksIn({ length }: string): number {
  return Math.max(60_000, Math.floor(length / 5));
}

const MAX_DEPTH = 100;
/** Maximum number of aliases in a document. */
const MAX_ALIASES = 100;
/** Maximum number of characters that the aliases may add when they are expanded. Nested aliases multiply. */
const MAX_REPEATED = 256 * 1024;
/** Maximum number of bytes of an error message. Some messages repeat a name from the text. */
const MAX_MESSAGE = 200;

/** What begins or ends a document, wherever it is: not even a text can have it. */
const DOCUMENT = /(?:^|[\r\n])(?:---|\.\.\.)(?![^ \t\r\n])/g;
/** What is before or between values, and may also be within them. */
const MARK = /[,[{]|[-:?](?![^ \t\r\n])|["'}\]]:/g;

const NOTHING = Symbol('an empty document');

/**
 * Reads the resources of a YAML (or JSON) text: YAML 1.2, core schema. The time is linear in the length of the text.
 */
export function parseYaml(
  text: string,
  { documents: maxDocuments = Infinity, entries: maxEntries = Infinity, marks: maxMarks = Infinity }: YamlLimits = {},
): YamlEntries {
  const lineOf = lineCounter(text);
  try {
    // A document may begin with a mark and end with another one. Parsing is far slower than looking for marks.
    assertFew(text, DOCUMENT, 2 * maxDocuments, `the stream has more than ${String(maxDocuments)} documents`);
    assertFew(text, MARK, maxMarks, `the text has more than ${String(maxMarks)} marks, such as commas and colons`);
    const events = parseEvents(text, { maxDepth: MAX_DEPTH });
    assertFewDocuments(text, events, maxDocuments);
    const offsets = entryOffsets(events);
    if (offsets.length > maxEntries)
      YAMLException.throwAt(text, 0, `the text has more than ${String(maxEntries)} documents and items of lists`);
    assertFewRepetitions(text, events);
    const documents = constructFromEvents(events, { source: text, maxAliases: MAX_ALIASES });
    const entries = documents.flatMap((value): unknown[] => (Array.isArray(value) ? value : [value ?? NOTHING]));
    const values = entries.map((value, index) => ({ value, line: lineOf(offsets[index] ?? 0) }));
    return { mistakes: [], values: values.filter(({ value }) => value !== NOTHING) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    return { values: [], mistakes: [{ line: lineOf(mark?.position ?? 0), message: shorten(reason, MAX_MESSAGE) }] };
  }
}

function assertFew(text: string, pattern: RegExp, max: number, message: string): void {
  if (text.length <= max) return;
  pattern.lastIndex = 0;
  for (let count = 0; pattern.test(text);) if (++count > max) YAMLException.throwAt(text, 0, message);
}

function assertFewDocuments(text: string, events: readonly Event[], max: number): void {
  let documents = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT && ++documents > max)
      YAMLException.throwAt(text, 0, `the stream has more than ${String(max)} documents`);
  }
}

/** Returns a function that converts an offset to a line, counted from 1. Successive offsets must not decrease. */
function lineCounter(text: string): (offset: number) => number {
  const breaks = /\r\n|\r|\n/g;
  let line = 0;
  let end = 0;
  return (offset) => {
    while (end <= offset) {
      line += 1;
      end = breaks.exec(text) ? breaks.lastIndex : Infinity;
    }
    return line;
  };
}

/** Returns the offset of each entry: each item of a document that is a list, and each other document. */
function entryOffsets(events: readonly Event[]): readonly number[] {
  const offsets: number[] = [];
  let depth = 0;
  let entryDepth = 1;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      depth -= 1;
      continue;
    }
    if (depth === 1) entryDepth = event.type === EVENT_ID.SEQUENCE ? 2 : 1;
    if (depth > 0 && depth === entryDepth) offsets.push(offsetOf(event));
    if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) depth += 1;
  }
  return offsets;
}

function offsetOf(event: Event): number {
  if ('valueStart' in event) return event.valueStart;
  if ('start' in event) return event.start;
  return 'anchorStart' in event ? event.anchorStart : 0;
}

/** Rejects aliases that expand a short text to a very long or infinite one ("billion laughs"). */
function assertFewRepetitions(text: string, events: readonly Event[]): void {
  const sizes = new Map<string, number>();
  const open: { readonly anchor: string; size: number }[] = [];
  let repeated = 0;
  const add = (size: number): void => {
    const parent = open.at(-1);
    if (parent) parent.size += size;
  };
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) sizes.clear();
    if (event.type === EVENT_ID.POP) {
      const closed = open.pop();
      if (!closed) continue;
      if (closed.anchor !== '') sizes.set(closed.anchor, closed.size);
      add(closed.size);
      continue;
    }
    const anchor = 'anchorStart' in event ? text.slice(event.anchorStart, event.anchorEnd) : '';
    if (event.type === EVENT_ID.ALIAS) {
      const size = sizes.get(anchor) ?? 0;
      repeated += size;
      if (repeated > MAX_REPEATED) YAMLException.throwAt(text, event.anchorStart, 'aliases expand to too much text');
      add(size);
    } else if (event.type === EVENT_ID.SCALAR) {
      const size = 1 + event.valueEnd - event.valueStart;
      if (anchor !== '') sizes.set(anchor, size);
      add(size);
    } else {
      // An alias to an enclosing node would expand without end.
      if (anchor !== '') sizes.set(anchor, Infinity);
      open.push({ anchor, size: 1 });
    }
  }
}
