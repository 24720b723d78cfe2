// The maximum number of moments that are remembered: at most one for each probe of a server.
const MOMENTS = 1200;

/**
 * Measures how far servers are behind, in any kind of replication: a server's lag is the age of the oldest change that
 * another server had and that it does not have.
 */
export class Lag {
  private readonly moments: { readonly last: number; readonly at: number }[] = [];

  /** Notes the number of the last change that a server has. */
  note(last: number, at = performance.now()): void {
    if (last <= (this.moments.at(-1)?.last ?? 0)) return;
    this.moments.push({ last, at });
    if (this.moments.length > MOMENTS) this.moments.shift();
  }

  /** The lag in seconds of a server whose last change is `last`. */
  of(last: number, now = performance.now()): number {
    const missed = this.moments.find((moment) => moment.last > last);
    return missed ? Math.round(now - missed.at) / 1000 : 0;
  }

  /** Forgets everything: the numbers of the changes may have started again. */
  forget(): void {
    this.moments.length = 0;
  }
}
