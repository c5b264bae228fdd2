import type { Span, Tracer } from '#src/config/tracing/tracer.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { StoreMetrics } from '#src/gateway/monitoring/storeMetrics.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'

/** Methods that do not query the database. */
const unobserved: ReadonlySet<string> = new Set(['close', 'health'])

/** The store with each call counted and, with a tracer, traced. */
export function observeStore(store: RequestStore, observers: Observers): RequestStore {
  const { callers, ...methods } = store
  return { ...observe(methods, observers), callers: observe(callers, observers) }
}

type Observers = Readonly<{ metrics: StoreMetrics; tracer?: Tracer | undefined }>

function observe<Methods extends object>(
  methods: Methods,
  { metrics, tracer }: Observers,
): Methods {
  const observed = Object.entries(methods).map(([name, method]) => {
    if (unobserved.has(name)) return [name, method]
    const call = method as (...args: unknown[]) => unknown
    const run = (args: readonly unknown[]): unknown => {
      const end = metrics.begin(name)
      try {
        const result = call(...args)
        if (!(result instanceof Promise)) {
          end('done')
          return result
        }
        return result.then(
          (value: unknown) => {
            end('done')
            if (value === 'saved') metrics.countSaved(args[0] as Batch)
            return value
          },
          (error: unknown) => {
            end('failed')
            throw error
          },
        )
      } catch (error) {
        end('failed')
        throw error
      }
    }
    const watched =
      tracer === undefined
        ? (...args: unknown[]) => run(args)
        : (...args: unknown[]) =>
            tracer.span(`store ${name}`, attributesOf(name, args), () => run(args))
    return [name, watched]
  })
  return Object.fromEntries(observed) as Methods
}

/** The store of a tracker. Each save that concerns requests is a span of the tracker, with their ids. */
export function traceSaves(
  store: RequestStore,
  span: Span | undefined,
  chainId: ChainId,
): RequestStore {
  if (span === undefined) return store
  return {
    ...store,
    save: (batch) => {
      const ids = requestIdsOf(batch)
      if (Object.keys(ids).length === 0) return store.save(batch)
      const attributes = { ...ids, 'crossquote.chain_id': chainId }
      return span('tracker change', attributes, () => store.save(batch))
    },
  }
}

/** Ids of the call's requests. */
function attributesOf(name: string, [first]: readonly unknown[]): Readonly<Record<string, string>> {
  if (name === 'save') return requestIdsOf(first as Batch)
  if (name === 'put') return { 'crossquote.request_id': (first as { requestId: string }).requestId }
  return {}
}

const requestIdsOf = ({
  requests = [],
  transactions = [],
}: Batch): Readonly<Record<string, string>> => {
  const ids = new Set([...requests, ...transactions].flatMap(({ requestId }) => requestId ?? []))
  return ids.size === 0 ? {} : { 'crossquote.request_id': [...ids].join(' ') }
}
