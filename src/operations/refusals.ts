import { AppError, type ErrorCode } from '#src/errors.ts'
import type { PriceRequest } from './priceInput.ts'

type Refusal = Readonly<{
  field: keyof PriceRequest
  applies: (request: PriceRequest) => boolean
  code: ErrorCode
  reason: string
}>

/** What an order may ask for that this gateway cannot do: it says so rather than ignore it. */
const refusals: readonly Refusal[] = [
  {
    field: 'txs',
    applies: ({ txs }) => (txs?.length ?? 0) > 0,
    code: 'EXTRA_TXS_NOT_SUPPORTED',
    reason: 'calls on the destination chain after the fill are not supported; leave txs out',
  },
  {
    field: 'useExternalLiquidity',
    applies: ({ useExternalLiquidity }) => useExternalLiquidity === true,
    code: 'UNSUPPORTED_ROUTE',
    reason: 'no canonical bridge is connected: every fill is paid from the solver’s own balance',
  },
  {
    field: 'useFallbacks',
    applies: ({ useFallbacks }) => useFallbacks === true,
    code: 'UNSUPPORTED_ROUTE',
    reason: 'there are no fallback routes: the best route over all pools is the only one',
  },
  {
    field: 'usePermit',
    applies: ({ usePermit }) => usePermit === true,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'deposits by permit are not supported; the user sends the deposit',
  },
  {
    field: 'useDepositAddress',
    applies: ({ useDepositAddress }) => useDepositAddress === true,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'deposit addresses are not supported; the user calls the depository',
  },
  {
    field: 'refundOnOrigin',
    applies: ({ refundOnOrigin }) => refundOnOrigin === false,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'refunds are always paid on the origin chain; leave refundOnOrigin out',
  },
]

/** @throws AppError that names every field which asks for something unsupported. */
export function refuseUnsupported(request: PriceRequest): void {
  const found = refusals.filter(({ applies }) => applies(request))
  const [first] = found
  if (first === undefined) return
  const issues = found.map(({ field, code, reason }) => ({ path: [field], message: reason, code }))
  const text = found.map(({ field, reason }) => `${field}: ${reason}`).join('; ')
  throw new AppError(first.code, `${text}.`, { issues })
}
