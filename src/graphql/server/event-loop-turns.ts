import { setImmediate as nextTurn } from 'node:timers/promises';

/** Starts each task in a separate turn of the event loop, so that requests are processed in between. */
export class EventLoopTurns {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => nextTurn());
    this.last = turn;
    return turn.then(work);
  }
}
