import type { AppError, ErrorCode } from '#src/core/errors.ts'
import { type PoolId, type PoolIdentity, poolIdOf } from '#src/core/pools/poolIdentity.ts'
import type { PriceEvent } from '#src/service/operations.ts'

/** Whether `event` shows another price or failure than `last`. Blocks alone are no news. */
export function isPriceNews(last: PriceEvent, event: PriceEvent): boolean {
  if (last === event) return false
  if (last.price !== undefined && event.price !== undefined) return !isSame(last.price, event.price)
  if (last.failure !== undefined && event.failure !== undefined)
    return !isSameFailure(last.failure, event.failure)
  return true
}

/** Failures that a later block can end. With any other one the input itself is at fault. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'AMOUNT_TOO_LOW',
  'INSUFFICIENT_LIQUIDITY',
  'NO_SWAP_ROUTES_FOUND',
  'PRICE_FETCH_FAILED',
  'RPC_HTTP_ERROR',
  'SERVICE_UNAVAILABLE',
  'SOLVER_CAPACITY_EXCEEDED',
  'STALE_MARKET',
  'SWAP_IMPACT_TOO_HIGH',
])

export const canPass = ({ code }: AppError): boolean => passing.has(code)

/** The message of STALE_MARKET has the seconds since the last block. A change of the message alone is no news. */
const isSameFailure = (one: AppError, other: AppError): boolean =>
  one.code === other.code &&
  (one.code === 'STALE_MARKET'
    ? one.data?.['chainId'] === other.data?.['chainId']
    : one.message === other.message)

/** Fields that may differ although the price is the same. Functions, which read on demand, are ignored too. */
const ignored = new Set(['blocks', 'order'])

/** Compares the content of two prices. Pools are compared by id, because their states affect the amounts. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other || typeof one === 'function') return true
  if (typeof one !== 'object' || typeof other !== 'object') return false
  if (one === null || other === null) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  const [first, second] = [one, other] as Record<string, unknown>[]
  return keys.every((key) => {
    if (ignored.has(key)) return true
    const [value, otherValue] = [first?.[key], second?.[key]]
    return key === 'pool' ? idIn(value) === idIn(otherValue) : isSame(value, otherValue)
  })
}

const idIn = (pool: unknown): PoolId => poolIdOf(pool as PoolIdentity)
