import { Argument, InvalidArgumentError, type Command } from 'commander';
import { dump } from 'js-yaml';

import type { Kind, Resource } from '../model/kind';
import type { Model } from '../model/model';
import { toDocument } from '../resources/documents/render';
import { wholeOf } from '../resources/read/selection';
import { valuesOf } from '../resources/read/row';
import { answering, limitIn, moreOf } from './answer';
import type { Databases } from './databases';
import { table } from './table';

/** Adds the commands that read resources of every kind: `get` and `list`. */
export function addResourceCommands(program: Command, databases: Databases, model: Model): void {
  answering(
    program
      .command('get')
      .description('print a resource as a document, without its secrets')
      .addArgument(kindArgument(model))
      .argument('<ref>', 'reference of the resource'),
    (kind: Kind, ref: string) =>
      databases.openToRead(async ({ resources }) => {
        const document = toDocument(kind, await resources.get(kind, ref, wholeOf(kind)), 'no secrets');
        return { text: [dump(document).trimEnd()], json: document, isDocument: true };
      }),
  );
  answering(
    program
      .command('list')
      .description('list the resources of a kind in creation order, without their secrets')
      .addArgument(kindArgument(model))
      .option('--filter <predicate>', 'only resources that match this JsonPath predicate')
      .option('--limit <number>', 'number of resources', limitIn, 50),
    (kind: Kind, { filter, limit }: { readonly filter?: string; readonly limit: number }) =>
      databases.openToRead(async ({ resources, filters }) => {
        const condition = filters.condition(kind, filter);
        const { items, more } = await resources.page(kind, wholeOf(kind), { limit, backwards: false }, { condition });
        return {
          text: [...table(items, columnsOf(kind)), ...moreOf(kind.collection, more, limit)],
          json: { items: items.map((item) => toDocument(kind, item, 'no secrets')), more },
        };
      }),
  );
}

/** An argument that is the name of a kind, or of its collection, in any case. */
export function kindArgument({ kinds }: Model): Argument {
  const description = `kind, such as ${kinds[0]?.name ?? ''} or ${kinds[0]?.collection ?? ''}`;
  return new Argument('<kind>', description).argParser((text: string): Kind => kindIn(kinds, text));
}

/** Returns the kind with a name, or whose collection has it, in any case. Throws InvalidArgumentError. */
export function kindIn(kinds: readonly Kind[], text: string): Kind {
  const kind = kinds.find((each) => [each.name, each.collection].some((name) => isSame(name, text)));
  if (kind) return kind;
  throw new InvalidArgumentError(`Expected one of ${kinds.map(({ collection }) => collection).join(', ')}.`);
}

/** The columns that tell the resources of a kind apart: the reference and the required fields. */
function columnsOf(kind: Kind): Readonly<Record<string, (item: Resource) => unknown>> {
  const fields = kind.fields.filter(({ required, secret }) => required && secret !== true);
  return {
    ref: ({ ref }) => ref,
    ...Object.fromEntries(fields.map(({ name }) => [name, (item: Resource) => valuesOf(kind, item).get(name)])),
  };
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
