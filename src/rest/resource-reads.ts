import { mayAct } from '../auth/role';
import type { Kind } from '../model/kind';
import { documentsText, documentText } from '../resources/documents/render';
import type { Shown } from '../resources/read/other-members';
import { wholeOf } from '../resources/read/selection';
import type { Session } from '../session/session';
import { Json } from './envelope';
import { FILTER, pageParameters, type Operation } from './operation';
import type { RestOptions } from './options';
import { filterIn, metaOf, pageRequest } from './query-parameters';

function shownTo({ viewer }: Session, { hideSecrets }: RestOptions): Shown {
  if (!mayAct(viewer.role, 'operator')) return 'named';
  return hideSecrets ? 'no secrets' : 'all';
}

/** GET of a collection: a page of the resources that match a filter. */
export function listResources(kind: Kind, options: RestOptions): Operation {
  return {
    id: `list${kind.name}s`,
    method: 'GET',
    path: `/${kind.collection}`,
    summary: `Lists the resources of kind ${kind.name} in creation order.`,
    numericStatus: false,
    parameters: [FILTER, ...pageParameters(options.maxItemsPerPage)],
    answer: { member: 'data', of: kind.name, list: true },
    access: 'token',
    handle: async ({ query }, session) => {
      const { resources, filters } = session.read;
      const request = pageRequest(query, options.maxItemsPerPage);
      session.spend(request.itemsPerPage);
      const condition = filters.condition(kind, filterIn(query));
      const { page, itemsPerPage: size } = request;
      const slice = { skip: (page - 1) * size, size };
      const { found, total } = await resources.numberedPage(kind, wholeOf(kind), slice, { condition });
      const meta = metaOf(request, total);
      const shown = shownTo(session, options);
      const data = new Json(documentsText(kind, found, shown));
      // A kind with `result` returns its lists in both members (docs/legacy-clients.md, "Resources").
      return { meta, data, ...(kind.envelope && { [kind.envelope]: data }) };
    },
  };
}

/** GET of a resource. */
export function getResource(kind: Kind, options: RestOptions): Operation {
  const member = kind.envelope ?? 'data';
  return {
    id: `get${kind.name}`,
    method: 'GET',
    path: `/${kind.collection}/:ref`,
    summary: `Returns the ${kind.name} with a reference.`,
    numericStatus: false,
    answer: { member, of: kind.name },
    failures: [404],
    access: 'token',
    handle: async ({ params }, session) => {
      session.spend(1);
      const rows = await session.read.resources.rows(kind, params['ref'] ?? '', wholeOf(kind));
      return { [member]: new Json(documentText(kind, rows, shownTo(session, options))) };
    },
  };
}
