import { setTimeout } from 'node:timers/promises'
import type { Context, Span as OtelSpan } from '@opentelemetry/api'

type Attributes = Readonly<Record<string, string | number>>

/** Runs work as a span of a trace. */
export type Span = <Result>(name: string, attributes: Attributes, work: () => Result) => Result

/** Runs the work, as a span if `span` is defined. */
export const inSpan = <Result>(
  span: Span | undefined,
  name: string,
  attributes: Attributes,
  work: () => Result,
): Result => (span === undefined ? work() : span(name, attributes, work))

/** Makes traces of this process. Present only if traces are sent to a collector. */
export type Tracer = Readonly<{
  /** Ends the span when the work, or the promise that it returns, ends. Spans that begin meanwhile are its children. */
  span: Span
  /** The same for a request that came with headers: a `traceparent` makes it part of the caller's trace. */
  serverSpan: <Result>(
    request: Readonly<{ name: string; attributes: Attributes; headers: object }>,
    work: (setStatus: (httpStatus: number) => void) => Result,
  ) => Result
  /** A function that runs as a child of the current span, whenever it is called. */
  bind: <Call extends (...args: never[]) => unknown>(call: Call) => Call
  /** Sends the remaining spans, with a time limit of 2 s. Never throws. */
  stop: () => Promise<void>
}>

/** Maximum time to wait for the collector when the process ends. */
const stopLimitMs = 2_000

/**
 * Sends traces by OTLP over HTTP to `<endpoint>/v1/traces`. The SDK is imported only here, so that a process without
 * traces does not load it.
 */
export async function startTracing(endpoint: string, serviceName: string): Promise<Tracer> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const { context, propagation, trace, SpanKind, SpanStatusCode } = api
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  provider.register()
  const tracer = trace.getTracer('crossquote')

  /** Never records a message, as messages of foreign errors may contain URLs with keys. */
  const fail = (span: OtelSpan, error: unknown) => {
    const { code } = (error ?? {}) as { code?: unknown }
    if (typeof code === 'string') span.setAttribute('crossquote.code', code)
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }

  function runIn<Result>(span: OtelSpan, parent: Context, work: () => Result): Result {
    try {
      const result = context.with(trace.setSpan(parent, span), work)
      if (result instanceof Promise)
        result.then(
          () => span.end(),
          (error) => fail(span, error),
        )
      else span.end()
      return result
    } catch (error) {
      fail(span, error)
      throw error
    }
  }

  return {
    span: (name, attributes, work) => {
      const parent = context.active()
      return runIn(tracer.startSpan(name, { attributes }, parent), parent, work)
    },
    serverSpan: ({ name, attributes, headers }, work) => {
      const parent = propagation.extract(context.active(), headers)
      const span = tracer.startSpan(name, { attributes, kind: SpanKind.SERVER }, parent)
      return runIn(span, parent, () =>
        work((status) => {
          span.setAttribute('http.response.status_code', status)
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        }),
      )
    },
    bind: (call) => context.bind(context.active(), call),
    stop: async () => {
      const sent = provider.shutdown().catch(() => undefined)
      await Promise.race([sent, setTimeout(stopLimitMs)])
    },
  }
}
