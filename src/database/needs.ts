import type { Need } from './sql';

/** The need for a statement that several requests share: over when all of them are. */
export class Needs implements Need {
  span: Need['span'];
  private needs: Need[] | undefined = [];

  /** Adds a request. Undefined stands for the service itself, whose need never ends. */
  add(need: Need | undefined): void {
    this.span ??= need?.span;
    if (need) this.needs?.push(need);
    else this.needs = undefined;
  }

  get over(): Error | undefined {
    let over: Error | undefined;
    for (const need of this.needs ?? []) {
      over = need.over;
      if (!over) return undefined;
    }
    return over;
  }
}
