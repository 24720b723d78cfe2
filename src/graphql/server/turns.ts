import { setImmediate as nextTurn } from 'node:timers/promises';

/** Starts work one piece at a time, each in a turn of the event loop of its own, so that requests are answered in between. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => nextTurn());
    this.last = turn;
    return turn.then(work);
  }
}
