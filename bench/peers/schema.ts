/** The part of the schema that the benchmark uses, for the peers with a GraphQL library. */
export const typeDefs = /* GraphQL */ `
  type Query {
    did(ref: String!): DID
    dids(first: Int = 30, after: String): DIDConnection!
    gateways(first: Int = 30, after: String, where: GatewayWhere): GatewayConnection!
    agents(first: Int = 30, after: String): AgentConnection!
  }
  type Mutation {
    createDID(input: CreateDIDInput!): DID!
  }
  type DID {
    ref: String!
    telUrl: String!
    aorLink: String!
    gateway: Gateway!
  }
  type Gateway {
    ref: String!
    name: String!
    host: String!
    port: Int
    dids(first: Int = 30): DIDConnection!
  }
  type Agent {
    ref: String!
    name: String!
    username: String!
    domains: [Domain!]!
  }
  type Domain {
    ref: String!
    name: String!
    domainUri: String!
  }
  type DIDConnection {
    nodes: [DID!]!
    pageInfo: PageInfo!
  }
  type GatewayConnection {
    nodes: [Gateway!]!
  }
  type AgentConnection {
    nodes: [Agent!]!
  }
  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }
  input GatewayWhere {
    host: TextFilter
  }
  input TextFilter {
    eq: String
  }
  input CreateDIDInput {
    gatewayRef: String!
    telUrl: String!
    aorLink: String!
    geoInfo: GeoInfoInput
  }
  input GeoInfoInput {
    city: String
    country: String
    countryISOCode: String
  }
`;

/** The arguments of the fields that have some. */
export interface Arguments {
  readonly did: { readonly ref: string };
  readonly page: { readonly first: number; readonly after?: string | null };
  readonly gateways: Arguments['page'] & { readonly where?: { readonly host?: { readonly eq?: string } } | null };
  readonly first: { readonly first: number };
  readonly createDID: { readonly input: Readonly<Record<string, unknown>> };
}
