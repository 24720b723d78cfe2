// For how long a text is shared: for this many times as long as it took to make it, and at most for some milliseconds.
const TIMES = 20;
const LONGEST = 1000;

/**
 * Returns a function that returns the text of the metrics. Making it takes as long as several requests, and every user
 * may ask for it. So concurrent readers share one text, and making texts takes at most a twentieth of the time.
 */
export function sharedText(make: () => Promise<string>): () => Promise<string> {
  let shared: Promise<string> | undefined;
  let until = Infinity;
  return () => {
    const begun = performance.now();
    if (shared && begun < until) return shared;
    until = Infinity;
    shared = make().finally(() => {
      const now = performance.now();
      until = now + Math.min(TIMES * (now - begun), LONGEST);
    });
    return shared;
  };
}
