import { toFunctionSelector } from 'viem'

/**
 * Replaces calldata by its length, because it contains the order id and a multi-input quote names that nowhere
 * else.
 */
export const withoutOrderId = (quote: unknown): unknown =>
  JSON.parse(JSON.stringify(quote), (key, value) =>
    key === 'data' && typeof value === 'string' ? value.length : value,
  )

/** The deadline of a routed step. */
const deadlineCall = new RegExp(
  `${toFunctionSelector('requireBefore(uint256)').slice(2)}[0-9a-f]{64}`,
  'g',
)

/** Replaces ids, salts, deadlines, and the gas of calldata that contains an id, because zero bytes cost less. */
export function withoutRandomness(quote: unknown): unknown {
  const { steps, protocol } = quote as {
    steps: { requestId: string }[]
    protocol?: { v2: { orderId: string } }
  }
  const ids = [steps[0]?.requestId, protocol?.v2.orderId].flatMap((id) => id?.slice(2) ?? [])
  const text = ids
    .reduce((rest, id, at) => rest.replaceAll(id, `id${at}`), JSON.stringify(quote))
    .replaceAll(deadlineCall, 'deadline')
  return JSON.parse(text, (key, value) =>
    /^(salt|deadline|depositDeadline|refreshAfter|gas)$/.test(key) && typeof value !== 'object'
      ? typeof value
      : value,
  )
}
