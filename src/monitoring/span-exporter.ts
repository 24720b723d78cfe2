import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

import { ExportResultCode } from '@opentelemetry/core';
import { convertLegacyHttpOptions } from '@opentelemetry/otlp-exporter-base/node-http';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

// Milliseconds for the whole export, and before each further attempt.
const TIMEOUT = 5000;
const PAUSE = 1000;
// A collector that is overloaded or restarts (OTLP 1.7, "Retryable Response Codes"), and one that cannot be reached.
const TEMPORARY: readonly (number | undefined)[] = [429, 502, 503, 504, undefined];

/**
 * Sends spans to a collector (OTLP over HTTP, JSON). Only the status of a response is read: the exporter of the SDK parses
 * megabytes of it, and waits forever for one that switches protocols.
 */
export function spanExporter(url: string): SpanExporter {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else reads the SDK's settings in the environment, such as headers
  const settings = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', { 'Content-Type': 'application/json' });
  const options = Promise.all([settings.headers(), settings.agentFactory(new URL(url).protocol)]);

  const send = async (spans: ReadableSpan[]): Promise<boolean> => {
    const body = JsonTraceSerializer.serializeRequest(spans) ?? new Uint8Array();
    const [headers, agent] = await options;
    const end = performance.now() + TIMEOUT;
    const signal = AbortSignal.timeout(TIMEOUT);
    for (;;) {
      const status = await post(url, body, { headers, agent, signal }).catch(() => undefined);
      if (!TEMPORARY.includes(status)) return status !== undefined && status < 300;
      if (performance.now() + PAUSE > end) return false;
      await pause(PAUSE);
    }
  };

  return {
    export: (spans, done) =>
      void send(spans).then(
        (isSent) => done({ code: isSent ? ExportResultCode.SUCCESS : ExportResultCode.FAILED }),
        () => done({ code: ExportResultCode.FAILED }),
      ),
    shutdown: () => Promise.resolve(),
  };
}

/** Sends a body, and resolves to the status of the response. */
function post(url: string, body: Uint8Array, options: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    const request = send(url, { ...options, method: 'POST' }, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.on('error', reject);
    // A response that switches protocols closes the request without an error.
    request.on('close', () => reject(new Error('no response')));
    request.end(body);
  });
}
