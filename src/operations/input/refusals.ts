import { AppError, type ErrorCode } from '#src/errors.ts'
import type { OrderRequest } from './quoteInput.ts'

type Refusal = Readonly<{
  field: keyof OrderRequest
  applies: (request: Partial<OrderRequest>) => boolean
  code: ErrorCode
  reason: string
}>

/** What an order may ask for that this gateway cannot do: it says so rather than ignore it. */
const refusals: readonly Refusal[] = [
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
  {
    field: 'authorizationList',
    applies: ({ authorizationList }) => (authorizationList?.length ?? 0) > 0,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'EIP-7702 authorizations are not passed on; leave authorizationList out',
  },
  {
    field: 'additionalData',
    applies: ({ additionalData }) => Object.keys(additionalData ?? {}).length > 0,
    code: 'UNSUPPORTED_ROUTE',
    reason: 'no route here takes extra data; leave additionalData out',
  },
  {
    field: 'permitExpiry',
    applies: ({ permitExpiry }) => permitExpiry != null,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'deposits by permit are not supported, so that no permit can expire',
  },
  {
    field: 'strict',
    applies: ({ strict }) => strict === true,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'deposit addresses are not supported, strict or not',
  },
  {
    field: 'latePaymentSlippageTolerance',
    applies: ({ latePaymentSlippageTolerance }) => latePaymentSlippageTolerance != null,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'a deposit after the order’s deadline is refunded, not filled late',
  },
  {
    field: 'gasLimitForDepositSpecifiedTxs',
    applies: (request) => request.gasLimitForDepositSpecifiedTxs != null,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'deposits run no transactions of the request; txs run on the destination chain',
  },
  ...(
    ['subsidizeRent', 'depositFeePayer', 'useSharedAccounts', 'includeComputeUnitLimit'] as const
  ).map(
    (field): Refusal => ({
      field,
      applies: (request) => request[field] != null && request[field] !== false,
      code: 'UNSUPPORTED_EXECUTION_TYPE',
      reason: 'this is for Solana, and every chain here is an EVM chain',
    }),
  ),
]

/** @throws AppError that names every field which asks for something unsupported. */
export function refuseUnsupported(request: Partial<OrderRequest>): void {
  const found = refusals.filter(({ applies }) => applies(request))
  const [first] = found
  if (first === undefined) return
  const issues = found.map(({ field, code, reason }) => ({ path: [field], message: reason, code }))
  const text = found.map(({ field, reason }) => `${field}: ${reason}`).join('; ')
  throw new AppError(first.code, `${text}.`, { issues })
}
