import { LABELS } from '../data/names';
import { type Kind, linkedKind, type Model, spokenField, useModel } from '../model/model';
import { FormerName, ResourceLink, ResourceNames } from '../parts/links';
import { TextWithNumbers } from '../parts/telephone';
import { texts } from '../texts';
import type { Done, Part } from './done';
import { type FieldChange, nameIn, readable } from './entry';

const words = texts.requests;
// Of a longer sentence, nobody reads the end.
const PARTS = 3;
const LONGEST = 60;

interface Props {
  readonly done: Done;
  /** Whether names lead to their pages. */
  readonly hasLinks: boolean;
  /** The names of users by their references. */
  readonly users?: ReadonlyMap<string, string> | undefined;
}

/** What a request did, after who sent it: `moved 67 DIDs from Mumbai to Delhi`. */
export function Sentence({ done, hasLinks, users }: Props) {
  const { parts, isRevert } = done;
  if (parts.length === 0) return words.nothing;
  const rest = parts.slice(PARTS).reduce((sum, { count }) => sum + count, 0);
  const clauses = parts.slice(0, PARTS).map((part, index) => (
    <Clause
      key={`${part.kind} ${part.event}`}
      part={part}
      // `created the gateway a and the DID b`
      hasVerb={part.event === 'UPDATED' || part.event !== parts[index - 1]?.event}
      done={done}
      hasLinks={hasLinks}
      users={users}
    />
  ));
  const whole = words.several(rest === 0 ? clauses : [...clauses, words.more(rest)]);
  return isRevert ? words.asUndo(whole) : whole;
}

interface ClauseProps extends Props {
  readonly part: Part;
  /** Whether it has a verb, or has that of the clause before. */
  readonly hasVerb: boolean;
}

/** What was done to one kind. */
function Clause({ part, hasVerb, done: { way, address, isWhole }, hasLinks, users }: ClauseProps) {
  const model = useModel();
  const { kind: name, event, count, ref, times, shared } = part;
  const kind = model.kinds.find((each) => each.name === name);
  if (name === 'Binding') return words.evicted(ref, times ?? 0);
  const user = ref === '' ? '' : <FormerName kind="User" of={ref} known={users?.get(ref)} />;
  if (event === 'SIGNED_IN') return words.signedIn(times ?? 1, address);
  if (event === 'SIGN_IN_FAILED') return words.failed(user, times ?? 1, address);
  if (event === 'SESSION_ENDED') return words.sessionEnded(user);
  if (event === 'SESSIONS_ENDED') return words.sessionsEnded(user);
  const verb = words.verbs[event];
  if (verb === undefined) return words.other(name, event, ref);
  const what =
    count === 1
      ? words.one(name, <Name part={part} model={model} hasLinks={hasLinks} user={users?.get(ref)} />)
      : words.many(kind?.collection ?? words.manyOf(name), count, isWhole);
  if (!hasVerb) return what;
  if (event === 'CREATED' && way === 'IMPORT') return words.did(words.imported, what);
  if (event !== 'UPDATED' || shared.length === 0) return words.did(verb, what);
  return <Changed what={what} kind={kind} shared={shared} />;
}

interface NameProps {
  readonly part: Part;
  readonly model: Model;
  readonly hasLinks: boolean;
  readonly user: string | undefined;
}

function Name({ part: { kind: name, ref, shared, resource, former }, model, hasLinks, user }: NameProps) {
  const label = model.kinds.find((each) => each.name === name)?.label ?? LABELS[name];
  const known = shared.some(({ field, isSecret }) => field === label && isSecret) ? null : nameIn(shared, label ?? '');
  const called = resource?.label ?? former?.name ?? known ?? user;
  const shown =
    called === undefined && label !== undefined ? (
      <FormerName kind={name} of={ref} />
    ) : (
      <TextWithNumbers>{called ?? ref}</TextWithNumbers>
    );
  // What no longer exists has no page.
  if (!hasLinks || !resource) return shown;
  return (
    <ResourceLink kind={name} of={ref}>
      {shown}
    </ResourceLink>
  );
}

interface ChangedProps {
  readonly what: ReturnType<typeof words.one> | string;
  readonly kind: Kind | undefined;
  readonly shared: readonly FieldChange[];
}

/** What changed in an update. */
function Changed({ what, kind, shared }: ChangedProps) {
  const [change] = shared;
  if (!change || shared.length > 1)
    return words.changed(
      shared.map(({ field }) => spokenField(kind, field)),
      what,
      null,
      null,
    );
  const { field, before, after, isSecret } = change;
  const linked = kind && linkedKind(kind, field);
  const shown = (value: string | null) => {
    if (value === null || isSecret || value.length > LONGEST) return null;
    return linked === undefined ? (
      <TextWithNumbers>{readable(value)}</TextWithNumbers>
    ) : (
      <ResourceNames kind={linked} of={value} />
    );
  };
  const spoken = spokenField(kind, field);
  if (after === null && before !== null) return words.removed(spoken, what);
  if (linked === 'Gateway') return words.moved(what, shown(before), shown(after));
  // Without the new value, the old one says little.
  return words.changed([spoken], what, shown(after) === null ? null : shown(before), shown(after));
}
