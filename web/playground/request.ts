import { NetworkError } from 'graphql-sse';

/** Sends a GraphQL request. Throws an Error whose message explains why there is no response. */
export async function post(body: object, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const response = await fetch('graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error(unreachable());
  });
  if (response.headers.get('content-type')?.includes('json') !== true) throw new Error(foreign(response));
  return response.json();
}

/** Explains why a request or an event stream failed. */
export function explain(error: unknown): string {
  if (error instanceof NetworkError) {
    const { response } = error as { response?: Response };
    return response ? foreign(response) : unreachable();
  }
  return error instanceof Error ? error.message : 'The request failed.';
}

function unreachable(): string {
  return `The server at ${location.origin} cannot be reached. Check that sipgraph is running and that you are online.`;
}

/** The message for a response that is neither JSON nor an event stream, so it does not come from sipgraph. */
function foreign({ status }: Response): string {
  const isGateway = status === 502 || status === 503 || status === 504;
  const why = isGateway ? 'sipgraph may be down or still starting' : 'check the proxies between this page and sipgraph';
  return `A proxy responded instead of sipgraph, with status ${String(status)}: ${why}.`;
}
