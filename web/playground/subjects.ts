import { post } from '../shared/request';
import { forgetWork } from '../shared/session';
import { examplesOf, SAMPLE, type Subjects } from './examples';

interface Found {
  readonly ref: string;
  readonly telUrl: string;
  readonly aorLink: string;
  readonly gateway: { readonly ref: string } | null;
}

interface Data {
  readonly sample: { readonly nodes: readonly Found[] };
  readonly dids: { readonly nodes: readonly Found[] };
  readonly gateways: { readonly nodes: readonly { readonly ref: string }[] };
}

const QUERY = `query Examples {
  sample: dids(first: 1, where: { ref: { eq: "${SAMPLE.did}" } }) { nodes { ...Subject } }
  dids(first: 1) { nodes { ...Subject } }
  gateways(first: 1) { nodes { ref } }
}
fragment Subject on DID { ref telUrl aorLink gateway { ref } }`;

/** Reads what the examples can read on this server: the sample data, or else the first DID, and a gateway. */
export async function readSubjects(credentials: Readonly<Record<string, string>>): Promise<Subjects> {
  const { data } = await post<Data>('graphql', { query: QUERY }, credentials);
  const did = data?.sample.nodes[0] ?? data?.dids.nodes[0];
  return {
    did: did?.ref ?? SAMPLE.did,
    telUrl: did?.telUrl ?? SAMPLE.telUrl,
    aorLink: did?.aorLink ?? SAMPLE.aorLink,
    gateway: did?.gateway?.ref ?? data?.gateways.nodes[0]?.ref ?? SAMPLE.gateway,
  };
}

// Where GraphiQL keeps its tabs.
const TABS = 'graphiql:tabState';

interface Tabs {
  readonly tabs: readonly { readonly query: string | null; readonly variables: string | null }[];
}

/**
 * Where GraphiQL keeps its documents until the reader signs out. GraphiQL writes a moment after a change, which has no effect any
 * more then.
 */
export function keepDocuments() {
  let isForgotten = false;
  return {
    storage: {
      getItem: (key: string) => localStorage.getItem(key),
      setItem: (key: string, value: string) => {
        if (!isForgotten) localStorage.setItem(key, value);
      },
      removeItem: (key: string) => localStorage.removeItem(key),
      clear: forgetWork,
      get length() {
        return localStorage.length;
      },
    },
    forget: () => {
      isForgotten = true;
      forgetWork();
    },
  };
}

/** Replaces the examples among the tabs that the browser keeps, unless the reader has changed them. */
export function replaceKeptExamples(before: Subjects, after: Subjects): void {
  const kept = localStorage.getItem(TABS);
  if (kept === null) return;
  const state = JSON.parse(kept) as Tabs; // written by GraphiQL
  const [old, next] = [examplesOf(before), examplesOf(after)];
  const tabs = state.tabs.map((tab) => {
    const at = old.findIndex(
      ({ query, variables }) => query === tab.query && (variables ?? '') === (tab.variables ?? ''),
    );
    const { query, variables = null } = next[at] ?? tab;
    return { ...tab, query, variables };
  });
  localStorage.setItem(TABS, JSON.stringify({ ...state, tabs }));
}
