import { InvalidInputError } from '../../errors';
import { STEPS } from './series';

/** A span of time, in milliseconds since the epoch. `to` is not part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The span that arguments select: the last 24 hours by default. Throws InvalidInputError if it is empty. */
export function spanOf(from: number | undefined, to: number = Date.now()): Span {
  const start = from ?? to - STEPS.DAY;
  if (start < to) return { from: start, to };
  throw InvalidInputError.of('from', `${timeOf(start)} must be before \`to\`, which is ${timeOf(to)}`);
}

/** A time as GraphQL writes it, for messages. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
