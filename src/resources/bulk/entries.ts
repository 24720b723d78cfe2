import { quote } from '../../errors';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import { isMembers } from '../documents/members';
import { parseYaml } from '../documents/yaml';
import type { Times } from '../write/creation';

/** The `kind` of a user in a file. */
export const USER = 'User';

/** A resource or a user in a text. */
export interface Entry {
  readonly line: number;
  /** Undefined for a user. */
  readonly kind: Kind | undefined;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What is wrong with a text or with one of its entries. `path` is the member of the document. */
export interface Mistake {
  readonly line: number;
  readonly path?: string;
  readonly message: string;
}

/** Reads the entries of a YAML or JSON text of at most `max` entries, and `marks` of YamlLimits. */
export function entriesOf(
  text: string,
  model: Model,
  { users, max, marks }: { readonly users: boolean; readonly max?: number; readonly marks?: number },
): { readonly entries: readonly Entry[]; readonly mistakes: readonly Mistake[] } {
  const document = parseYaml(text, { documents: max, entries: max, marks });
  const mistakes: Mistake[] = [...document.mistakes];
  const entries = document.values.flatMap(({ value, line }): readonly Entry[] => {
    const given = isMembers(value) ? value['kind'] : undefined;
    const lower = typeof given === 'string' ? given.toLowerCase() : '';
    const kind = model.kinds.find(({ singular }) => singular === lower);
    if (isMembers(value) && (kind || (users && lower === USER.toLowerCase()))) return [{ line, kind, value }];
    const names = [...model.inReferenceOrder.map((each) => each.name), ...(users ? [USER] : [])];
    mistakes.push({ line, path: 'kind', message: `${quote(given)} is not one of ${names.join(', ')}` });
    return [];
  });
  return { entries, mistakes };
}

const DAY = 86_400_000;

/**
 * Returns the times that a created entry gets: those in its metadata, or the current time for each that is missing,
 * invalid, before 1970 or more than a day ahead, which clocks and time zones do not explain.
 */
export function timesOf({ metadata }: Entry['value']): Times {
  const read = (name: string): number => {
    const text = isMembers(metadata) ? metadata[name] : undefined;
    const time = typeof text === 'string' || text instanceof Date ? new Date(text).getTime() : NaN;
    const now = Date.now();
    return time >= 0 && time <= now + DAY ? time : now;
  };
  return { createdOn: read('createdOn'), modifiedOn: read('modifiedOn') };
}
