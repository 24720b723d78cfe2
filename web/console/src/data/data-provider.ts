import type {
  CreateParams,
  DataProvider,
  DeleteParams,
  GetListParams,
  GetManyParams,
  GetOneParams,
  UpdateParams,
} from 'react-admin';

import type { PostOptions } from '../graph/post';
import { request } from '../graph/request';
import { partsOf, valuesFor } from '../graph/spelling';
import { kindOf, loadModel, type Kind } from '../model/model';
import { formError, formValues, inputOf, type KeyOf, type Values } from './forms';
import { readPage, rememberNode, type Node } from './pages';
import { searchedIn, selectionOf, whereOf, type Filter } from './queries';

/** A resource in react-admin: its `id` is the reference. */
export interface ResourceRecord {
  readonly id: string;
  readonly ref: string;
  readonly [field: string]: unknown;
}

function recordOf(kind: Kind, node: Node): ResourceRecord {
  rememberNode(kind, node);
  return { ...node, id: node.ref };
}

async function list(resource: string, filter: Filter, { pagination, sort, signal }: Partial<GetListParams>) {
  const model = await loadModel();
  const kind = kindOf(model, resource);
  const { page = 1, perPage = 25 } = pagination ?? {};
  const where = whereOf(model, kind, filter, await partsOf(searchedIn(filter)));
  const query = { kind, where, sort, signal, withState: true };
  const { nodes, pageInfo } = await readPage(model, query, { page, perPage });
  return { data: nodes.map((node) => recordOf(kind, node)), pageInfo };
}

async function change(
  resource: string,
  operation: 'create' | 'update',
  variables: (kind: Kind) => Promise<object>,
  options?: PostOptions,
) {
  const model = await loadModel();
  const kind = kindOf(model, resource);
  const isNew = operation === 'create';
  const input = `${isNew ? 'Create' : 'Update'}${kind.name}Input`;
  const [declared, passed] = isNew
    ? ['', '']
    : ['$ref: String!, $seen: DateTimeISO, ', 'ref: $ref, ifUnchangedSince: $seen, '];
  try {
    const { changed } = await request<{ changed: Node }>(
      `mutation Change(${declared}$input: ${input}!) {
        changed: ${operation}${kind.name}(${passed}input: $input) { ${selectionOf(model, kind, true)} }
      }`,
      (await variables(kind)) as Values,
      options,
    );
    return { data: recordOf(kind, changed) };
  } catch (error) {
    throw formError(error);
  }
}

/** What kinds/create-page.tsx adds to the data. */
interface CreateMeta {
  readonly keyOf: KeyOf;
}

/** The largest page of the graph. */
const MOST = 100;

const provider = {
  supportAbortSignal: true,

  getList: async (resource: string, params: GetListParams) => list(resource, params.filter as Filter, params),

  getMany: async (resource: string, { ids, signal }: GetManyParams) => {
    const count = Math.ceil(ids.length / MOST);
    const parts = Array.from({ length: count }, (_, part) => ids.slice(part * MOST, (part + 1) * MOST).map(String));
    const pages = await Promise.all(
      parts.map(async (refs) =>
        list(resource, { ref: { in: refs } }, { pagination: { page: 1, perPage: refs.length }, signal }),
      ),
    );
    return { data: pages.flatMap(({ data }) => data) };
  },

  getOne: async (resource: string, { id, signal }: GetOneParams) => {
    const model = await loadModel();
    const kind = kindOf(model, resource);
    const { found } = await request<{ found: Node }>(
      `query One($ref: String!) { found: ${kind.single}(ref: $ref) { ${selectionOf(model, kind, true)} } }`,
      { ref: id },
      { signal },
    );
    return { data: recordOf(kind, found) };
  },

  create: async (resource: string, { data, meta }: CreateParams) =>
    change(resource, 'create', async (kind) => ({ input: await valuesFor(inputOf(kind.create, data as Values)) }), {
      idempotencyKey: (meta as CreateMeta | undefined)?.keyOf(data as Values),
    }),

  // Refused if the resource was changed after the `modifiedOn` of the data, or else of what the form was filled in with.
  update: async (resource: string, { id, data, previousData }: UpdateParams<ResourceRecord>) =>
    change(resource, 'update', async (kind) => ({
      ref: id,
      seen: data['modifiedOn'] ?? previousData['modifiedOn'],
      input: await valuesFor(inputOf(kind.update, data, formValues(kind, previousData))),
    })),

  delete: async (resource: string, { id }: DeleteParams<ResourceRecord>) => {
    const { name } = kindOf(await loadModel(), resource);
    try {
      await request(`mutation Delete($ref: String!) { delete${name}(ref: $ref) }`, { ref: id });
      return { data: { id } };
    } catch (error) {
      throw formError(error);
    }
  },
};

/** Reads and changes resources of any kind through the graph, for react-admin. Many at once are changed by bulk/. */
export const dataProvider = provider as unknown as DataProvider; // callers name the type of their records
