import type { ErrorCode } from '#src/core/errors.ts'
import type { VmType } from '#src/core/units/vmType.ts'
import { FieldError, throwTogether } from '#src/service/input/fieldError.ts'
import type { SwapInput } from '#src/service/input/quoteInput.ts'

type Side = 'origin' | 'destination'

type Refusal = Readonly<{
  field: keyof SwapInput
  side: Side
  applies: (request: Partial<SwapInput>) => boolean
  code?: ErrorCode
  reason: string
}>

const noTxs = 'calls of contracts need an EVM chain as the destination'

/** The options that need an EVM chain on a side. */
const refusals: readonly Refusal[] = [
  {
    field: 'usePermit',
    side: 'origin',
    applies: ({ usePermit }) => usePermit === true,
    reason: 'no currency of the chain is paid by a signature alone',
  },
  {
    field: 'appFees',
    side: 'origin',
    applies: ({ appFees }) => (appFees ?? []).length > 0,
    reason: 'the depository of the chain pays no app fees',
  },
  {
    field: 'txs',
    side: 'destination',
    applies: ({ txs }) => (txs ?? []).length > 0,
    code: 'EXTRA_TXS_NOT_SUPPORTED',
    reason: noTxs,
  },
  {
    field: 'authorizationList',
    side: 'destination',
    applies: ({ authorizationList }) => (authorizationList ?? []).length > 0,
    reason: 'authorizations need an EVM chain as the destination',
  },
  {
    field: 'topupGas',
    side: 'destination',
    applies: ({ topupGas }) => topupGas === true,
    reason: 'a gas top-up needs an EVM chain as the destination',
  },
]

/**
 * Refuses the options that a chain of the order does not have, and orders on one such chain, where nothing is swapped.
 * @throws AppError that names every field
 */
export function checkSvmOptions(
  request: SwapInput,
  machines: Readonly<Record<Side, VmType>>,
): void {
  throwTogether(
    refusals
      .filter(({ side, applies }) => machines[side] === 'svm' && applies(request))
      .map(({ field, side, code = 'UNSUPPORTED_EXECUTION_TYPE', reason }) => {
        const chainId = side === 'origin' ? request.originChainId : request.destinationChainId
        return new FieldError(code, [field], `${reason}; leave it out`, { chainId })
      }),
  )
  if (machines.origin === 'svm' && request.originChainId === request.destinationChainId)
    throw new OneChainError(request)
}

/** Origin and destination are the same svm chain. */
class OneChainError extends FieldError {
  constructor({ originChainId: chainId, originCurrency, destinationCurrency }: SwapInput) {
    const isSend = originCurrency === destinationCurrency
    super(
      isSend ? 'UNSUPPORTED_ROUTE' : 'NO_SWAP_ROUTES_FOUND',
      ['destinationChainId'],
      isSend
        ? `on chain ${chainId} a wallet sends without a quote; name another destination`
        : `nothing is swapped on chain ${chainId} alone; name another destination`,
      { chainId },
    )
  }
}

/** Nothing can call contracts on the destination chain. */
export class SvmTxsError extends FieldError {
  constructor(chainId: number) {
    super('EXTRA_TXS_NOT_SUPPORTED', ['txs'], `${noTxs}; leave it out`, { chainId })
  }
}
