import { AppError } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { Market } from '#src/pricing/market.ts'
import type { Order } from '#src/pricing/order.ts'
import { priceSwap } from '#src/pricing/priceSwap.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import type { Loaders, PriceAnswer } from './operations.ts'
import type { PriceRequest } from './priceInput.ts'
import { refuseUnsupported } from './refusals.ts'

export type PriceDeps = Readonly<{
  log: Pick<Log, 'debug'>
  chains: ReadonlyMap<ChainId, Readonly<{ disabled: boolean }>>
  /** @throws AppError where a chain has no snapshot yet or an old one. */
  snapshot: (chainIds: readonly ChainId[]) => Market
  /** A currency that needs no RPC call to know. */
  knownCurrency: (chainId: ChainId, address: Address) => Currency | undefined
}>

/** @throws AppError with the code and the field or leg of what stands in the way. */
export async function price(
  deps: PriceDeps,
  request: PriceRequest,
  loaders: Loaders,
): Promise<PriceAnswer> {
  const { originChainId, destinationChainId, referrer } = request
  deps.log.debug({ originChainId, destinationChainId, referrer }, 'A price is asked for')
  refuseUnsupported(request)
  checkChain(deps, 'originChainId', request.originChainId)
  checkChain(deps, 'destinationChainId', request.destinationChainId)
  const recipient = request.recipient ?? request.user
  checkPayee(deps, 'recipient', request.destinationChainId, recipient)
  if (request.refundTo) checkPayee(deps, 'refundTo', request.originChainId, request.refundTo)

  const market = deps.snapshot([request.originChainId, request.destinationChainId])
  const [origin, destination] = await Promise.all([
    currencyOf(deps, loaders, request.originChainId, request.originCurrency),
    currencyOf(deps, loaders, request.destinationChainId, request.destinationCurrency),
  ])
  if (origin === undefined) throw new UnknownCurrencyError('origin', request)
  if (destination === undefined) throw new UnknownCurrencyError('destination', request)

  const order: Order = {
    user: request.user,
    recipient,
    origin,
    destination,
    amount: request.amount,
    tradeType: request.tradeType,
    ...(request.slippageTolerance != null && { slippageTolerance: request.slippageTolerance }),
    appFees: request.appFees ?? [],
    useReceiver: request.useReceiver ?? true,
  }
  const priced = priceSwap(order, market)
  const [{ hash }] = priced.blocks
  return { ...priced, userBalance: () => loaders.balance(origin, request.user, hash) }
}

function checkChain(
  { chains }: PriceDeps,
  field: 'originChainId' | 'destinationChainId',
  chainId: ChainId,
): void {
  const chain = chains.get(chainId)
  if (chain === undefined)
    throw new AppError(
      'UNSUPPORTED_CHAIN',
      `${field}: chain ${chainId} is not supported; supported are ${[...chains.keys()].join(', ')}.`,
      { field, chainId, supportedChainIds: [...chains.keys()] },
    )
  if (chain.disabled)
    throw new AppError('CHAIN_DISABLED', `${field}: chain ${chainId} takes no orders for now.`, {
      field,
      chainId,
    })
}

/** Funds paid to the zero address or to a currency's own contract are lost. */
function checkPayee(
  deps: PriceDeps,
  field: 'recipient' | 'refundTo',
  chainId: ChainId,
  payee: Address,
): void {
  const isCurrency = payee !== nativeAddress && deps.knownCurrency(chainId, payee) !== undefined
  if (payee !== nativeAddress && !isCurrency) return
  const what = isCurrency ? `the contract of a currency on chain ${chainId}` : 'the zero address'
  throw new AppError('INVALID_RECIPIENT', `${field}: ${payee} is ${what}; funds would be lost.`, {
    field,
  })
}

const currencyOf = (deps: PriceDeps, loaders: Loaders, chainId: ChainId, address: Address) =>
  deps.knownCurrency(chainId, address) ?? loaders.currency(chainId, address)

/** No contract at the address answers as an ERC-20 does. */
class UnknownCurrencyError extends AppError {
  constructor(side: 'origin' | 'destination', request: PriceRequest) {
    const field = `${side}Currency` as const
    const chainId = request[`${side}ChainId`]
    super(
      side === 'origin' ? 'INVALID_INPUT_CURRENCY' : 'INVALID_OUTPUT_CURRENCY',
      `${field}: no currency at ${request[field]} on chain ${chainId}; the native currency is the zero address.`,
      { field, chainId, currency: request[field] },
    )
  }
}
