import { isFingerprint, type State } from '../../changes/details';
import { watchNoted, type NewChange } from '../../changes/outbox';
import type { OwnTransaction } from '../../database/sql';
import { InvalidInputError, quote, type Issue } from '../../errors';
import { MAX_ENTRIES } from '../../history/revert-service';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import type { GivenChange } from '../../resources/bulk/change-set';
import { MAX_CHANGES } from '../../resources/bulk/change-set-service';
import { setAt, type Members } from '../../resources/documents/members';
import { OTHERS } from '../../resources/write/entry-details';
import type { Rehearser } from '../../sip/simulation/simulation';

// The secrets that an error names.
const MOST_NAMED = 3;

/** Records what a service writes, to make it later or to check whether it could be reverted. */
export class Recorder implements Rehearser {
  private noted: NewChange[] = [];
  private lost: string[] = [];
  private lostCount = 0;
  private written = 0;

  async rehearse<T>(transaction: OwnTransaction, write: () => Promise<T>): Promise<T> {
    this.noted = [];
    this.lost = [];
    this.lostCount = 0;
    this.written = 0;
    return watchNoted(transaction, (change) => this.note(change), write);
  }

  /** How many changes were written. */
  get count(): number {
    return this.written;
  }

  /** What was written, as a set of changes. Throws InvalidInputError if it cannot be stored for later. */
  changesIn(model: Model): readonly GivenChange[] {
    if (this.written > MAX_CHANGES)
      throw InvalidInputError.of(
        'at',
        `would store ${String(this.written)} changes; schedule at most ${String(MAX_CHANGES)} at once`,
      );
    return this.noted.map((change, index) => givenOf(model.kindOf(change.kind), change, index));
  }

  /**
   * Throws InvalidInputError if what was written could not be reverted as a whole: if a secret was replaced or deleted, because old
   * ones are not kept, and if there are more changes than a revert takes.
   */
  assertRevertible(): void {
    if (this.lostCount > 0) {
      const more = this.lostCount - this.lost.length;
      const named = `${this.lost.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
      throw InvalidInputError.of(
        'confirmWithin',
        `would replace or delete secrets, which could not be restored, because old secrets are not kept: ${named}`,
      );
    }
    if (this.written > MAX_ENTRIES)
      throw InvalidInputError.of(
        'confirmWithin',
        `would make ${String(this.written)} changes, and at most ${String(MAX_ENTRIES)} can be reverted as a whole: send fewer at once`,
      );
  }

  private note(change: NewChange): void {
    this.written++;
    // More are refused.
    if (this.written <= MAX_CHANGES) this.noted.push(change);
    for (const [name, value] of Object.entries(change.details?.before ?? {})) {
      if (!isFingerprint(value)) continue;
      this.lostCount++;
      if (this.lost.length < MOST_NAMED) this.lost.push(`${name} of ${change.kind} ${quote(change.ref)}`);
    }
  }
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
