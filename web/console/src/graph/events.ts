import type { Watched } from './use-live-query';

/** Resources that are created, changed or deleted: all, those of kinds, or one of them. */
export function resourcesOf(kinds?: readonly string[], ref?: string): Watched {
  return {
    query: `subscription Resources($kinds: [ResourceKind!], $refs: [String!], $since: String) {
      resourceChanged(kinds: $kinds, refs: $refs, since: $since) { cursor }
    }`,
    variables: { ...(kinds !== undefined && { kinds }), ...(ref !== undefined && { refs: [ref] }) },
  };
}

/** Resources of all kinds. */
export const RESOURCES = resourcesOf();

/** Registrations of gateways at their providers. */
export const REGISTRATIONS: Watched = {
  query: 'subscription Registrations($since: String) { registrationsChanged(since: $since) { cursor } }',
};

/** Devices that register or whose registration ends: all, or those of an address of record. */
export function contactsOf(aor?: string): Watched {
  return {
    query: `subscription Contacts($aor: String, $since: String) {
      contactsChanged(aor: $aor, since: $since) { cursor }
    }`,
    ...(aor !== undefined && { variables: { aor } }),
  };
}
