import { boolean } from './format/format';
import type { PropertyOptions } from './options';

/** The field `enabled` of a kind. `about` says what does not happen if it is false. A value that is not set is true. */
export function enabledField(about: string): PropertyOptions {
  return { path: 'spec.enabled', format: boolean(), about: `False: ${about} By default, true.` };
}

/** SQL for whether the row with this alias is enabled. */
export function isEnabled(alias: string): string {
  return `COALESCE(${alias}.enabled, TRUE)`;
}

/** SQL for whether the gateway with this alias takes new calls. */
export function takesCalls(alias: string): string {
  return `(${isEnabled(alias)} AND NOT COALESCE(${alias}.draining, FALSE))`;
}
