import { useSearchParams } from 'react-router-dom';

/** The parameters of the page's address, and a function that changes some of them and goes to the first page. */
export function useParameters(): readonly [
  get: (name: string) => string | undefined,
  set: (changes: Readonly<Record<string, string | undefined>>) => void,
] {
  const [parameters, setParameters] = useSearchParams();
  return [
    (name) => parameters.get(name) ?? undefined,
    (changes) => {
      // Not those of the last render, which may be older than a change that was just made.
      const next = new URLSearchParams(location.search);
      for (const name of ['after', 'before', ...Object.keys(changes)]) {
        const value = changes[name] ?? '';
        if (value === '') next.delete(name);
        else next.set(name, value);
      }
      setParameters(next, { replace: true });
    },
  ];
}
