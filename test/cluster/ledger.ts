import type { Reply, Site } from './site';

/** What is known of a number: its possible states after all operations. A state is the aorLink, or `absent`. */
export type Entry = ReadonlySet<string>;

/** Writers that record what was acknowledged. */
export interface Writers {
  /** By ref. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Acknowledged operations of each site. */
  readonly acknowledged: readonly number[];
  /** Errors that no failure of a node explains. */
  readonly wrong: readonly string[];
  readonly stop: () => Promise<void>;
}

const WRITERS = 3;
// Milliseconds between the operations of a writer: the tests count on a busy machine.
const PAUSE = 15;
const CREATE = 'mutation ($input: CreateNumberInput!) { createNumber(input: $input) { ref } }';
const IMPORT = 'mutation ($text: String!) { importDocuments(text: $text) { imported } }';
const UPDATE = 'mutation ($ref: String!, $aor: String!) { updateNumber(ref: $ref, input: { aorLink: $aor }) { ref } }';
const DELETE = 'mutation ($ref: String!) { deleteNumber(ref: $ref) }';
const TOUCH = 'mutation ($ref: String!, $name: String!) { updateGateway(ref: $ref, input: { name: $name }) { ref } }';

/**
 * Starts writers on all sites. Each one creates numbers of the gateway, changes them, and deletes some, over GraphQL,
 * imports and REST. They also change the gateway itself, which is one row for all of them.
 */
export function startWriters(sites: readonly Site[], gatewayRef: string): Writers {
  const entries = new Map<string, Set<string>>();
  const acknowledged = sites.map(() => 0);
  const wrong: string[] = [];
  let isOver = false;

  const write = async (at: number, writer: number): Promise<void> => {
    const site = sites[at];
    for (let n = 0; site && !isOver; n++) {
      const ref = `n${String(at)}-${String(writer)}-${String(n)}`;
      const possible = new Set(['absent']);
      entries.set(ref, possible);
      /** Runs an operation after which the number has this state. Returns whether it was acknowledged. */
      const step = async (operation: Promise<Reply>, state?: string): Promise<boolean> => {
        const { data, code = '', message = '' } = await operation;
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        if (data) {
          acknowledged[at] = (acknowledged[at] ?? 0) + 1;
          if (state !== undefined) possible.clear();
        } else if (!['UNAVAILABLE', 'UNKNOWN'].includes(code)) wrong.push(`${ref}: ${code}: ${message}`);
        if (state !== undefined) possible.add(state);
        return data !== undefined;
      };
      const telUrl = `tel:+${String(1 + at)}${String(writer)}${String(n).padStart(8, '0')}`;
      const aor = (change: number): string => `sip:${ref}@change${String(change)}.test`;
      const input = { ref, telUrl, gatewayRef, aorLink: aor(0) };
      const document = (aorLink: string): object => ({
        apiVersion: 'v1beta1',
        kind: 'Number',
        metadata: { ref, gwRef: gatewayRef },
        spec: { location: { telUrl, aorLink } },
      });
      const create =
        n % 4 === 0
          ? site.graphql(IMPORT, { text: JSON.stringify(document(aor(0))) })
          : site.graphql(CREATE, { input });
      if (!(await step(create, aor(0)))) continue;
      const update =
        n % 4 === 1 ? site.rest('PUT', `numbers/${ref}`, document(aor(1))) : site.graphql(UPDATE, { ref, aor: aor(1) });
      if (!(await step(update, aor(1)))) continue;
      if (n % 5 === 0) await step(site.graphql(TOUCH, { ref: gatewayRef, name: ref }));
      if (n % 6 === 0) await step(site.graphql(DELETE, { ref }), 'absent');
      if (n % 6 === 3) await step(site.rest('DELETE', `numbers/${ref}`), 'absent');
    }
  };
  const all = sites.flatMap((_, at) => Array.from({ length: WRITERS }, (_each, writer) => write(at, writer)));
  return {
    entries,
    acknowledged,
    wrong,
    stop: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
}
