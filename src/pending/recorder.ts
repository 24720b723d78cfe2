import { isFingerprint, type State } from '../changes/details';
import { watchNoted, type NewChange } from '../changes/outbox';
import type { OwnTransaction } from '../database/sql';
import { InvalidInputError, quote, type Issue } from '../errors';
import type { Kind } from '../model/kind';
import type { Model } from '../model/model';
import type { GivenChange } from '../resources/bulk/change-set';
import { MAX_CHANGES } from '../resources/bulk/change-set-service';
import { setAt, type Members } from '../resources/documents/members';
import { OTHERS } from '../resources/write/entry-details';
import type { Rehearser } from '../sip/simulation/simulation';

// The secrets that an error names.
const MOST_NAMED = 3;

/** Records what a dry run writes, to make it later or to check whether it could be reverted. */
export class Recorder implements Rehearser {
  private noted: NewChange[] = [];
  private count = 0;

  async rehearse<T>(transaction: OwnTransaction, write: () => Promise<T>): Promise<T> {
    this.noted = [];
    this.count = 0;
    return watchNoted(transaction, (change) => this.note(change), write);
  }

  /** What was written, as a set of changes. Throws InvalidInputError if it cannot be stored for later. */
  changesIn(model: Model): readonly GivenChange[] {
    if (this.count > MAX_CHANGES)
      throw InvalidInputError.of(
        'at',
        `would store ${String(this.count)} changes; schedule at most ${String(MAX_CHANGES)} at once`,
      );
    return this.noted.map((change, index) => givenOf(model.kindOf(change.kind), change, index));
  }

  /** Throws InvalidInputError if a secret was replaced or deleted. */
  assertRevertible(): void {
    assertKept(this.noted);
  }

  private note(change: NewChange): void {
    this.count++;
    // More are refused.
    if (this.count <= MAX_CHANGES) this.noted.push(change);
  }
}

/** Throws InvalidInputError if changes replace or delete secrets: old ones are not kept, so they could not be restored. */
export function assertKept(noted: readonly Pick<NewChange, 'kind' | 'ref' | 'details'>[]): void {
  const lost = noted.flatMap(({ kind, ref, details }) =>
    Object.entries(details?.before ?? {})
      .filter(([, value]) => isFingerprint(value))
      .map(([name]) => `${name} of ${kind} ${quote(ref)}`),
  );
  if (lost.length === 0) return;
  const more = lost.length > MOST_NAMED ? ` and ${String(lost.length - MOST_NAMED)} more` : '';
  throw InvalidInputError.of(
    'confirmWithin',
    `would replace or delete secrets, which could not be restored, because old secrets are not kept: ${lost.slice(0, MOST_NAMED).join(', ')}${more}`,
  );
}

/** The change that makes a resource what it was after the recorded one. */
function givenOf(kind: Kind, { ref, event, details }: NewChange, index: number): GivenChange {
  const type = event === 'CREATED' ? 'create' : event === 'DELETED' ? 'delete' : 'update';
  const place = `changes[${String(index)}].${type}`;
  if (type === 'delete') return { type, place, kind, ref };
  const { before = {}, after = {} } = details ?? {};
  const names = Object.keys({ ...before, ...after }).filter((name) => !OTHERS.some((other) => other === name));
  assertStorable(kind, ref, before, after);
  const input: Members = type === 'create' ? { ref } : {};
  for (const { name, keys } of kind.fields)
    if (names.includes(name)) setAt(input, keys, type === 'create' ? after[name] : (after[name] ?? null));
  return type === 'create' ? { type, place, kind, input } : { type, place, kind, ref, input };
}

function assertStorable({ name: kind }: Kind, ref: string, before: State, after: State): void {
  const issues = Object.entries(after).flatMap(([name, value]): readonly Issue[] =>
    isFingerprint(value)
      ? [issueOf(`${name} of ${kind} ${quote(ref)} is a secret, which is not stored for later: make it without at`)]
      : [],
  );
  if (before['extra'] !== after['extra'])
    issues.push(issueOf(`${kind} ${quote(ref)} has members that the model does not know, which cannot be set later`));
  if (issues.length > 0) throw new InvalidInputError(issues.slice(0, MOST_NAMED));
}

function issueOf(message: string): Issue {
  return { field: 'at', path: 'at', message };
}
