import type { ReportedChange, ReportedError } from '../../../shared/request';

/** What was changed of a resource since it was read, for which `ifUnchangedSince` was refused. */
export interface ChangedSince {
  /** When it was last changed. */
  readonly modifiedOn: string;
  /** Empty if the server does not say what was changed. */
  readonly changes: readonly ReportedChange[];
}

/** A request that the server refused, or that did not reach it (code `UNREACHABLE`). */
export class GraphError extends Error {
  /** A value of the graph's enum ErrorCode, or `UNREACHABLE`. */
  readonly code: string;
  /** The invalid fields of the input, such as `geoInfo.city`. */
  readonly fields: readonly string[];
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;
  /** Whether the query itself took too long, which it probably would again. */
  readonly isTimeout: boolean;
  readonly changedSince: ChangedSince | undefined;

  constructor(readonly errors: readonly ReportedError[]) {
    super(errors.map(({ message }) => message).join('\n'));
    this.name = 'GraphError';
    const [extensions] = errors.flatMap((error) => error.extensions ?? []);
    this.code = extensions?.code ?? 'INTERNAL_SERVER_ERROR';
    this.fields = errors.flatMap((error) => error.extensions?.fields ?? []);
    this.retryAfter = extensions?.retryAfter;
    this.isTimeout = extensions?.timedOut === true;
    const { modifiedOn, changes } = extensions ?? {};
    this.changedSince = modifiedOn !== undefined && changes ? { modifiedOn, changes } : undefined;
  }

  /** What is wrong with a field; the whole message if that is not said. */
  at(field: string): string {
    const wrong = this.errors.flatMap(({ extensions }) => extensions?.errors ?? []);
    return wrong.find(({ path }) => path === field)?.message ?? this.message;
  }
}

/** Whether the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof GraphError && ['UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMITED'].includes(error.code);
}

/** Whether a preview took longer than it may hold locks (src/resources/bulk/pace.ts). The change itself may. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof GraphError && error.fields.includes('dryRun');
}

/** The message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
