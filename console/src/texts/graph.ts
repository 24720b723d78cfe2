/** The texts of graph/. */
export const graph = {
  unreachable: `The server at ${location.origin} cannot be reached. Check that sipgraph is running and that you are online.`,
  proxy: (status: number) =>
    `A proxy responded instead of sipgraph, with status ${status}: ` +
    (status >= 502 && status <= 504
      ? 'sipgraph may be down or still starting.'
      : 'check the proxies between this page and sipgraph.'),
} as const;
