import { AppError, type ErrorCode } from '#src/errors.ts'
import type { OrderRequest } from './quoteInput.ts'

type Refusal = Readonly<{
  field: keyof OrderRequest
  applies: (request: Partial<OrderRequest>) => boolean
  code: ErrorCode
  reason: string
}>

/** The options that this gateway does not support. They are refused rather than ignored. */
const refusals: readonly Refusal[] = [
  {
    field: 'useExternalLiquidity',
    applies: ({ useExternalLiquidity }) => useExternalLiquidity === true,
    code: 'UNSUPPORTED_ROUTE',
    reason: 'canonical bridges are not supported; every fill is paid from the solver’s balance',
  },
  {
    field: 'useFallbacks',
    applies: ({ useFallbacks }) => useFallbacks === true,
    code: 'UNSUPPORTED_ROUTE',
    reason: 'fallback routes are not supported; the answer is the best route over all pools',
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
    reason: 'EIP-7702 authorizations are not supported; leave authorizationList out',
  },
  {
    field: 'additionalData',
    applies: ({ additionalData }) => Object.keys(additionalData ?? {}).length > 0,
    code: 'UNSUPPORTED_ROUTE',
    reason: 'no route uses additional data; leave additionalData out',
  },
  {
    field: 'strict',
    applies: ({ strict }) => strict === true,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'deposit addresses are not supported; leave strict out',
  },
  {
    field: 'latePaymentSlippageTolerance',
    applies: ({ latePaymentSlippageTolerance }) => latePaymentSlippageTolerance != null,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'late deposits are refunded and never filled; leave latePaymentSlippageTolerance out',
  },
  {
    field: 'gasLimitForDepositSpecifiedTxs',
    applies: (request) => request.gasLimitForDepositSpecifiedTxs != null,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'deposits execute no other transactions; txs are executed on the destination chain',
  },
  {
    field: 'depositFeePayer',
    applies: ({ depositFeePayer, usePermit }) => depositFeePayer != null && usePermit !== true,
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'only a deposit by signature has another payer than its user; set usePermit',
  },
  ...(['subsidizeRent', 'useSharedAccounts', 'includeComputeUnitLimit'] as const).map(
    (field): Refusal => ({
      field,
      applies: (request) => request[field] != null && request[field] !== false,
      code: 'UNSUPPORTED_EXECUTION_TYPE',
      reason: 'Solana is not supported; all chains are EVM chains',
    }),
  ),
]

/** @throws AppError that names every unsupported option, with the code of the first one. */
export function refuseUnsupported(request: Partial<OrderRequest>): void {
  const found = refusals.filter(({ applies }) => applies(request))
  const [first] = found
  if (first === undefined) return
  const issues = found.map(({ field, code, reason }) => ({ path: [field], message: reason, code }))
  const text = found.map(({ field, reason }) => `${field}: ${reason}`).join('; ')
  throw new AppError(first.code, `${text}.`, { issues })
}
