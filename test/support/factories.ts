import { fetchToken, type TestApp } from './app';

type Input = Readonly<Record<string, unknown>>;
type Kind = 'Domain' | 'Agent' | 'Gateway' | 'DID' | 'Number' | 'Peer' | 'Route';

let count = 0;

/** Creates a Domain and returns its ref, like all factories here. `input` overrides the default values. */
export function createDomain(app: TestApp, input: Input = {}): Promise<string> {
  const n = ++count;
  return create(app, 'Domain', { name: `Domain ${n}`, domainUri: `domain${n}.test`, ...input });
}

/** Creates an Agent, in a new Domain unless `domains` is given. */
export async function createAgent(app: TestApp, input: Input = {}): Promise<string> {
  const n = ++count;
  const domains = input['domains'] ?? [await newDomainUri(app)];
  return create(app, 'Agent', { name: `Agent ${n}`, username: `agent${n}`, secret: `secret${n}`, domains, ...input });
}

/** Creates a Gateway. */
export function createGateway(app: TestApp, input: Input = {}): Promise<string> {
  const n = ++count;
  return create(app, 'Gateway', { name: `Gateway ${n}`, host: `gateway${n}.test`, transport: 'UDP', ...input });
}

/** Creates a DID, on a new Gateway unless `gatewayRef` is given. */
export function createDid(app: TestApp, input: Input = {}): Promise<string> {
  return createNumberOf(app, 'DID', input);
}

/** Creates a Number, on a new Gateway unless `gatewayRef` is given. */
export function createNumber(app: TestApp, input: Input = {}): Promise<string> {
  return createNumberOf(app, 'Number', input);
}

/** Creates a Peer. */
export function createPeer(app: TestApp, input: Input = {}): Promise<string> {
  const n = ++count;
  return create(app, 'Peer', { name: `Peer ${n}`, username: `peer${n}`, secret: `secret${n}`, ...input });
}

/** Creates a Route, of a new Domain and with a new Number unless `domainRef` and `numberRefs` are given. */
export async function createRoute(app: TestApp, input: Input = {}): Promise<string> {
  const domainRef = input['domainRef'] ?? (await createDomain(app));
  const numberRefs = input['numberRefs'] ?? [await createNumber(app)];
  return create(app, 'Route', { name: `Route ${++count}`, prefix: '', ...input, domainRef, numberRefs });
}

/** Creates an operator, who has a budget of their own, and returns the token. */
export async function operatorToken(app: TestApp): Promise<string> {
  return (await createUser(app, 'OPERATOR')).token;
}

/** Creates a user, and signs in. */
export async function createUser(
  app: TestApp,
  role: 'ADMIN' | 'OPERATOR' | 'VIEWER',
  username = `user${++count}`,
): Promise<{ readonly ref: string; readonly token: string }> {
  const secret = 'the secret of a user';
  const { data } = await app.graphql<{ readonly createUser: { readonly ref: string } }>(
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }',
    { input: { username, secret, role } },
  );
  return { ref: data.createUser.ref, token: await fetchToken(app.url, username, secret) };
}

async function createNumberOf(app: TestApp, kind: 'DID' | 'Number', input: Input): Promise<string> {
  const n = ++count;
  const gatewayRef = input['gatewayRef'] ?? (await createGateway(app));
  const telUrl = `tel:+1555${String(n).padStart(7, '0')}`;
  return create(app, kind, { telUrl, aorLink: `sip:target${n}@domain.test`, gatewayRef, ...input });
}

async function newDomainUri(app: TestApp): Promise<string> {
  const domainUri = `domain${++count}.test`;
  await createDomain(app, { domainUri });
  return domainUri;
}

async function create(app: TestApp, kind: Kind, input: Input): Promise<string> {
  const { data, errors } = await app.graphql<{ readonly created: { readonly ref: string } }>(
    `mutation ($input: Create${kind}Input!) { created: create${kind}(input: $input) { ref } }`,
    { input },
  );
  if (errors) throw new Error(`create${kind} failed: ${JSON.stringify(errors)}`);
  return data.created.ref;
}
