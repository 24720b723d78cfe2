import { useQuery } from '@tanstack/react-query';

import { PAGES, useOtherPages } from '../../../shared/pages';
import { type Match, searchResources } from '../data/search';
import { callOf, callPath, questionOf } from '../explain/question';
import { features } from '../features';
import { serverUrl } from '../graph/post';
import { useDebounced } from '../graph/request';
import { isWorthRetrying } from '../graph/retries';
import { useMayWrite, useSession } from '../graph/session';
import { kindEntries } from '../kinds';
import { type Kind, useModel } from '../model/model';
import { questionPath } from '../parts/links';
import { texts } from '../texts';
import { forSession, isOffered } from './menu';

/** Something that the search offers. */
export interface Found {
  readonly group: keyof typeof texts.search.groups;
  readonly label: string;
  /** What tells it from others with the same label. */
  readonly detail: string;
  /** The address of its page: a path in the console, or the URL of another page of the server. */
  readonly to: string;
}

/** What the search offers for a text, best first. */
export function useFound(
  text: string,
  recent: readonly Found[],
): { readonly found: readonly Found[]; readonly isSearching: boolean; readonly error: Error | null } {
  const model = useModel();
  const session = useSession();
  const mayWrite = useMayWrite();
  const asked = text.trim();
  const settled = useDebounced(asked);
  const { data, isFetching, error } = useQuery({
    queryKey: ['search', settled],
    queryFn: async ({ signal }) => (await searchResources(model, settled, signal)).map(matchOf),
    enabled: settled !== '',
    retry: isWorthRetrying,
  });
  const others = useOtherPages('console', serverUrl);
  const entries = forSession(
    [...features.flatMap(({ menu = [], accountEntries = [] }) => [...menu, ...accountEntries]), ...kindEntries(model)],
    session,
  );
  const pages = [
    ...entries.map(({ to, label }) => ({ group: 'pages' as const, label, detail: '', to: `/${to}` })),
    ...others.map((page) => ({ group: 'pages' as const, label: PAGES[page], detail: '', to: serverUrl(page) })),
  ];
  const jobs = features.flatMap((feature) => feature.jobs ?? []).filter((job) => isOffered(job, session));
  const actions = [
    ...jobs.map(({ to, label }) => ({ group: 'actions' as const, label, detail: '', to: `/${to}` })),
    ...(mayWrite ? model.kinds.map(actionOf) : []),
  ];
  const isSearching = asked !== '' && (isFetching || settled !== asked);
  if (asked === '') return { found: [...recent, ...pages, ...actions], isSearching, error: null };
  const matching = ({ label }: Found): boolean => label.toLowerCase().includes(asked.toLowerCase());
  // What was found for an earlier text could be chosen by mistake.
  const resources = settled === asked && data ? data : [];
  const question = questionOf(asked);
  // A number or an address means its explanation; a name may mean something that is found.
  const call = callOf(asked);
  const isCertain = call !== undefined || (question !== undefined && question.is !== 'name');
  const label = isCertain ? texts.search.ask(asked) : texts.search.find(asked);
  const ask: Found = { group: 'question', label, detail: '', to: call ? callPath(call) : questionPath(asked) };
  const matches = [...resources, ...[...pages, ...actions].filter(matching)];
  return {
    found: isCertain ? [ask, ...matches] : [...matches, ask],
    isSearching,
    error: settled === asked ? error : null,
  };
}

function actionOf({ name, collection }: Kind): Found {
  return { group: 'actions', label: texts.kinds.create(name), detail: '', to: `/${collection}/create` };
}

function matchOf({ kind: { name, collection, label: field }, ref, label }: Match): Found {
  const isNumber = field === 'telUrl';
  return {
    group: 'resources',
    label: isNumber ? label.replace(/^tel:/, '') : label,
    detail: texts.kinds.heading(name),
    to: isNumber ? questionPath(label) : `/${collection}/${encodeURIComponent(ref)}/show`,
  };
}
