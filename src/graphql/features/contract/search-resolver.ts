import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Int, Query, Resolver } from 'type-graphql';

import { InvalidInputError } from '../../../errors';
import { telDigits } from '../../../model/format/tel-uri';
import type { Field, Kind, Resource } from '../../../model/kind';
import { telUrlOf, type Country } from '../../../spelling/telephone';
import { MAX_ADDRESS, numberIn } from '../../../spelling/written';
import type { Context } from '../../context';
import { filterOf, textFilter } from '../../schema/filter-types';
import { listOf, type ListArgs } from '../../schema/list-args';
import { selectionOf } from '../../schema/look-ahead';
import { ResourceInterface } from '../../schema/object-types';

/** The resources of each kind that a search returns, by default and at most. */
const DEFAULT = 5;
const MOST = 20;

/** The search for a text in resources of all kinds. */
@Resolver()
export class SearchResolver {
  @Query(() => [ResourceInterface], {
    description: `Finds resources with a text in their names, references or other texts, ignoring case; for a number in any spelling, also the DIDs and Numbers that begin with it or are ranges around it. The order of the kinds is Gateway, Agent, Peer, Domain, DID, Number, Route. For texts without a number, DIDs and Numbers are not searched.`,
  })
  async search(
    @Arg('text', () => String, { description: `The text: 1 to ${String(MAX_ADDRESS)} characters.` }) text: string,
    @Arg('first', () => Int, {
      defaultValue: DEFAULT,
      description: `The number of resources of each kind, at most ${String(MOST)}.`,
    })
    first: number,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<readonly Resource[]> {
    if (first < 1 || first > MOST)
      throw InvalidInputError.of('first', `${String(first)} is not between 1 and ${String(MOST)}`);
    const sought = text.trim();
    if (sought === '') throw InvalidInputError.of('text', 'is empty');
    if (text.length > MAX_ADDRESS)
      throw InvalidInputError.of('text', `has ${String(text.length)} characters, more than ${String(MAX_ADDRESS)}`);
    const { shared, read } = session;
    const searches = shared.model.kinds.map(async (kind) => {
      const pages = await Promise.all(
        conditionsFor(kind, sought, shared.homeCountry).map((where) => {
          const { range, query } = listOf(kind, { first, where }, read.filters);
          return read.resources.page(kind, selectionOf(kind, info), range, query);
        }),
      );
      const byId = new Map(pages.flatMap(({ items }) => items.map((item) => [item.rowId, item])));
      return [...byId.values()].sort((a, b) => a.rowId - b.rowId).slice(0, first);
    });
    return (await Promise.all(searches)).flat();
  }
}

/**
 * The conditions of lists that together have what is found of a kind. There may be a million numbers: an index finds
 * those that begin with the digits, and another one the range that contains the whole number, but no index finds both.
 */
function conditionsFor(kind: Kind, text: string, home: Country | undefined): readonly NonNullable<ListArgs['where']>[] {
  if (!kind.fields.some(({ name }) => name === 'telUrl')) {
    const names = ['ref', ...kind.fields.filter(isText).map(({ name }) => name)];
    return [{ or: names.map((name) => ({ [name]: { containsIgnoreCase: text } })) }];
  }
  const digits = numberIn(text) ? telDigits(telUrlOf(text, home)) : '';
  if (digits === '') return [];
  const begins = [`tel:+${digits}`, `tel:${digits}`].map((start) => ({ telUrl: { startsWith: start } }));
  return [{ or: begins }, ...(kind.ranges ? [{ covers: digits }] : [])];
}

/** Whether conditions on the field are those on a text. */
function isText({ keys, secret, refersTo, format }: Field): boolean {
  return keys.length === 1 && secret !== true && !refersTo?.through && filterOf(format) === textFilter;
}
