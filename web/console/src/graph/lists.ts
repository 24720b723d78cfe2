/** A list of the graph, of which only the resources matter. */
export interface Nodes<Node> {
  readonly nodes: readonly Node[];
}

/** A page of a list that is read from its beginning. */
export interface ForwardPage<Node> extends Nodes<Node> {
  readonly pageInfo: Pick<PageInfo, 'hasNextPage' | 'endCursor'>;
}

/** Position of a page in its list. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}
