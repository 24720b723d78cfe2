import { InvalidInputError, inEntry } from '../errors';
import type { Kind } from '../model/kind';
import { EVERYTHING } from '../resources/list-query';
import { wholeOf, type Selection } from '../resources/selection';
import type { AppSession } from '../services';
import { UploadedList } from './bodies';
import { toDocument } from '../documents/render';
import { filterIn, listed, pageRequest, type Query } from './list-query';
import { pageParameters, type Operation, type Parameter } from './operation';
import { parseChanges, parseDocument } from '../documents/parse';
import type { Profile } from './profile';

/** What a deployment decides about the legacy API. */
export interface RestOptions {
  readonly maxItemsPerPage: number;
  /** No document shows a secret, whoever asks. */
  readonly hideSecrets: boolean;
  readonly profile: Profile;
  /** Every status is a number (docs/legacy-clients.md, "Profiles"). */
  readonly numericStatus: boolean;
  /** What the resources are kept in, for `/system/config`. */
  readonly provider: string;
}

/** List, get, create, update, delete: the same for every kind. */
export function resourceOperations(kind: Kind, options: RestOptions): readonly Operation[] {
  return [list(kind, options), get(kind, options), create(kind), update(kind), remove(kind), removeAll(kind)];
}

const FILTER: Parameter = {
  name: 'filter',
  about: 'Narrows the elements returned, as a JsonPath predicate over one of them.',
  schema: { type: 'string' },
};

const wholes = new Map<Kind, Selection>();

/** The same selection each time, so that it is planned once. */
function whole(kind: Kind): Selection {
  const known = wholes.get(kind) ?? wholeOf(kind);
  wholes.set(kind, known);
  return known;
}

function showsSecrets({ viewer }: AppSession, { hideSecrets }: RestOptions): boolean {
  return !hideSecrets && viewer.role !== 'viewer';
}

function list(kind: Kind, options: RestOptions): Operation {
  return {
    id: `list${kind.name}s`,
    method: 'GET',
    path: `/${kind.collection}`,
    summary: `Lists the resources of kind ${kind.name} in the order in which they were made.`,
    numericStatus: false,
    parameters: [FILTER, ...pageParameters(options.maxItemsPerPage)],
    answer: { member: 'data', of: kind.name, list: true },
    access: 'token',
    handle: async ({ query }, session) => {
      const { resources, filters } = session.read;
      const request = pageRequest(query, options.maxItemsPerPage);
      session.spend(request.itemsPerPage);
      const condition = filters.condition(kind, filterIn(query));
      const wanted = condition ? { condition } : EVERYTHING;
      const { items, meta } = await listed(
        request,
        () => resources.count(kind, wanted),
        (page, size) => resources.numberedPage(kind, whole(kind), page, size, wanted),
      );
      const secrets = showsSecrets(session, options);
      const data = items.map((resource) => toDocument(kind, resource, secrets));
      // A list of a kind with `result` has both members (docs/legacy-clients.md, "Resources").
      return { meta, data, ...(kind.envelope && { [kind.envelope]: data }) };
    },
  };
}

function get(kind: Kind, options: RestOptions): Operation {
  const member = kind.envelope ?? 'data';
  return {
    id: `get${kind.name}`,
    method: 'GET',
    path: `/${kind.collection}/:ref`,
    summary: `Reads the ${kind.name} of a reference.`,
    numericStatus: false,
    answer: { member, of: kind.name },
    failures: [404],
    access: 'token',
    handle: async ({ params }, session) => {
      const resource = await session.read.resources.get(kind, params['ref'] ?? '', whole(kind));
      return { [member]: toDocument(kind, resource, showsSecrets(session, options)) };
    },
  };
}

function create(kind: Kind): Operation {
  const member = kind.envelope ?? 'data';
  return {
    id: `create${kind.name}`,
    method: 'POST',
    path: `/${kind.collection}`,
    summary: `Makes a ${kind.name}; answers with its reference.`,
    numericStatus: false,
    body: kind,
    answer: { member, of: 'Reference', status: 201 },
    failures: [403, 409],
    access: 'token',
    handle: async ({ body }, session) => {
      const { resources } = session.write;
      if (body instanceof UploadedList) {
        const made = body.entries.map((entry, index) =>
          inEntry(`file[${String(index)}]`, () => parseDocument(kind, entry)),
        );
        return { status: 201, [member]: await resources.createAll(kind, made, (index) => `file[${String(index)}]`) };
      }
      const { input, extra, issues } = parseDocument(kind, body);
      return { status: 201, [member]: await resources.create(kind, input, { extra, issues }) };
    },
  };
}

function update(kind: Kind): Operation {
  const member = kind.envelope ?? 'data';
  return {
    id: `update${kind.name}`,
    method: 'PUT',
    path: `/${kind.collection}/:ref`,
    summary: `Changes a ${kind.name}: what is left out stays, null clears, lists are replaced.`,
    numericStatus: false,
    body: kind,
    answer: { member, of: 'Reference' },
    failures: [403, 404, 409],
    access: 'token',
    handle: async ({ params, body }, session) => {
      const ref = params['ref'] ?? '';
      const { resources } = session.write;
      const { input, extra, issues } = parseChanges(kind, ref, body);
      await resources.update(kind, ref, input, { extra, issues, keepsIdentity: true });
      return { [member]: ref };
    },
  };
}

function remove(kind: Kind): Operation {
  return {
    id: `delete${kind.name}`,
    method: 'DELETE',
    path: `/${kind.collection}/:ref`,
    summary: `Deletes a ${kind.name} that nothing refers to.`,
    numericStatus: false,
    failures: [403, 404, 409],
    access: 'token',
    handle: async ({ params }, session) => {
      await session.write.resources.delete(kind, params['ref'] ?? '');
      return {};
    },
  };
}

function removeAll(kind: Kind): Operation {
  return {
    id: `delete${kind.name}s`,
    method: 'DELETE',
    path: `/${kind.collection}`,
    summary: `Deletes every ${kind.name} that a filter selects, or none; answers how many.`,
    numericStatus: false,
    parameters: [FILTER],
    answer: { member: 'data', of: 'Count' },
    failures: [403, 409],
    access: 'token',
    handle: async ({ query }, session) => ({ data: await deleteSelected(kind, query, session) }),
  };
}

async function deleteSelected(kind: Kind, query: Query, { read, write }: AppSession): Promise<number> {
  const { resources } = write;
  const condition = read.filters.condition(kind, filterIn(query));
  if (!condition) throw InvalidInputError.of('filter', 'is needed to delete more than one');
  return resources.deleteAll(kind, await read.resources.identities(kind, condition));
}
