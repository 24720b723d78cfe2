import { EACH, SCAN, type Operand, type Path, type Step } from '../predicate';
import type { Tokens } from './tokens';

// Each index or scan makes the SQL of a path several times longer.
const MAX_INDEXES = 4;
const MAX_SCANS = 4;

const LENGTH_METHOD = /\.(?:length|size)\(/y;
const LENGTH_CALL = /\.(?:length|size)\(\s*\)/y;
const INDEX = /-?\d{1,6}(?![\d:,])/y;

/** Reads the paths of a filter: `@`, then member names, indexes, `*` and deep scans. */
export class PathReader {
  private scans = 0;

  constructor(private readonly tokens: Tokens) {}

  /** Reads a path, or the length of one: `@.path.length()`. */
  operand(): Operand {
    const path = this.path();
    return this.tokens.scanner.match(LENGTH_CALL) ? { is: 'length', of: { is: 'path', path } } : { is: 'path', path };
  }

  private path(): Path {
    const { tokens } = this;
    tokens.expect('@');
    const steps: Step[] = [];
    for (let step = this.step(); step !== undefined; step = this.step()) {
      steps.push(step);
      if (steps.filter((each) => typeof each === 'number').length > MAX_INDEXES)
        tokens.fail(`a path has more than ${String(MAX_INDEXES)} indexes`);
      if (step === EACH && steps.includes(SCAN)) tokens.fail('a path cannot contain both .. and *');
      if (step === EACH && tokens.scanner.look(/[.[]/y) && !tokens.scanner.look(LENGTH_METHOD))
        tokens.fail('nothing can follow * in a path');
    }
    return steps;
  }

  private step(): Step | undefined {
    const { scanner } = this.tokens;
    if (scanner.isAt('..')) return this.scan();
    if (scanner.look(LENGTH_METHOD)) return undefined;
    // Jayway's JsonPath permits a dot before a bracket.
    if (!scanner.isAt('.[') && scanner.takes('.')) return scanner.takes('*') ? EACH : this.tokens.name();
    if (scanner.isAt('.[')) scanner.takes('.');
    if (!scanner.takes('[')) return undefined;
    const step = this.bracketed();
    this.tokens.expect(']');
    return step;
  }

  /** Reads `..`. A name, or a bracket with a name, must follow. The next call of `step` reads that name. */
  private scan(): Step {
    const { tokens } = this;
    const { scanner } = tokens;
    if (++this.scans > MAX_SCANS) tokens.fail(`a filter has more than ${String(MAX_SCANS)} deep scans`);
    scanner.takes('..');
    // `..name` continues as `.name`.
    if (scanner.look(/[\p{L}\p{N}_$-]/uy)) scanner.at--;
    else if (!scanner.look(/\[\s*['"]/y)) tokens.fail('expected a name after ..');
    return SCAN;
  }

  private bracketed(): Step {
    const { tokens } = this;
    const { start } = tokens;
    if (tokens.isString) {
      const name = tokens.string();
      return /["\\\p{Cc}]/u.test(name)
        ? tokens.fail('a name cannot contain quotes, backslashes or control characters', start)
        : name;
    }
    if (tokens.takes('*')) return EACH;
    const [index] = tokens.scanner.match(INDEX) ?? tokens.fail('expected a name in quotes, an index or *');
    return Number(index);
  }
}
