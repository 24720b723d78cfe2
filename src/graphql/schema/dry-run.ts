import { Arg } from 'type-graphql';

/** The argument `dryRun` of a mutation, which checks everything and changes nothing. `more` says what it returns then. */
export function DryRun(more = ''): ReturnType<typeof Arg> {
  const description = `Check everything, and change nothing.${more === '' ? '' : ` ${more}`}`;
  return Arg('dryRun', () => Boolean, { defaultValue: false, description });
}
