import { ConflictError, quote, type Issue } from '../../errors';
import type { Kind, ReferenceField, Resource } from '../../model/kind';
import { valuesOf } from '../read/row';
import { issue, type Values } from './input';

/** The resource that a write is about. */
export interface Target {
  readonly kind: Kind;
  readonly ref: string;
}

/** A create or an update whose unique values are not written yet, because other resources have them. */
export interface Later {
  readonly write: Target;
  /** The values of the resource, and the text that is stored in place of the unique ones. */
  readonly values: Values;
  readonly parked: string;
  /** The number of the history entry that the write reverts. */
  readonly undoes?: number | undefined;
  /** Called before another resource refers to the one that is created. */
  readonly onReference?: () => void;
  /** Writes them. Throws ConflictError if others have them. */
  readonly finish: () => Promise<void>;
}

/**
 * Creates and updates whose unique values later writes may make free. The caller calls `finish` for those that are left after the last write,
 * and rolls all writes back if one fails.
 */
export class LaterValues {
  private readonly byTarget = new Map<string, Later>();
  // By what references call the resource, and by what is stored in place of it.
  private readonly byName = new Map<string, Later[]>();

  add(later: Later): void {
    const { write, values, parked } = later;
    this.byTarget.set(keyOf(write), later);
    for (const by of new Set(write.kind.referrers.map(({ field }) => field.refersTo.by)))
      for (const name of by === 'ref' ? [] : [values.get(by), parked]) {
        const key = nameKey(write.kind.name, by, name);
        this.byName.set(key, [...(this.byName.get(key) ?? []), later]);
      }
  }

  /** Whether a write is left. */
  has(write: Target): boolean {
    return this.byTarget.get(keyOf(write))?.write === write;
  }

  /** The writes that are left. */
  rest(): Iterable<Later> {
    return this.byTarget.values();
  }

  /** Writes the values of a resource that is changed again. Throws ConflictError if others have them. */
  async finish(target: Target): Promise<void> {
    const open = this.byTarget.get(keyOf(target));
    if (!open) return;
    this.byTarget.delete(keyOf(target));
    await open.finish();
  }

  /**
   * Writes the values by which states of a kind's resources refer to others: before that, two resources have the same name. A resource
   * that they refer to by its ref keeps waiting for its values. Throws ConflictError if others have them still.
   */
  async finishNamed(kind: Kind, states: readonly ReadonlyMap<string, unknown>[]): Promise<void> {
    if (this.byTarget.size === 0) return;
    const issues: Issue[] = [];
    const namesIn = ({ name }: ReferenceField): ReadonlySet<unknown> =>
      new Set(states.flatMap((state) => [state.get(name) ?? []].flat()));
    for (const field of kind.references)
      for (const ref of field.refersTo.by === 'ref' ? namesIn(field) : [])
        this.byTarget.get(`${field.refersTo.kind} ${String(ref)}`)?.onReference?.();
    for (const field of byValue(kind))
      for (const name of namesIn(field))
        for (const later of this.findNamed(field, name)) {
          try {
            await later.finish();
            this.byTarget.delete(keyOf(later.write));
          } catch (error) {
            if (!(error instanceof ConflictError)) throw error;
            const { kind: target, ref } = later.write;
            const message = `${quote(name)} is taken over by ${target.name} ${ref} from another ${target.name}, which still has it: give that one its new ${field.refersTo.by} before this change`;
            issues.push(issue(field, message));
          }
        }
    if (issues.length > 0)
      throw new ConflictError(issues.map(({ field, message }) => `${field} ${message}`).join('; '), issues);
  }

  /** Replaces what is stored in place of names in resources that were read. */
  rename(kind: Kind, resources: Iterable<Resource>): void {
    if (this.byTarget.size === 0) return;
    for (const field of byValue(kind))
      for (const resource of resources) {
        const stored: unknown = valuesOf(kind, resource).get(field.name);
        const [key = '', inner] = field.keys;
        const nameOf = (name: unknown): unknown =>
          this.findNamed(field, name)[0]?.values.get(field.refersTo.by) ?? name;
        const value = Array.isArray(stored) ? stored.map(nameOf) : nameOf(stored);
        if (stored === undefined) continue;
        const owner = inner === undefined ? resource : (resource as unknown as Record<string, object>)[key]; // a group
        if (owner) Object.assign(owner, { [inner ?? key]: value });
      }
  }

  private findNamed({ refersTo: { kind, by } }: ReferenceField, name: unknown): readonly Later[] {
    const found = this.byName.get(nameKey(kind, by, name)) ?? [];
    return found.filter((each) => this.byTarget.get(keyOf(each.write)) === each);
  }
}

/** The references of a kind by another value than the ref. */
function byValue({ references }: Kind): readonly ReferenceField[] {
  return references.filter(({ refersTo }) => refersTo.by !== 'ref');
}

function keyOf({ kind, ref }: Target): string {
  return `${kind.name} ${ref}`;
}

function nameKey(kind: string, by: string, name: unknown): string {
  return `${kind} ${by} ${String(name)}`;
}
