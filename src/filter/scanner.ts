/** How a scanner reports problems. */
interface ScannerOptions {
  /** Levels that `nest` permits. */
  readonly maxNesting: number;
  /** Creates the error for a problem at a position. */
  readonly errorAt: (message: string, at: number) => Error;
}

/** A cursor over a text, for recursive descent parsers. Positions count UTF-16 code units from 0. */
export class Scanner {
  /** The position of the next character. */
  at = 0;
  private depth = 0;

  constructor(
    readonly text: string,
    private readonly options: ScannerOptions,
  ) {}

  /** The next character, which may be a surrogate pair; empty at the end. */
  get next(): string {
    const point = this.text.codePointAt(this.at);
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  /** Whether the rest of the text starts with `symbol`. */
  isAt(symbol: string): boolean {
    return this.text.startsWith(symbol, this.at);
  }

  /** Matches a sticky regular expression (flag `y`) at the cursor, without moving it. */
  look(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  /** Matches a sticky regular expression at the cursor, and moves past the match. */
  match(pattern: RegExp): RegExpExecArray | null {
    const found = this.look(pattern);
    if (found) this.at += found[0].length;
    return found;
  }

  /** Moves past `symbol` if the rest of the text starts with it. Returns whether it did. */
  takes(symbol: string): boolean {
    if (!this.isAt(symbol)) return false;
    this.at += symbol.length;
    return true;
  }

  /** Moves past the next character and returns it. Fails with `message` at the end. */
  take(message: string): string {
    const character = this.next;
    if (character === '') return this.fail(message);
    this.at += character.length;
    return character;
  }

  /** Runs `read` one level deeper. Fails with `message` if that exceeds `maxNesting`. */
  nest<T>(message: string, read: () => T): T {
    if (++this.depth > this.options.maxNesting) this.fail(message);
    const result = read();
    this.depth--;
    return result;
  }

  /** Throws the error for a problem at a position, by default at the cursor. */
  fail(message: string, at = this.at): never {
    throw this.options.errorAt(message, at);
  }
}
