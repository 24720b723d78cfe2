import { useQuery } from '@tanstack/react-query';

import { namesOfRefs } from '../data/names';
import { RETRIES } from '../graph/retries';
import { useModel } from '../model/model';
import { texts } from '../texts';

/**
 * Returns a function that tells what a reference of any kind is called. One that belongs to a DID and to a Number has the
 * names of both; what does not exist stays a reference.
 */
export function useNamesOfRefs(refs: readonly string[]): (ref: string) => string {
  const model = useModel();
  const own = refs.filter((ref) => !isAddress(ref));
  const { data, isError } = useQuery({
    queryKey: ['names of references', own],
    queryFn: async () => namesOfRefs(model.kinds, own),
    enabled: own.length > 0,
    ...RETRIES,
  });
  return (ref) => (isAddress(ref) || isError ? ref : data ? (data.get(ref) ?? ref) : texts.parts.unread);
}

/** Addresses of record have no other name. */
export function isAddress(ref: string): boolean {
  return ref.includes('@') || /^sips?:/i.test(ref);
}

/** A value of the history that has references: a list of some, or an object with members such as `gatewayRef`. */
export function ValueWithRefs({ value }: { readonly value: string }) {
  const parsed = parse(value);
  const entries = Array.isArray(parsed) ? parsed.map((each) => ['', each] as const) : Object.entries(parsed);
  const isRef = (name: string): boolean => name === '' || name.endsWith('Ref');
  const nameOf = useNamesOfRefs(entries.flatMap(([name, each]) => (isRef(name) ? String(each) : [])));
  const shown = entries
    .filter(([, each]) => each !== null)
    .map(([name, each]) => {
      const said = isRef(name) ? nameOf(String(each)) : JSON.stringify(each);
      return name === '' ? said : texts.kinds.label(name.replace(/Ref$/, '')) + said;
    });
  return shown.join(texts.parts.comma);
}

function parse(value: string): readonly unknown[] | Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : [value]; // has string keys
  } catch {
    return [value];
  }
}
