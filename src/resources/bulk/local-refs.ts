import { InvalidInputError, quote, type Issue } from '../../errors';
import type { Kind } from '../../model/kind';
import { issue, type Input } from '../write/input';
import { mapLink } from './link-names';

/** What a local name begins with where it is used. No ref contains this character. */
const MARK = '#';
const NAME = /^[A-Za-z0-9_-]{1,23}$/;

/** The names of resources that a set of changes creates, which later changes of the set use as `#name`. */
export class LocalRefs {
  private readonly known = new Map<string, { readonly kind: Kind; readonly ref: string; readonly place: string }>();

  /** Adds a name. Adds an issue if the name is malformed or in use. */
  add(name: string, kind: Kind, ref: string, place: string, issues: Issue[]): void {
    const earlier = this.known.get(name);
    if (!NAME.test(name)) issues.push(wrong('localRef', `${quote(name)} is not 1 to 23 letters, digits, _ or -`));
    else if (earlier) issues.push(wrong('localRef', `${quote(name)} is the localRef of ${earlier.place}, too`));
    else this.known.set(name, { kind, ref, place });
  }

  /** Returns the ref in the argument `ref` of a change. Throws InvalidInputError for an unknown name. */
  refOf(kind: Kind, text: string): string {
    const issues: Issue[] = [];
    const ref = this.resolve(kind, text, (message) => issues.push(wrong('ref', message)));
    if (issues.length > 0) throw new InvalidInputError(issues);
    return ref;
  }

  /** Returns an input with refs instead of names. Adds an issue for each unknown name. */
  inputOf(kind: Kind, input: Input, issues: Issue[]): Input {
    let resolved = input;
    for (const field of kind.references) {
      const { by, target } = field.refersTo;
      if (by !== 'ref') continue;
      resolved = mapLink(field, resolved, (text) =>
        this.resolve(target, text, (message) => issues.push(issue(field, message))),
      );
    }
    return resolved;
  }

  private resolve(kind: Kind, text: string, report: (message: string) => void): string {
    if (!text.startsWith(MARK)) return text;
    const found = this.known.get(text.slice(MARK.length));
    if (!found) report(`${quote(text)} is not the localRef of an earlier change`);
    else if (found.kind !== kind)
      report(`${quote(text)} is the ${found.kind.name} of ${found.place}, not a ${kind.name}`);
    return found?.ref ?? text;
  }
}

function wrong(field: string, message: string): Issue {
  return { field, path: field, message };
}
