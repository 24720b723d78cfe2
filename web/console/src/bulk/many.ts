import { readTotal } from '../data/pages';
import { type Calls, CALLS } from '../effects/calls';
import { isTooSlow } from '../graph/graph-error';
import { request } from '../graph/request';
import type { Kind, Model } from '../model/model';
import { shapeOf } from '../model/schema';
import { NO_WAIT, type Wait, WAIT_DECLARED, WAIT_PASSED, type Waiting, WAITING, waitVariables } from '../pending/wait';
import { texts } from '../texts';

/** Which resources: those with these references, or all that meet conditions (`{}`: all). */
export type Chosen = { readonly refs: readonly string[] } | { readonly where: object };

/** What to do with them. */
export type Action = { readonly type: 'update'; readonly set: object } | { readonly type: 'delete' };

/** A resource that is changed, and how. */
export interface Sample {
  readonly ref: string;
  readonly changes: readonly {
    readonly field: string;
    readonly before: string | null;
    readonly after: string | null;
    readonly isSecret: boolean;
  }[];
}

/** What was changed, or would be. */
export interface ManyResult {
  readonly count: number;
  readonly changed: number;
  readonly request: string | null;
  readonly sample: readonly Sample[];
  readonly pending: Waiting;
  /** Whether the preview took too long, so that it is only known how many there are. */
  readonly isUnseen?: true;
}

/** What a preview told, and the key that makes it safe to confirm it again when the response was lost. */
export interface Previewed {
  readonly count: number;
  readonly key: string;
}

const FIELDS = `count changed request sample { ref changes { field before after isSecret } } ${WAITING}`;

/** Returns what the action would change, without changing it, or how many if that takes too long. Throws a GraphError. */
export async function preview(model: Model, kind: Kind, chosen: Chosen, action: Action): Promise<ManyResult> {
  try {
    return await send(model, kind, action, { ...chosen, dryRun: true });
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    const count = 'refs' in chosen ? chosen.refs.length : await readTotal({ kind, where: chosen.where });
    return { count, changed: count, request: null, sample: [], pending: null, isUnseen: true };
  }
}

/** Returns the calls that would go differently after the action. Throws a GraphError. */
export async function previewCalls(model: Model, kind: Kind, chosen: Chosen, action: Action): Promise<Calls | null> {
  const selection = { ...chosen, dryRun: true };
  return (await send<{ calls: Calls | null }>(model, kind, action, selection, { fields: CALLS })).calls;
}

/** Changes the resources if there are as many as in the preview, all or none, or lets that wait. Throws a GraphError. */
export async function change(
  model: Model,
  kind: Kind,
  chosen: Chosen,
  action: Action,
  { count, key }: Previewed,
  wait: Wait = NO_WAIT,
): Promise<ManyResult> {
  const selection = { ...chosen, expectedCount: count, dryRun: false, ...waitVariables(wait) };
  return send(model, kind, action, selection, { key });
}

async function send<T = ManyResult>(
  { schema }: Model,
  { name }: Kind,
  action: Action,
  selection: object,
  { key: idempotencyKey, fields = FIELDS }: { readonly key?: string; readonly fields?: string } = {},
): Promise<T> {
  const isUpdate = action.type === 'update';
  const [declared, passed] = isUpdate ? [`$set: Update${name}Input!, `, 'set: $set, '] : ['', ''];
  const { many } = await request<{ many: T }>(
    `mutation Many(${declared}$refs: [String!], $where: ${name}Where, $expectedCount: Int, $dryRun: Boolean!, ${WAIT_DECLARED}) {
      many: ${mutationOf(schema, name, action.type)}(${passed}refs: $refs, where: $where, expectedCount: $expectedCount, dryRun: $dryRun, ${WAIT_PASSED}) { ${fields} }
    }`,
    { ...selection, ...(isUpdate && { set: action.set }) },
    { idempotencyKey },
  );
  return many;
}

/** The mutation that changes many of this kind, such as `updateManyDIDs`: its conditions are those of the kind. */
function mutationOf(schema: Model['schema'], name: string, action: Action['type']): string {
  const mutations = schema.get('Mutation')?.fields ?? [];
  const found = mutations.find(
    (field) =>
      field.name.startsWith(`${action}Many`) && field.args.some(({ type }) => shapeOf(type).name === `${name}Where`),
  );
  if (!found) throw new Error(texts.bulk.impossible(action, name));
  return found.name;
}
