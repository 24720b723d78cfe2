import { Agent, request } from 'node:http';

import type { CaseRequest } from './cases';
import type { BenchServer } from './servers';

/** The response to one request: its status, 0 if the connection failed, and the milliseconds until it was read. */
export interface Answered {
  readonly status: number;
  /** Whether it has the header Retry-After. */
  readonly mayRetry: boolean;
  readonly milliseconds: number;
}

/** Sends requests of a user over up to `connections` connections. */
export class Traffic {
  readonly answers: Answered[] = [];
  private readonly agent: Agent;
  private open = 0;

  constructor(
    private readonly server: Pick<BenchServer, 'url'>,
    private readonly token: string,
    private readonly connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Keeps all connections busy for some seconds. Clients ignore Retry-After. */
  async saturate(seconds: number, next: () => CaseRequest): Promise<void> {
    const end = performance.now() + seconds * 1000;
    const client = async (): Promise<void> => {
      while (performance.now() < end) await this.send(next());
    };
    await Promise.all(Array.from({ length: this.connections }, client));
  }

  /** Sends `rate` requests a second for some seconds, whether or not earlier ones were answered. */
  async pour(seconds: number, rate: number, next: () => CaseRequest): Promise<void> {
    const sent: Promise<void>[] = [];
    const begun = performance.now();
    for (let now = begun; now - begun < seconds * 1000; now = performance.now()) {
      const due = ((now - begun) / 1000) * rate;
      while (sent.length < due) {
        // All clients are waiting.
        if (this.open >= this.connections) sent.push(Promise.resolve());
        else sent.push(this.send(next()));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(sent);
  }

  close(): void {
    this.agent.destroy();
  }

  send({ method, path, body }: CaseRequest): Promise<void> {
    this.open++;
    const begun = performance.now();
    return new Promise((resolve) => {
      const end = (status: number, mayRetry = false): void => {
        this.open--;
        this.answers.push({ status, mayRetry, milliseconds: performance.now() - begun });
        resolve();
      };
      const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
      const sending = request(`${this.server.url}${path}`, { agent: this.agent, method, headers }, (response) => {
        response.resume();
        const mayRetry = response.headers['retry-after'] !== undefined;
        response.once('end', () => end(response.statusCode ?? 0, mayRetry)).once('error', () => end(0));
      });
      sending.once('error', () => end(0));
      sending.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** How many answers have one of these statuses, and a percentile of their time in milliseconds. */
export function summary(answers: readonly Answered[], isOf: (status: number) => boolean) {
  const times = answers.filter(({ status }) => isOf(status)).map(({ milliseconds }) => milliseconds);
  times.sort((one, other) => one - other);
  const at = (share: number): number =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  return { count: times.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
