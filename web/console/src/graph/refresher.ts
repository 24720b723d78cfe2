/** Repeats a read when its result may have changed. */
export interface Refresher {
  /** Reads again; if a read is running or was just made, once more after it. */
  readonly refresh: () => void;
  readonly stop: () => void;
}

/** Returns a Refresher with at least `pause` milliseconds between two reads, however many events ask for one. */
export function createRefresher(read: () => Promise<unknown>, pause: number): Refresher {
  let isBusy = false;
  let isWanted = false;
  let isStopped = false;
  const run = async (): Promise<void> => {
    isBusy = true;
    do {
      isWanted = false;
      await read();
      await new Promise((resolve) => setTimeout(resolve, pause));
    } while (wanted());
    isBusy = false;
  };
  // A function, because events change the variables meanwhile.
  const wanted = (): boolean => isWanted && !isStopped;
  return {
    refresh: () => {
      isWanted = true;
      if (!isBusy && !isStopped) void run();
    },
    stop: () => {
      isStopped = true;
    },
  };
}
