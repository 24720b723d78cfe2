import type { Span } from '../limits/tracer';
import type { Driver } from './driver';
import type { Transaction } from './sql';

/** Adds a span for each statement and transaction of a traced request to a driver. Upkeep is not traced. */
export function tracedDriver(driver: Driver): Driver {
  return {
    ...driver,
    rows: (text, values, need) => statement(need?.span, text, () => driver.rows(text, values, need)),
    heavy: (text, values, milliseconds, request) =>
      statement(request?.span, text, () => driver.heavy(text, values, milliseconds, request)),
    transaction: (work, options) =>
      transaction(options?.need?.span, (within) => driver.transaction((each) => work(within(each)), options)),
    impatientTransaction: (work, shared) =>
      transaction(shared.need?.span, (within) => driver.impatientTransaction((each) => work(within(each)), shared)),
  };
}

/** Runs a statement, in a span if it is part of a traced request. */
export function statement<R, T extends Promise<R> | R>(
  span: Span | undefined,
  text: string,
  work: () => T,
): T | Promise<R> {
  return span ? span.statement<R>(nameOf(text), work) : work();
}

function transaction<T>(
  span: Span | undefined,
  run: (within: (transaction: Transaction) => Transaction) => Promise<T>,
): Promise<T> {
  if (!span) return run((each) => each);
  return span.statement('TRANSACTION', (below) =>
    run((each) => ({
      rows: (text, values) => below.statement(nameOf(text), () => each.rows(text, values)),
      run: (text, values, named) => below.statement(nameOf(text), () => each.run(text, values, named)),
      undoable: (work) => each.undoable(work),
    })),
  );
}

/** The verb and the first table of a statement: words of the program, because values are never in the text. */
function nameOf(text: string): string {
  const verb = /^\W*(\w+)/.exec(text)?.[1] ?? 'statement';
  const table = /\b(?:FROM|INTO|UPDATE)\s+(\w+)/i.exec(text)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}
