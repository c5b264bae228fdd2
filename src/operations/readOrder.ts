import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import { AppError } from '#src/errors.ts'
import type { Market } from '#src/pricing/market.ts'
import type { Order } from '#src/pricing/order.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { toUsd } from '#src/units/usd.ts'
import type { Loaders } from './operations.ts'
import type { OrderRequest } from './quoteInput.ts'
import { refuseUnsupported } from './refusals.ts'
import { type SourcesByChain, swapSourcesOf } from './swapSources.ts'
import { UnsupportedChainError } from './unsupportedChain.ts'

export type OrderDeps = Readonly<{
  chains: ReadonlyMap<ChainId, Readonly<{ id: ChainId; disabled: boolean }>>
  swapSources: SourcesByChain
  /** Ours, by chain; chains without them can be priced alone. */
  contracts: ReadonlyMap<ChainId, ProtocolContracts>
  /** @throws AppError where a chain has no snapshot yet or an old one. */
  snapshot: (chainIds: readonly ChainId[]) => Market
  /** A currency that needs no RPC call to know. */
  knownCurrency: (chainId: ChainId, address: Address) => Currency | undefined
}>

/**
 * The order that `request` makes, and the market to price it on.
 * @throws AppError with the code and the field of what stands in the way.
 */
export async function readOrder(
  deps: OrderDeps,
  request: OrderRequest,
  loaders: Loaders,
): Promise<Readonly<{ order: Order; market: Market }>> {
  const { user, originChainId, destinationChainId } = request
  refuseUnsupported(request)
  checkChain(deps, 'originChainId', originChainId)
  checkChain(deps, 'destinationChainId', destinationChainId)
  const recipient = request.recipient ?? user
  const refundTo = request.refundTo ?? recipient
  checkPayee(deps, 'recipient', destinationChainId, recipient)
  checkPayee(deps, 'refundTo', originChainId, refundTo)
  for (const [at, { recipient: payee }] of (request.appFees ?? []).entries())
    checkPayee(deps, `appFees.${at}.recipient`, originChainId, payee)
  const swapSources = swapSourcesOf(deps.swapSources, request)

  const market = deps.snapshot([originChainId, destinationChainId])
  const [origin, destination] = await Promise.all([
    currencyOf(deps, loaders, originChainId, request.originCurrency),
    currencyOf(deps, loaders, destinationChainId, request.destinationCurrency),
  ])
  if (origin === undefined) throw new UnknownCurrencyError('origin', request)
  if (destination === undefined) throw new UnknownCurrencyError('destination', request)

  const { amount, tradeType } = request
  const ends = { user, recipient, refundTo, origin, destination, amount, tradeType }
  return { order: { ...ends, swapSources, ...optionsOf(request) }, market }
}

type Ends = 'user' | 'recipient' | 'refundTo' | 'origin' | 'destination' | 'amount' | 'tradeType'

/** What the default top-up is worth: two dollars. */
const defaultTopup = toUsd(2_000_000n)

function optionsOf(request: OrderRequest): Omit<Order, Ends | 'swapSources'> {
  const { slippageTolerance, fixedRate, maxRouteLength, txsGasLimit } = request
  return {
    ...(slippageTolerance != null && { slippageTolerance }),
    ...(fixedRate != null && { fixedRate }),
    ...(maxRouteLength != null && { maxRouteLength }),
    ...(txsGasLimit != null && { txsGasLimit }),
    ...(request.topupGas === true && { topup: request.topupGasAmount ?? defaultTopup }),
    ...(request.subsidizeFees === true && {
      sponsorship:
        request.maxSubsidizationAmount == null ? {} : { most: request.maxSubsidizationAmount },
    }),
    appFees: request.appFees ?? [],
    explicitDeposit: (request.useReceiver ?? true) && (request.explicitDeposit ?? true),
    disableOriginSwaps: request.disableOriginSwaps ?? false,
    forceSolverExecution: request.forceSolverExecution ?? false,
    originGasOverhead: request.originGasOverhead ?? 0n,
    enableTrueExactOutput: request.enableTrueExactOutput ?? false,
    txs: (request.txs ?? []).map(({ to, value, data }) => ({ to, value, data })),
  }
}

function checkChain(
  { chains }: OrderDeps,
  field: 'originChainId' | 'destinationChainId',
  chainId: ChainId,
): void {
  const chain = chains.get(chainId)
  if (chain === undefined) throw new UnsupportedChainError(field, chainId, chains.values())
  if (chain.disabled)
    throw new AppError('CHAIN_DISABLED', `${field}: chain ${chainId} takes no orders for now.`, {
      field,
      chainId,
    })
}

/** Funds paid to the zero address, to a currency's own contract or to one of ours are lost. */
function checkPayee(deps: OrderDeps, field: string, chainId: ChainId, payee: Address): void {
  const what = lossAt(deps, chainId, payee)
  if (what === undefined) return
  throw new AppError('INVALID_RECIPIENT', `${field}: ${payee} is ${what}; funds would be lost.`, {
    field,
  })
}

function lossAt(deps: OrderDeps, chainId: ChainId, payee: Address): string | undefined {
  if (payee === nativeAddress) return 'the zero address'
  if (deps.knownCurrency(chainId, payee) !== undefined)
    return `the contract of a currency on chain ${chainId}`
  const ours = Object.values(deps.contracts.get(chainId) ?? {})
  return ours.includes(payee) ? `a contract of this gateway on chain ${chainId}` : undefined
}

const currencyOf = (deps: OrderDeps, loaders: Loaders, chainId: ChainId, address: Address) =>
  deps.knownCurrency(chainId, address) ?? loaders.currency(chainId, address)

/** No contract at the address answers as an ERC-20 does. */
class UnknownCurrencyError extends AppError {
  constructor(side: 'origin' | 'destination', request: OrderRequest) {
    const field = `${side}Currency` as const
    const chainId = request[`${side}ChainId`]
    super(
      side === 'origin' ? 'INVALID_INPUT_CURRENCY' : 'INVALID_OUTPUT_CURRENCY',
      `${field}: no currency at ${request[field]} on chain ${chainId}; the native currency is the zero address.`,
      { field, chainId, currency: request[field] },
    )
  }
}
