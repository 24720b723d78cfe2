import { useQuery } from '@tanstack/react-query';

import { numberIn, WRITTEN_FIELDS } from '../../../../src/spelling/written';
import type { Country } from '../../../../src/spelling/telephone';
import { request } from './request';
import { RETRIES } from './retries';

let home: Promise<Country | undefined> | undefined;

/** The rules of telephone numbers, which are large, and are loaded when the first number is shown or entered. */
async function rules() {
  return import('../../../../src/spelling/telephone');
}

/** The country whose rules apply to numbers without a country code. */
async function homeCountry(): Promise<Country | undefined> {
  home ??= request<{ systemInfo: { homeCountry: Country | null } }>('{ systemInfo { homeCountry } }').then(
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
  const { data: telephone } = useQuery({ queryKey: ['telephone rules'], queryFn: rules, staleTime: Infinity });
  return telephone?.groupsOf(telUrl) ?? [telUrl.replace(/^tel:/i, '')];
}
