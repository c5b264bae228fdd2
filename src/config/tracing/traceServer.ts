import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Tracer } from './tracer.ts'

/** Paths that monitors poll. */
const untraced = new Set(['/health', '/ready', '/metrics'])

/** Makes each HTTP request of the server a span. Work for the request runs as its children. */
export function traceServer(server: Server, { serverSpan }: Tracer): void {
  const emit = server.emit.bind(server) as (event: string, ...args: unknown[]) => boolean
  // Listeners run within the span only if the event itself does.
  server.emit = ((event: string, ...args: unknown[]): boolean => {
    if (event !== 'request') return emit(event, ...args)
    const [request, response] = args as [IncomingMessage, ServerResponse]
    const { method = '', headers } = request
    // Without the query, which contains the caller's data.
    const [path = ''] = (request.url ?? '').split('?')
    if (untraced.has(path)) return emit(event, ...args)
    const attributes = { 'http.request.method': method, 'url.path': path }
    void serverSpan({ name: `${method} ${path}`, attributes, headers }, async (setStatus) => {
      const closed = once(response, 'close')
      emit(event, ...args)
      await closed
      setStatus(response.statusCode)
    })
    return true
  }) as typeof server.emit
}
