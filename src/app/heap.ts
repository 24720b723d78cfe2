import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Flags of V8, not of Node: after an upgrade of Node, compare the memory and the CPU time with those of docs/operating/performance.md.
 */
const FLAGS = [
  // By default, V8 lets garbage in the old generation grow to several times what is in use.
  '--heap-growing-percent=30',
  // By default, V8 allocates objects in the old generation if those from the same place in the code mostly survived a collection of
  // the young one. Here, what survives is that of the requests in progress, which is garbage soon after, but then
  // only a collection of the old generation frees it, with all that it refers to.
  '--no-allocation-site-pretenuring',
];

/**
 * The size up to which the young generation grows, in bytes. By default, it grows to 32 MB, and to 128 MB with Node 24. V8 reads its
 * own option for this only when the process starts. When the server has been loaded, the young generation has this size.
 */
const YOUNG = 16 * 1024 * 1024;
/**
 * Milliseconds between looks at its size. V8 shrinks it to 1 MB when there is little to do, and the next load is slow until it has grown
 * again: the factor must allow that soon. A look takes a microsecond.
 */
const LOOK = 50;

/** Keeps the heap of the process small. `npm run bench` shows what that costs. */
export function limitHeap(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
  let factor = 0;
  const look = (): void => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    const wanted = Math.max(1, Math.floor(YOUNG / (young?.space_size ?? YOUNG)));
    if (wanted !== factor) setFlagsFromString(`--semi-space-growth-factor=${String(wanted)}`);
    factor = wanted;
  };
  look();
  setInterval(look, LOOK).unref();
}
