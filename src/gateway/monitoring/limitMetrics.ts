import { Counter, Gauge, type Registry } from 'prom-client'
import type { CutReason } from '#src/gateway/limits/connections.ts'

export type LimitMetrics = ReturnType<typeof addLimitMetrics>

/** Adds the metrics of refusals and of open connections. */
export function addLimitMetrics(registry: Registry) {
  const registers = [registry]
  const connections = new Gauge({
    name: 'crossquote_connections',
    help: 'Open connections of clients: HTTP, event streams and WebSockets.',
    registers,
  })
  const cut = new Counter({
    name: 'crossquote_connections_cut_total',
    help: 'Connections that were refused or cut. By reason: total, address, pipelining, stalled, messages.',
    labelNames: ['reason'],
    registers,
  })

  const limited = new Counter({
    name: 'crossquote_rate_limited_total',
    help: 'Requests and messages that were refused by a rate limit. By what it counts: address, key.',
    labelNames: ['by'],
    registers,
  })
  const fallbacks = new Counter({
    name: 'crossquote_rate_limit_fallbacks_total',
    help: 'Charges that this process counted by itself, because Redis did not answer.',
    registers,
  })

  const overload = new Counter({
    name: 'crossquote_overload_refused_total',
    help: 'Requests and operations that were refused because the gateway was overloaded.',
    registers,
  })

  return {
    /** Counts a connection as open until the returned function is called. */
    openConnection: (): (() => void) => {
      connections.inc()
      return () => connections.dec()
    },
    countLimited: (by: 'address' | 'key'): void => limited.inc({ by }),
    countFallback: (): void => fallbacks.inc(),
    countOverload: (): void => overload.inc(),
    countCut: (reason: CutReason): void => cut.inc({ reason }),
  }
}
