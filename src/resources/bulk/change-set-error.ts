import { DomainError, shorten, type ErrorCode } from '../../errors';

/** A change of a set that failed. */
export interface FailedChange {
  /** Where the change is in the input, such as `changes[3].update`. */
  readonly place: string;
  /** Where a field of the resource or of the change is. */
  readonly placeOf: (field: string) => string;
  readonly error: DomainError;
}

/** What is wrong with a change, and where. */
interface Mistake {
  readonly path: string;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Maximum number of mistakes that the facts have, and of bytes of the message of each. */
const MAX_MISTAKES = 100;
const MAX_MESSAGE = 250;
const MAX_PATH = 120;
/** Maximum number of mistakes that the message of the error has. */
const MAX_SAID = 10;

/**
 * The error of a set of changes: all mistakes, each with its place. Its code is that of the changes that failed, or
 * BAD_USER_INPUT if they failed for different reasons.
 */
export class ChangeSetError extends DomainError {
  constructor(readonly failed: readonly FailedChange[]) {
    const mistakes = failed.flatMap(mistakesIn);
    const [first] = failed;
    const same = failed.every(({ error }) => error.code === first?.error.code) ? first?.error : undefined;
    const said = mistakes.slice(0, MAX_SAID).map(({ path, message }) => `${path}: ${message}`);
    const more = mistakes.length - said.length;
    super(
      same?.code ?? 'BAD_USER_INPUT',
      same?.status ?? 400,
      `${said.join('; ')}${more > 0 ? ` (and ${String(more)} more)` : ''}; nothing was changed`,
      mistakes.map(({ path, message }) => ({ field: path, path, message })),
    );
    Object.assign(this, { facts: { errors: mistakes.slice(0, MAX_MISTAKES), errorCount: mistakes.length } });
  }
}

function mistakesIn({ place, placeOf, error }: FailedChange): readonly Mistake[] {
  const { code, issues, message } = error;
  const mistake = (path: string, text: string): Mistake => ({
    path: shorten(path, MAX_PATH),
    code,
    message: shorten(text, MAX_MESSAGE),
  });
  return issues.length === 0
    ? [mistake(place, message)]
    : issues.map((issue) => mistake(placeOf(issue.field), issue.message));
}
