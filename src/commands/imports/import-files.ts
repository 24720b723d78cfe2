import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import { entriesOf, type Entry } from '../../resources/bulk/entries';
import { CommandError } from '../answer';
import { readText, wholeTextOf } from './text-file';

/** An entry, and its file and line, for example `agents.yml:12`. */
export interface FileEntry extends Entry {
  readonly place: string;
}

/** Characters of a list after which the items before the next one are read together. */
const PIECE = 1024 * 1024;
/** Comments, empty lines and the start of a document before the first item of a list. */
const LIST = /^\uFEFF?(?:[ \t]*(?:#.*)?\r?\n|---[ \t]*\r?\n)*- /;
/** Where a document ends that is a list, and another one may follow that is not. */
const END = /\n(?:---|\.\.\.)/;
const ITEM = '\n- ';
/** What may be the anchor of a value, which an alias in any later item repeats. */
const ANCHOR = /(?:^|[\s,[{])&[^\s,[\]{}]/;

/**
 * A YAML or JSON file to import. A long list is read in pieces, each time anew, so that memory use does not depend on its length: its
 * items begin with `- ` at the start of a line, as an export writes them, where nothing inside an item can. From an anchor on, the rest
 * is read at once.
 */
export class ImportFile {
  /** How many entries of each kind there are; undefined stands for users. Known after `check`. */
  private counts: ReadonlyMap<Kind | undefined, number> = new Map();
  /** The text of what can be read only once, such as a pipe. */
  private text: string | undefined;

  constructor(
    private readonly path: string,
    private readonly model: Model,
  ) {}

  /** Reads the file once, and returns its errors. A file that is not YAML has no entries then. Throws the errors of `readText`. */
  async check(): Promise<readonly string[]> {
    const mistakes: string[] = [];
    const counts = new Map<Kind | undefined, number>();
    if (!(await stat(this.path)).isFile()) this.text = await wholeTextOf(this.path);
    for await (const piece of this.pieces()) {
      for (const { kind } of piece.entries) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      for (const { line, path, message } of piece.mistakes) {
        mistakes.push(`${this.placeOf(line)}: ${path === undefined ? '' : `${path}: `}${message}`);
        if (path === undefined) return mistakes;
      }
    }
    this.counts = counts;
    return mistakes;
  }

  /** The entries of a kind, or the users if it is undefined. Throws CommandError if the file has changed meanwhile. */
  async *entriesOf(kind: Kind | undefined): AsyncGenerator<FileEntry> {
    let left = this.counts.get(kind) ?? 0;
    if (left === 0) return;
    for await (const { entries } of this.pieces())
      for (const entry of entries) {
        if (entry.kind !== kind) continue;
        left -= 1;
        yield { ...entry, place: this.placeOf(entry.line) };
      }
    if (left !== 0) throw new CommandError(`${this.path} was changed during the import; nothing was imported`);
  }

  private placeOf(line: number): string {
    return `${basename(this.path)}:${String(line)}`;
  }

  private async *pieces(): AsyncGenerator<ReturnType<typeof entriesOf>> {
    let before = 0;
    for await (const text of this.text === undefined ? textsIn(this.path) : [this.text]) {
      const { entries, mistakes } = entriesOf(text, this.model, { users: true });
      const lines = before;
      yield {
        entries: entries.map((each) => ({ ...each, line: each.line + lines })),
        mistakes: mistakes.map((each) => ({ ...each, line: each.line + lines })),
      };
      before += text.match(/\r\n|\r|\n/g)?.length ?? 0;
    }
  }
}

/** The text of a file, in pieces between the items of a long list. */
async function* textsIn(path: string): AsyncGenerator<string> {
  const parts: string[] = [];
  // A part that is the beginning of a long item is not searched for its end again until there is as much more.
  let [length, enough] = [0, PIECE];
  let isList: boolean | undefined;
  for await (const part of readText(path)) {
    parts.push(part);
    length += part.length;
    if (length < enough || isList === false) continue;
    const text = parts.join('');
    isList = (isList ?? LIST.test(text)) && !END.test(text.replace(LIST, '')) && !ANCHOR.test(text);
    const end = isList ? text.lastIndexOf(ITEM) + 1 : 0;
    if (end > 0) yield text.slice(0, end);
    parts.splice(0, parts.length, text.slice(end));
    length = text.length - end;
    enough = Math.max(PIECE, 2 * length);
  }
  yield parts.join('');
}
