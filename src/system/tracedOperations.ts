import type { Tracer } from '#src/config/tracing/tracer.ts'
import type { Operations } from '#src/service/operations.ts'

/** The operations that are traced. */
const traced = [
  'price',
  'prices',
  'quote',
  'multiInputQuote',
  'storedQuote',
  'requestStatus',
  'requests',
  'currency',
  'balance',
  'bridge',
] as const satisfies readonly (keyof Operations)[]

/**
 * The operations, with a span for each call of a traced one. Fields that an answer computes later run as its children.
 */
export function traceOperations(operations: Operations, tracer: Tracer): Operations {
  const spans = traced.map((name) => {
    const operation = operations[name] as (...args: unknown[]) => unknown
    const call = (...args: unknown[]) =>
      tracer.span(`operation ${name}`, attributesOf(args[0]), () => {
        const answer = operation(...args)
        return answer instanceof Promise ? answer.then((each) => bound(each, tracer)) : answer
      })
    return [name, call]
  })
  return { ...operations, ...Object.fromEntries(spans) }
}

/** Runs an answer's fields that are computed on demand, such as the steps of a quote, as children of the span. */
function bound(answer: unknown, { bind }: Tracer): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  const calls = Object.entries(answer).filter(([, value]) => typeof value === 'function')
  if (calls.length === 0) return answer
  return { ...answer, ...Object.fromEntries(calls.map(([name, call]) => [name, bind(call)])) }
}

/** The chains of an order. Without addresses and amounts, because more people read traces than the database. */
function attributesOf(input: unknown): Readonly<Record<string, number>> {
  const { originChainId, destinationChainId } = (input ?? {}) as Record<string, unknown>
  return {
    ...(typeof originChainId === 'number' && { 'crossquote.origin_chain_id': originChainId }),
    ...(typeof destinationChainId === 'number' && {
      'crossquote.destination_chain_id': destinationChainId,
    }),
  }
}
