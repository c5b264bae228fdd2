import { setTimeout } from 'node:timers/promises'
import type { Context, Span as OtelSpan } from '@opentelemetry/api'
import type { Tracer } from './tracer.ts'

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
