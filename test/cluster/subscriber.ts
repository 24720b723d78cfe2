import { socketClient } from '../support/subscriptions';
import type { Site } from './site';

/** An event as a subscriber received it. */
export interface Heard {
  readonly cursor: string;
  readonly event: string;
  readonly kind: string;
  readonly ref: string;
}

/** A subscriber that resumes after each lost connection. */
export interface Subscriber {
  readonly heard: readonly Heard[];
  /** Errors that no failure of a node explains. */
  readonly wrong: readonly string[];
  readonly stop: () => Promise<void>;
}

const QUERY = 'subscription($since: String) { resourceChanged(since: $since) { cursor event kind ref } }';

/** Subscribes at a site after the cursor, until stopped. */
export function subscribe(site: Site, cursor: string): Subscriber {
  const heard: Heard[] = [];
  const wrong: string[] = [];
  const over = new AbortController();
  const { signal: stopped } = over;
  let dispose = (): unknown => undefined;
  const follow = async (): Promise<void> => {
    const client = socketClient(site.url(), site.token());
    dispose = () => client.dispose();
    const since = heard.at(-1)?.cursor ?? cursor;
    for await (const { data, errors } of client.iterate({ query: QUERY, variables: { since } })) {
      if (errors && errors[0]?.extensions?.['code'] !== 'UNAVAILABLE') wrong.push(JSON.stringify(errors));
      if (errors) return;
      heard.push((data as { readonly resourceChanged: Heard }).resourceChanged); // what QUERY selects
    }
  };
  const following = (async () => {
    do {
      await follow().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 300));
    } while (!stopped.aborted);
  })();
  return {
    heard,
    wrong,
    stop: async () => {
      over.abort();
      await dispose();
      await following;
    },
  };
}
