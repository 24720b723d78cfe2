import { setTimeout } from 'node:timers/promises';

import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Context,
  type SpanContext,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

import { Rate } from '../limits/rate';
import type { RequestSpan, Span, Tracer } from '../limits/tracer';
import { spanExporter } from './span-exporter';

/** Where spans are sent, and how many requests are traced. */
interface TraceSettings {
  /** The URL of a collector (OTLP over HTTP, JSON). */
  readonly url: string;
  /** The share of requests that are traced, from 0 to 1. */
  readonly ratio: number;
}

// Requests per second that callers can have traced, by a traceparent with the flag `sampled`. Anyone can send one.
const REQUESTED = 10;
// Spans that wait for the collector. Further ones are dropped.
const WAITING = 2048;
// Milliseconds that the collector may take for the last spans at the end.
const LAST = 2000;

/**
 * Traces with the SDK of OpenTelemetry. This file is loaded only if traces are configured. The context is passed on
 * with the request instead of the SDK's storage, which slows down all promises of the process.
 */
export function createTracer({ url, ratio }: TraceSettings, version: string): Tracer {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'sipgraph', 'service.version': version }),
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor(spanExporter(url), { maxQueueSize: WAITING })],
  });
  const tracer = provider.getTracer('sipgraph');
  const requested = new Rate(REQUESTED, 1, 1);

  const isSampled = (parent: SpanContext | undefined): boolean => {
    if (parent && (parent.traceFlags & TraceFlags.SAMPLED) === 0) return false;
    return (parent !== undefined && requested.take('') === 0) || Math.random() < ratio;
  };

  const below = async <T>(
    parent: Context,
    kind: 'operation' | 'statement',
    name: string,
    work: (context: Context) => Promise<T> | T,
  ): Promise<T> => {
    const span = tracer.startSpan(
      name,
      { kind: kind === 'statement' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: { 'sipgraph.span': kind } },
      parent,
    );
    try {
      return await work(trace.setSpan(parent, span));
    } catch (error) {
      // Without the message, which can contain values.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };

  const spanOf = (contextNow: () => Context): Span => ({
    statement: (name, work) => below(contextNow(), 'statement', name, (context) => work(spanOf(() => context))),
  });

  return {
    request(method, route, headers): RequestSpan | undefined {
      const parent = parentIn(headers['traceparent']);
      if (!isSampled(parent)) return undefined;
      const span = tracer.startSpan(
        `${method} ${route}`,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'http.route': route } },
        parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      );
      let current = trace.setSpan(ROOT_CONTEXT, span);
      return {
        ...spanOf(() => current),
        operation: (name, work) =>
          below(current, 'operation', name, (context) => {
            current = context;
            return work();
          }),
        end: (status) => {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },

    close: () =>
      Promise.race([provider.shutdown().catch(() => undefined), setTimeout(LAST, undefined, { ref: false })]),
  };
}

/** The caller's span in a `traceparent` (W3C Trace Context, 3.2); undefined if there is none or it is invalid. */
function parentIn(header: string | string[] | undefined): SpanContext | undefined {
  const found = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(
    typeof header === 'string' ? header.slice(0, 100) : '',
  );
  if (!found) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = found;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
