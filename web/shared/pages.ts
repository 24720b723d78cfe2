import { useEffect, useState } from 'react';

/** The pages of the server, by path from its root. */
export const PAGES = { console: 'Console', playground: 'GraphQL playground', docs: 'REST API docs' } as const;

/** A page of the server. */
export type Page = keyof typeof PAGES;

/** The other pages that the server has, which settings turn off. `urlOf` returns the URL of a page. */
export function useOtherPages(here: Page, urlOf: (page: Page) => string): readonly Page[] {
  const [pages, setPages] = useState<readonly Page[]>([]);
  useEffect(() => {
    const others = (Object.keys(PAGES) as Page[]).filter((page) => page !== here); // the keys of PAGES
    const exists = async (page: Page): Promise<readonly Page[]> => {
      const answer = await fetch(urlOf(page), { method: 'HEAD' }).catch(() => undefined);
      return answer?.ok === true ? [page] : [];
    };
    void Promise.all(others.map(exists)).then((found) => setPages(found.flat()));
  }, []);
  return pages;
}
