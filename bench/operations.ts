const DID_FIELDS = 'ref telUrl aorLink gateway { ref name host }';

/** The documents of the GraphQL cases. */
export const documents = {
  did: `query Did($ref: String!) { did(ref: $ref) { ${DID_FIELDS} } }`,
  dids: `query DIDs($after: String) { dids(first: 30, after: $after) { nodes { ${DID_FIELDS} } } }`,
  gateways: `query Gateways($after: String) {
    gateways(first: 10, after: $after) { nodes { ref name host dids(first: 10) { nodes { ref telUrl } } } }
  }`,
  agents: `query Agents($after: String) {
    agents(first: 30, after: $after) { nodes { ref name username domains { ref name domainUri } } }
  }`,
  host: `query GatewaysOfHost($host: String!) {
    gateways(where: { host: { eq: $host } }) { nodes { ref name host port } }
  }`,
  page: `query Page($after: String!) {
    dids(first: 30, after: $after) { nodes { ${DID_FIELDS} } pageInfo { hasNextPage endCursor } }
  }`,
  createDid: `mutation CreateDID($input: CreateDIDInput!) { createDID(input: $input) { ${DID_FIELDS} } }`,
};
