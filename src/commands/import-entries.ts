import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { isMembers } from '../documents/members';
import { parseYaml } from '../documents/yaml';
import { quote } from '../errors';
import type { Kind } from '../model/kind';
import type { Model } from '../model/model';
import type { Times } from '../resources/creation';

/** The `kind` of a user in a file. */
export const USER = 'User';

/** A resource or a user in a file. */
export interface Entry {
  /** The file and line, for example `agents.yml:12`. */
  readonly place: string;
  /** Undefined for a user. */
  readonly kind: Kind | undefined;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Reads the entries of a YAML or JSON file, and adds its errors to `mistakes`. */
export async function entriesIn(file: string, model: Model, mistakes: string[]): Promise<readonly Entry[]> {
  const document = parseYaml(await readFile(file, 'utf8'));
  const name = basename(file);
  mistakes.push(...document.mistakes.map(({ line, message }) => `${name}:${String(line)}: ${message}`));
  return document.values.flatMap(({ value, line }): readonly Entry[] => {
    const place = `${name}:${String(line)}`;
    const given = isMembers(value) ? value['kind'] : undefined;
    const lower = typeof given === 'string' ? given.toLowerCase() : '';
    const kind = model.kinds.find(({ singular }) => singular === lower);
    if (isMembers(value) && (kind || lower === USER.toLowerCase())) return [{ place, kind, value }];
    const names = [...model.inReferenceOrder.map((each) => each.name), USER];
    mistakes.push(`${place}: kind: ${quote(given)} is not one of ${names.join(', ')}`);
    return [];
  });
}

/**
 * Returns the times that a created entry gets: those in its metadata, or the current time for each that is missing or
 * invalid.
 */
export function timesOf({ metadata }: Entry['value']): Times {
  const read = (name: string): number => {
    const text = isMembers(metadata) ? metadata[name] : undefined;
    const time = typeof text === 'string' || text instanceof Date ? new Date(text).getTime() : NaN;
    return Number.isNaN(time) ? Date.now() : time;
  };
  return { createdOn: read('createdOn'), modifiedOn: read('modifiedOn') };
}
