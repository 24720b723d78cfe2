import { createHash } from 'node:crypto';

import { isFingerprint, type StoredValue } from '../../changes/details';
import { InvalidInputError, shorten, type Issue } from '../../errors';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import type { GivenChange } from '../../resources/bulk/change-set';
import type { AppliedChange } from '../../resources/bulk/change-set-service';
import { memberAt } from '../../resources/documents/members';
import type { Effect } from '../../sip/simulation/number-effects';
import type { Simulated } from '../../sip/simulation/simulation';

/** How far ahead changes can be scheduled, in days, and the longest set as JSON, in bytes. */
export const MOST_DAYS = 90;
const MOST_BYTES = 1024 * 1024;
// The differences that a reason names, the fields of each, and the bytes of a value.
const MOST_NAMED = 3;
const MOST_SAID = 100;
const TIMES = ['createdOn', 'modifiedOn'];

/** A scheduled set, as it is stored. */
interface Planned {
  readonly changes: readonly (Omit<GivenChange, 'kind'> & { readonly kind: string })[];
  readonly since: number | null;
}

/**
 * Returns changes as JSON, to make them later. Throws InvalidInputError for a secret, which would be stored until then, also in
 * backups, for anybody who reads the table.
 */
export function toPlanned(changes: readonly GivenChange[], since: number | undefined): string {
  const issues = changes.flatMap((change): readonly Issue[] => {
    if (change.type === 'delete') return [];
    const { kind, input, place } = change;
    return kind.fields
      .filter((field) => field.secret && isGiven(memberAt(input, field.keys)))
      .map(({ name }) => {
        const path = `${place}.${kind.singular}.${name}`;
        return {
          field: path,
          path,
          message: 'is a secret, which is not stored for later: set it in a request without at',
        };
      });
  });
  if (issues.length > 0) throw new InvalidInputError(issues);
  const planned: Planned = {
    changes: changes.map((each) => ({ ...each, kind: each.kind.name })),
    since: since ?? null,
  };
  const text = JSON.stringify(planned);
  if (Buffer.byteLength(text) > MOST_BYTES)
    throw InvalidInputError.of('changes', `are longer than ${String(MOST_BYTES)} bytes as JSON: schedule fewer`);
  return text;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Reads what `toPlanned` wrote. Throws InvalidInputError if a kind no longer exists. */
export function fromPlanned(
  model: Model,
  text: string,
): { readonly changes: readonly GivenChange[]; readonly since: number | undefined } {
  const { changes, since } = JSON.parse(text) as Planned; // as written above
  const kindOf = (name: string, place: string): Kind => {
    const kind = model.find(name);
    if (!kind) throw InvalidInputError.of(place, `${name} is not a kind of this version`);
    return kind;
  };
  return {
    // `kind` is replaced; everything else is as it was.
    changes: changes.map((each) => ({ ...each, kind: kindOf(each.kind, each.place) }) as GivenChange),
    since: since ?? undefined,
  };
}

/** What was foreseen of changes: what each does, and which calls go differently. */
export type Foreseen = readonly string[];

/** Sums up what changes do and what calls do differently, to compare it later. */
export function foreseenOf(
  applied: readonly AppliedChange[],
  { numbers, waysOut }: Pick<Simulated, 'numbers' | 'waysOut'>,
): Foreseen {
  const done = applied.map(
    (each) => `${lineOf(each)} ${digestOf([withoutTimes(each.details?.before), withoutTimes(each.details?.after)])}`,
  );
  const effects = numbers.map(({ effect, number: { kind, telUrl } }) => `${kind} ${telUrl} ${SAID[effect]}`);
  const ways = waysOut.map(
    ({ way: { host, prefix, caller }, before, after }) =>
      `Calls from ${caller ? `${caller.user}@` : ''}${host}${prefix === undefined ? '' : ` to ${prefix}`} leave in another way ${digestOf([before, after])}`,
  );
  return [...done, ...effects, ...ways];
}

const SAID: Readonly<Record<Effect, string>> = {
  STOPS: 'stops ringing',
  STARTS: 'starts ringing',
  MOVES: 'rings elsewhere',
  OTHER: 'does not ring for another reason',
};

function lineOf({ outcome, kind, ref }: AppliedChange): string {
  return `${outcome} ${kind} ${ref}`;
}

/** Says where changes are in their set, and the fields that each changes, with their values; by what `foreseenOf` begins a line with. */
export function fieldsOf(
  applied: readonly AppliedChange[],
  changes: readonly Pick<GivenChange, 'place'>[],
): ReadonlyMap<string, string> {
  const said = applied.map((each, index): [string, string] => {
    const { before = {}, after = {} } = each.details ?? {};
    const names = Object.keys({ ...before, ...after }).filter((name) => !TIMES.includes(name));
    const fields = names
      .slice(0, MOST_NAMED)
      .map((name) => `${name} ${valueIn(before[name])} to ${valueIn(after[name])}`);
    const more = names.length > MOST_NAMED ? ` and ${String(names.length - MOST_NAMED)} more` : '';
    return [lineOf(each), `${changes[index]?.place ?? ''}: ${fields.join(', ')}${more}`];
  });
  // A resource that is changed twice has what its first change does.
  return new Map(said.reverse());
}

function valueIn(value: StoredValue): string {
  if (value === undefined) return 'null';
  return isFingerprint(value) ? 'a secret' : shorten(JSON.stringify(value), MOST_SAID);
}

function withoutTimes(state: Readonly<Record<string, unknown>> = {}): object {
  const { createdOn: _created, modifiedOn: _modified, ...others } = state;
  return others;
}

function digestOf(value: readonly unknown[]): string {
  // The digits that stand for a secret are new each time.
  const text = JSON.stringify(value, (_name, each: unknown) => (isFingerprint(each) ? 'secret' : each));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

const DIGEST = / [0-9a-f]{12}$/;

/**
 * Says how what is foreseen now differs from what was foreseen; undefined if it does not. `fields` says what changes do (`fieldsOf`).
 */
export function differenceOf(then: Foreseen, now: Foreseen, fields: ReadonlyMap<string, string>): string | undefined {
  const [were, are] = [new Set(then), new Set(now)];
  const missingFrom = (lines: Foreseen, others: ReadonlySet<string>): readonly string[] =>
    lines.filter((line) => !others.has(line)).map((line) => line.replace(DIGEST, ''));
  const [isNow, wasThen] = [missingFrom(now, were), missingFrom(then, are)];
  // The same in both, but for the values that the digest stands for.
  const both = new Set(isNow.filter((line) => wasThen.includes(line)));
  const values = (line: string): string => {
    const said = fields.get(line);
    return `, with other values${said === undefined ? '' : ` (${said})`}`;
  };
  const named = [
    ...isNow.map((line) => `now: ${line}${both.has(line) ? values(line) : ''}`),
    ...wasThen.filter((line) => !both.has(line)).map((line) => `then: ${line}`),
  ];
  if (named.length === 0) return undefined;
  const more = named.length - MOST_NAMED;
  return `${named.slice(0, MOST_NAMED).join('; ')}${more > 0 ? ` (and ${String(more)} more)` : ''}`;
}
