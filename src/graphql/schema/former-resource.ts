import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import { storedKey, type Stored } from '../../history/identities';
import { mentionKey } from '../../history/mentions';
import type { Model } from '../../model/model';
import { fieldsOnly } from '../../resources/read/selection';
import type { ReadServices } from '../../session/services';
import type { Context } from '../context';
import { loadByKey } from './loader';
import { KindEnum } from './object-types';
import { nullable, objectOf } from './type-tables';

/** A resource that something stored refers to, and that no longer exists. */
export const FormerResource = objectOf(
  'FormerResource',
  'A resource that no longer exists. Another one may have its reference since.',
  {
    kind: [KindEnum, 'The kind.'],
    ref: [String, 'Its reference. The history tells what became of it.'],
    name: [
      nullable(String),
      'What it was called then: its name, host or telephone number; null if the history that tells is not kept (HISTORY_DAYS).',
    ],
  },
);
export type FormerResource = InstanceType<typeof FormerResource>;

/** Of stored references, those to resources that no longer exist, by `storedKey`, each with what it was called then. */
export async function readFormer(
  stored: readonly Stored[],
  { resources, identities }: Pick<ReadServices, 'resources' | 'identities'>,
  model: Model,
): Promise<ReadonlyMap<string, FormerResource>> {
  const ours = stored.filter(({ kind }) => model.find(kind) !== undefined);
  const isSame = await Promise.all(ours.map((each) => identities.isSame(each)));
  const existing = new Set<string>();
  for (const kind of model.kinds) {
    const refs = [
      ...new Set(ours.flatMap((each, n) => (each.kind === kind.name && isSame[n] === true ? each.ref : []))),
    ];
    if (refs.length === 0) continue;
    for (const { ref } of await resources.some(kind, refs, fieldsOnly('ref')))
      existing.add(mentionKey({ kind: kind.name, ref }));
  }
  const former = ours.filter((each, n) => isSame[n] !== true || !existing.has(mentionKey(each)));
  const names = await identities.names(former);
  return new Map(
    former.map((each) => [
      storedKey(each),
      { kind: each.kind, ref: each.ref, name: names.get(storedKey(each)) ?? null },
    ]),
  );
}

/**
 * Creates the resolver of the field `former`: the resource of a stored reference, if it no longer exists. Those of the objects of a list
 * are read together.
 */
export function formerOf(
  type: new (...args: never[]) => object,
  description: string,
  storedOf: (object: never) => Stored,
): new () => object {
  @Resolver(() => type)
  class FormerResolver {
    @FieldResolver(() => FormerResource, { nullable: true, description })
    former(
      @Root() object: object,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<FormerResource | undefined> {
      const { read, shared } = context.session;
      const stored = storedOf(object as never); // a value of `type`
      return loadByKey(context, info, stored, async (all) => {
        const former = await readFormer(all, read, shared.model);
        return new Map(
          all.flatMap((each): [Stored, FormerResource][] => {
            const found = former.get(storedKey(each));
            return found ? [[each, found]] : [];
          }),
        );
      });
    }
  }
  return FormerResolver;
}
