import { Delivery, type Subscriber } from '../../changes/delivery';
import { InvalidInputError } from '../../errors';

/** How far an import is. */
export interface ProgressState {
  readonly phase: 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED';
  /** Rows that were processed. */
  readonly done: number;
  readonly total: number;
}

const WAITING: ProgressState = { phase: 'WAITING', done: 0, total: 0 };
const ID = /^[\w-]{1,64}$/;

/** The state of an import, and who waits for the next one. Kept while somebody imports or watches. */
interface Channel {
  state: ProgressState;
  readonly watchers: Set<Delivery<ProgressState>>;
  running: number;
}

/**
 * The progress of the imports of this process. Users choose the ids of their imports, and see no others. A watcher
 * gets the newest state only, so a slow one needs no memory.
 */
export class ImportProgress {
  private readonly channels = new Map<string, Channel>();

  /** Begins an import. Returns the function that reports its progress. Throws InvalidInputError. */
  start(user: string, id: string, total: number): (state: Omit<ProgressState, 'total'>) => void {
    const key = keyOf(user, id);
    const channel = this.channelOf(key);
    channel.running++;
    const report = (state: Omit<ProgressState, 'total'>): void => {
      channel.state = { ...state, total };
      if (isOver(channel.state)) channel.running--;
      for (const watcher of [...channel.watchers]) watcher.push(channel.state);
      this.forget(key, channel);
    };
    report({ phase: 'RUNNING', done: 0 });
    return report;
  }

  /**
   * Watches an import, which may begin later. The first state comes immediately; the last one is DONE or FAILED.
   * `ended` is aborted, with an error as its reason, when the watcher loses its permission. `left` is called at the
   * end.
   */
  watch(
    user: string,
    id: string,
    { ended, left }: Pick<Subscriber, 'ended' | 'left'>,
  ): AsyncIterableIterator<ProgressState> {
    const key = keyOf(user, id);
    const channel = this.channelOf(key);
    const leave = (watcher: Delivery<ProgressState>): void => {
      channel.watchers.delete(watcher);
      this.forget(key, channel);
    };
    const newest = (states: readonly ProgressState[]): ProgressState[] => states.slice(-1);
    const watcher = new Delivery({ ended, left, most: 1, overflow: newest, leave, isLast: isOver });
    if (!watcher.isOver) channel.watchers.add(watcher);
    watcher.push(channel.state);
    return watcher;
  }

  private channelOf(key: string): Channel {
    const known = this.channels.get(key) ?? { state: WAITING, watchers: new Set(), running: 0 };
    this.channels.set(key, known);
    return known;
  }

  private forget(key: string, { running, watchers }: Channel): void {
    if (running === 0 && watchers.size === 0) this.channels.delete(key);
  }
}

function isOver({ phase }: ProgressState): boolean {
  return phase === 'DONE' || phase === 'FAILED';
}

function keyOf(user: string, id: string): string {
  if (!ID.test(id)) throw InvalidInputError.of('progressId', 'must have 1 to 64 letters, digits, _ or -');
  return `${user} ${id}`;
}
