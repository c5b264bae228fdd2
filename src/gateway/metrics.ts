import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Operations } from '#src/operations/operations.ts'
import type { Answer } from './answer.ts'

type RequestLabels = Pick<Answer, 'operation' | 'code' | 'lane'>

export type Metrics = ReturnType<typeof createMetrics>

/** Seconds; a price takes well under a millisecond of work. */
const durationBuckets = [
  0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5,
]

/** Counts what goes in and out, for Prometheus to fetch; `operations` tell the heads of the chains. */
export function createMetrics({
  operations,
}: Readonly<{ operations: Pick<Operations, 'chains'> }>) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'crossquote_request_duration_seconds',
    help: 'GraphQL requests by root field, first error code, and the lane that answered: seconds from the last byte read to the answer.',
    labelNames: ['operation', 'code', 'lane'],
    buckets: durationBuckets,
    registers,
  })
  const rpcCalls = new Counter({
    name: 'crossquote_rpc_calls_total',
    help: 'JSON-RPC calls to chains by method.',
    labelNames: ['chain', 'method'],
    registers,
  })
  const heads = {
    number: new Gauge({
      name: 'crossquote_chain_head_block',
      help: 'Height of the block that prices follow from.',
      labelNames: ['chain'],
      registers,
    }),
    timestamp: new Gauge({
      name: 'crossquote_chain_head_timestamp_seconds',
      help: 'Time of that block, seconds since 1970.',
      labelNames: ['chain'],
      registers,
    }),
    pools: new Gauge({
      name: 'crossquote_chain_pools',
      help: 'Pools that routes may use.',
      labelNames: ['chain'],
      registers,
    }),
  }

  return {
    contentType: registry.contentType,

    /** `seconds` from the request’s last byte read to its answer. */
    countRequest: ({ operation, code, lane }: RequestLabels, seconds: number): void => {
      requests.observe({ operation, code, lane }, seconds)
    },

    countRpcCall: (chain: string, method: string): void => rpcCalls.inc({ chain, method }),

    /** The text format of Prometheus. */
    print: (): Promise<string> => {
      for (const { name: chain, head } of operations.chains()) {
        if (head === undefined) continue
        heads.number.set({ chain }, Number(head.number))
        heads.timestamp.set({ chain }, Number(head.timestamp))
        heads.pools.set({ chain }, head.pools)
      }
      return registry.metrics()
    },
  }
}
