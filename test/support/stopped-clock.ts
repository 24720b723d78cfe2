import { performance } from 'node:perf_hooks';

/** Runs work while the monotonic clock stands still, so that rate limits refill no points however long it takes. */
export async function withStoppedClock(work: () => Promise<void>): Promise<void> {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    await work();
  } finally {
    clock.mockRestore();
  }
}
