import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';

import { numberIn, WRITTEN_FIELDS } from '../../../../src/spelling/written';
import type * as Rules from '../../../../src/spelling/telephone';
import { request } from './request';
import { RETRIES } from './retries';

let home: Promise<Rules.Country | undefined> | undefined;

let loaded: typeof Rules | undefined;

/** The rules of telephone numbers, which are large, and are loaded when the first number is shown or entered. */
async function rules(): Promise<typeof Rules> {
  return (loaded = await import('../../../../src/spelling/telephone'));
}

/** The country whose rules apply to numbers without a country code. */
async function homeCountry(): Promise<Rules.Country | undefined> {
  home ??= request<{ systemInfo: { homeCountry: Rules.Country | null } }>('{ systemInfo { homeCountry } }').then(
    ({ systemInfo }) => systemInfo.homeCountry ?? undefined,
  );
  return home.catch((error: unknown) => {
    home = undefined;
    throw error;
  });
}

/** The value for a field of the graph, as people write it, as the graph requires it. */
export async function valueFor(field: string, text: string): Promise<string> {
  if (!WRITTEN_FIELDS.includes(field)) return text;
  const [telephone, country] = await Promise.all([rules(), homeCountry()]);
  return telephone.valueFor(field, text, country);
}

/** `valueFor` in a component; the text itself until the rules are loaded. */
export function useValueFor(field: string, text: string): string {
  const query = { queryKey: ['value for', field, text], queryFn: async () => valueFor(field, text) };
  return useQuery({ ...query, staleTime: Infinity, ...RETRIES }).data ?? text;
}

/** The values of a form with `valueFor` applied to each. */
export async function valuesFor(values: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const entries = Object.entries(values).map(
    async ([field, value]) => [field, typeof value === 'string' ? await valueFor(field, value) : value] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** The texts that a number may contain for which somebody searches. Other text is the only one. */
export async function partsOf(text: string): Promise<readonly string[]> {
  if (!numberIn(text)) return [text];
  const [telephone, country] = await Promise.all([rules(), homeCountry()]);
  return telephone.partsOf(text, country);
}

/** `partsOf` in a component; undefined while the rules are loaded. */
export function usePartsOf(text: string): readonly string[] | undefined {
  const enabled = numberIn(text) !== undefined;
  const query = { queryKey: ['parts', text], queryFn: async () => partsOf(text), enabled, staleTime: Infinity };
  const { data, isError } = useQuery({ ...query, ...RETRIES });
  return enabled && !isError ? data : [text];
}

/** The number of a tel URI in groups of digits; in one until the rules are loaded. */
export function useGroups(telUrl: string): readonly string[] {
  const telephone = useSyncExternalStore(onceLoaded, () => loaded);
  return useMemo(() => telephone?.groupsOf(telUrl) ?? [telUrl.replace(/^tel:/i, '')], [telephone, telUrl]);
}

/** Loads the rules, and tells when they are loaded. Without them, numbers are in one group. */
function onceLoaded(tell: () => void): () => void {
  if (!loaded) void rules().then(tell, () => undefined);
  return () => undefined;
}
