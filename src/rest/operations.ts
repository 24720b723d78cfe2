import type { Kind } from '../resources/kind';
import { kindOf } from '../resources/kinds';
import { EVERYTHING } from '../resources/list-query';
import { wholeOf, type Selection } from '../resources/selection';
import type { AppSession } from '../services';
import { toDocument } from './document';
import { first, listed, pageRequest } from './list-query';
import { liveOperations } from './live-operations';
import { pageParameters, type Operation, type Parameter } from './operation';
import { parseDocument } from './parse-document';
import { systemOperations } from './system-operations';

/** What a deployment decides about the legacy API. */
export interface RestOptions {
  readonly maxItemsPerPage: number;
  /** No document shows a secret, whoever asks. */
  readonly hideSecrets: boolean;
}

/** The operations of SPECIFICATION.md 4.2 and of LEGACY.md "Requests". */
export function operations(options: RestOptions): readonly Operation[] {
  const [gateway, agent, peer, domain, did, number] = (
    ['Gateway', 'Agent', 'Peer', 'Domain', 'DID', 'Number'] as const
  ).map(kindOf) as [Kind, Kind, Kind, Kind, Kind, Kind];
  return [
    ...[gateway, agent, peer, domain].map((kind) => list(kind, options)),
    ...[gateway, peer, did].map((kind) => get(kind, options)),
    ...[did, number].map(create),
    ...liveOperations(options.maxItemsPerPage),
    ...systemOperations,
  ];
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
      const condition = filters.condition(kind, first(query, 'filter'));
      const wanted = condition ? { condition } : EVERYTHING;
      const { items, meta } = await listed(
        request,
        () => resources.count(kind, wanted),
        (page, size) => resources.numberedPage(kind, whole(kind), page, size, wanted),
      );
      const secrets = showsSecrets(session, options);
      return { meta, data: items.map((resource) => toDocument(kind, resource, secrets)) };
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
      const { input, extra, issues } = parseDocument(kind, body);
      return { status: 201, [member]: await resources.create(kind, input, { extra, issues }) };
    },
  };
}
