import type { SqlValue } from '../../database/sql';
import { destinationsIn, type Destination } from '../../model/format/destination';
import type { Value } from '../../model/format/format';

/** The texts in a column with a list, as the format of the field stores it. */
export function storedTexts(value: SqlValue | undefined): readonly string[] {
  return typeof value === 'string' ? (JSON.parse(value) as string[]) : [];
}

/** The destinations in a column, as the format of the field stores them. */
export function storedDestinations(value: SqlValue | undefined): readonly Destination[] {
  return typeof value === 'string' ? destinationsIn(JSON.parse(value) as Value) : [];
}
