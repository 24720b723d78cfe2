import type { Tracer } from '../tracing/tracer';
import type { Driver } from './driver';
import type { Transaction } from './sql';

/** Adds a span for each statement and transaction of a traced request to a driver. Upkeep is not traced. */
export function tracedDriver(driver: Driver, tracer: Tracer): Driver {
  const statement = <T>(text: string, work: () => Promise<T> | T): Promise<T> =>
    tracer.span('statement', () => statementName(text), work);
  const within = (transaction: Transaction): Transaction => ({
    rows: (text, values) => statement(text, () => transaction.rows(text, values)),
    run: (text, values, named) => statement(text, () => transaction.run(text, values, named)),
    undoable: (work) => transaction.undoable(work),
  });
  return {
    ...driver,
    rows: (text, values, need) => statement(text, () => driver.rows(text, values, need)),
    heavy: (text, values, milliseconds, request) =>
      statement(text, () => driver.heavy(text, values, milliseconds, request)),
    transaction: (work, options) =>
      statement('TRANSACTION', () => driver.transaction((each) => work(within(each)), options)),
    impatientTransaction: (work, requests) =>
      statement('TRANSACTION', () => driver.impatientTransaction((each) => work(within(each)), requests)),
  };
}

/** The verb and the first table of a statement, for a span: words of the program, because values are never in the text. */
export function statementName(text: string): string {
  const verb = /^\W*(\w+)/.exec(text)?.[1] ?? 'statement';
  const table = /\b(?:FROM|INTO|UPDATE)\s+(\w+)/i.exec(text)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}
