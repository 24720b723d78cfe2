import { afterOthers } from '../../src/limits/event-loop';

/** Milliseconds until the place of a large request that took this many is free again. */
async function restOf(took: number, isBusy: boolean): Promise<number> {
  const begun = performance.now();
  let isOver = false;
  const spin = (): void => {
    if (!isOver) setImmediate(spin);
  };
  if (isBusy) spin();
  await new Promise<void>((resolve) => {
    // Keeps the process alive: the wait itself does not.
    const alive = setInterval(() => undefined, 1000);
    afterOthers(took, () => {
      clearInterval(alive);
      resolve();
    });
  });
  isOver = true;
  return performance.now() - begun;
}

test('After a large request, a busy process has other work for as long as the request took', async () => {
  expect(await restOf(200, true)).toBeGreaterThanOrEqual(200);
});

test('After a large request, a process without other work begins the next one', async () => {
  expect(await restOf(60_000, false)).toBeLessThan(30_000);
});
