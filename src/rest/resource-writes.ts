import { InvalidInputError, inEntry } from '../errors';
import { withArticle, type Kind } from '../model/kind';
import { parseChanges, parseDocument } from '../resources/documents/parse';
import { REF_ONLY } from '../resources/read/selection';
import { HEADER } from '../resources/write/idempotency-key';
import type { Session } from '../session/session';
import { UploadedList } from './bodies';
import { FILTER, type Operation, type Parameter } from './operation';
import { filterIn, type Query } from './query-parameters';

/** Makes a retried POST safe (docs/rest-contract.md, section 10.7). */
const IDEMPOTENCY_KEY: Parameter = {
  name: HEADER,
  in: 'header',
  about: 'A retry with the same key within a day returns what the first request created.',
  schema: { type: 'string', maxLength: 255 },
};

/** POST of one document, or of a form whose file contains several. */
export function createResource(kind: Kind): Operation {
  const member = kind.envelope ?? 'data';
  return {
    id: `create${kind.name}`,
    method: 'POST',
    path: `/${kind.collection}`,
    summary: `Creates ${withArticle(kind.name)} and returns its reference.`,
    numericStatus: false,
    parameters: [IDEMPOTENCY_KEY],
    body: kind,
    answer: { member, of: 'Reference', status: 201 },
    failures: [403, 409, 422],
    access: 'token',
    handle: async ({ body, idempotencyKey: text }, session) => {
      const { resources } = session.write;
      const key = text === undefined ? undefined : { user: session.viewer.ref, text, index: 0 };
      if (body instanceof UploadedList) {
        const made = body.entries.map((entry, index) =>
          inEntry(`file[${String(index)}]`, () => parseDocument(kind, entry)),
        );
        const nameOf = (index: number): string => `file[${String(index)}]`;
        return { status: 201, [member]: await resources.createAll(kind, made, nameOf, key) };
      }
      const { input, extra, issues } = parseDocument(kind, body);
      const { ref } = await resources.create(kind, input, REF_ONLY, { extra, issues, key });
      return { status: 201, [member]: ref };
    },
  };
}

/**
 * PUT of a document. `merge` in resources/write/input.ts applies the document to the stored values. Null clears a
 * value.
 */
export function updateResource(kind: Kind): Operation {
  const member = kind.envelope ?? 'data';
  return {
    id: `update${kind.name}`,
    method: 'PUT',
    path: `/${kind.collection}/:ref`,
    summary: `Updates ${withArticle(kind.name)}. Missing members keep their values, null clears a value, and lists are replaced.`,
    numericStatus: false,
    body: kind,
    answer: { member, of: 'Reference' },
    failures: [403, 404, 409],
    access: 'token',
    handle: async ({ params, body }, session) => {
      const ref = params['ref'] ?? '';
      const { resources } = session.write;
      const { input, extra, issues } = parseChanges(kind, ref, body);
      const options = { extra, issues, keepsIdentity: true };
      await resources.update(kind, ref, input, REF_ONLY, options);
      // Where a kind has `result`, clients look for the reference of an update in `data`, too.
      return { data: ref, [member]: ref };
    },
  };
}

/** DELETE of a resource. */
export function deleteResource(kind: Kind): Operation {
  return {
    id: `delete${kind.name}`,
    method: 'DELETE',
    path: `/${kind.collection}/:ref`,
    summary: `Deletes ${withArticle(kind.name)}, unless another resource refers to it.`,
    numericStatus: false,
    failures: [403, 404, 409],
    access: 'token',
    handle: async ({ params }, session) => {
      await session.write.resources.delete(kind, params['ref'] ?? '');
      return {};
    },
  };
}

/** DELETE of all resources that match a filter. */
export function deleteResources(kind: Kind): Operation {
  return {
    id: `delete${kind.name}s`,
    method: 'DELETE',
    path: `/${kind.collection}`,
    summary: `Deletes every ${kind.name} that matches a filter, or none if one is in use, and returns their number.`,
    numericStatus: false,
    parameters: [FILTER],
    answer: { member: 'data', of: 'Count' },
    failures: [403, 409],
    access: 'token',
    handle: async ({ query }, session) => ({ data: await deleteSelected(kind, query, session) }),
  };
}

async function deleteSelected(
  kind: Kind,
  query: Query,
  { read, write, permit, chargeRows: charge }: Session,
): Promise<number> {
  const { many } = write;
  const condition = read.filters.condition(kind, filterIn(query));
  if (!condition) throw InvalidInputError.of('filter', 'is needed to delete more than one');
  const chosen = await read.resources.identities(kind, condition);
  charge(chosen.length);
  const { count } = await many.delete(kind, chosen, { dryRun: false, request: permit, charge });
  return count;
}
