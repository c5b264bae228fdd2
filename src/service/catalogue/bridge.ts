import type { Config } from '#src/config/config.ts'
import { AppError, type ErrorCode } from '#src/core/errors.ts'
import { payoutFor } from '#src/core/pricing/conversion.ts'
import { gasPriceOf, maxGasPriceOf } from '#src/core/pricing/gas/gas.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mulDivUp } from '#src/core/units/arithmetic.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { amountForUsdDown } from '#src/core/units/usd.ts'
import { burnAccountOf, vmTypeOf } from '#src/core/units/vmType.ts'
import type { Markets } from '#src/market/markets.ts'
import type { Loaders, PriceAnswer } from '#src/service/answers.ts'
import { FieldError, UnsupportedChainError } from '#src/service/input/fieldError.ts'
import type { PriceInput } from '#src/service/input/priceInput.ts'
import { type ListedChain, listedChains } from '#src/service/listedChains.ts'
import type { BridgeAnswer, BridgeQuestion } from './catalogue.ts'

export type BridgeDeps = Readonly<{
  config: Pick<Config, 'chains' | 'svmChains' | 'assets' | 'solver'>
  known: Markets['currencies']['known']
  snapshot: Markets['snapshot']
  price: (input: PriceInput) => Promise<PriceAnswer>
}>

/** One asset on both chains. */
type Ends = Readonly<{ origin: Currency; destination: Currency }>

const none = toAmount(0n)

/** Answers the user's limit and the fee for bridging an asset, and the solver's balance of it. */
export async function bridge(
  deps: BridgeDeps,
  question: BridgeQuestion,
  loaders: Loaders,
): Promise<BridgeAnswer> {
  const chains = [
    chainOf(deps, question.originChainId, 'originChainId'),
    chainOf(deps, question.destinationChainId, 'destinationChainId'),
  ]
  const ends = endsOf(deps, question)
  const market = deps.snapshot(chains.map(({ id }) => id))
  const solver = solverOf(deps, market, ends)
  const supportsExternalLiquidity = deps.config.solver.externalLiquiditySeconds > 0
  const shared = { solver, supportsExternalLiquidity }
  if (ends === undefined || !chains.every(isOpen))
    return { isEnabled: false, fee: undefined, user: undefined, ...shared }
  const price = createPricer(deps, ends)
  const minPrice = await price(
    burnAccountOf[vmTypeOf(ends.origin.address)],
    'EXACT_OUTPUT',
    toAmount(1n),
  )
  const minFee = isCode(minPrice) ? undefined : minPrice.fees.relayer.amount
  if (question.user === undefined)
    return { isEnabled: true, fee: minFee, user: undefined, ...shared }
  const balance = await balanceOf(market, ends, question.user, loaders)
  const isPaidInGas = !isCode(minPrice) && ends.origin.metadata.isNative
  const gas = isPaidInGas ? gasReserve(minPrice, market, ends) : none
  const whole =
    balance > gas
      ? await price(question.user, 'EXACT_INPUT', toAmount(balance - gas))
      : 'AMOUNT_TOO_LOW'
  const affordable = isCode(whole)
    ? whole
    : await affordableOutput(price, question.user, { ends, whole })
  return {
    isEnabled: true,
    fee: isCode(whole) ? minFee : whole.fees.relayer.amount,
    user: { balance, maxBridgeAmount: maxOf(affordable, solver.capacityPerRequest) },
    ...shared,
  }
}

/** The highest output that the input of a price pays for, also as an exact output, whose fees are higher. Rounded down. */
async function affordableOutput(
  price: Pricer,
  user: Account,
  { ends, whole: { currencyIn, currencyOut } }: Readonly<{ ends: Ends; whole: PriceAnswer }>,
): Promise<Amount | ErrorCode> {
  const exact = await price(user, 'EXACT_OUTPUT', currencyOut.amount)
  if (isCode(exact)) return exact
  const missing = exact.currencyIn.amount - currencyIn.amount
  if (missing <= 0n) return currencyOut.amount
  // A unit less of output costs at least a unit less of input.
  const excess =
    payoutFor({ deposit: ends.origin, payout: ends.destination }, toAmount(missing)) + 1n
  return excess < currencyOut.amount ? toAmount(currencyOut.amount - excess) : none
}

/** @throws UnsupportedChainError */
function chainOf({ config }: BridgeDeps, chainId: number, field: string): ListedChain {
  const all = listedChains(config)
  const chain = all.find(({ id }) => id === chainId)
  if (chain === undefined) throw new UnsupportedChainError([field], chainId, all)
  return chain
}

const isOpen = ({ disabled, contracts }: ListedChain): boolean =>
  !disabled && contracts !== undefined

/** `undefined` if the solver does not bridge the native currency of the destination chain from the origin chain. */
function endsOf({ config, known }: BridgeDeps, question: BridgeQuestion): Ends | undefined {
  const { originChainId, destinationChainId, currencyId } = question
  const ends = config.assets.flatMap(({ currencies }): Ends[] => {
    const [origin, destination] = [originChainId, destinationChainId].map((id) => {
      const key = currencies.find(({ chainId }) => chainId === id)
      return key && known(key)
    })
    return origin && destination && originChainId !== destinationChainId
      ? [{ origin, destination }]
      : []
  })
  if (currencyId === undefined) return ends.find(({ destination }) => isNative(destination.address))
  const named = ends.find(
    ({ destination }) => destination.symbol.toLowerCase() === currencyId.toLowerCase(),
  )
  if (named === undefined) throw new UnbridgedCurrencyError(question)
  return named
}

/**
 * What a wallet must keep for the gas of the deposit, in wei: it needs the gas limit times the highest price of gas, of
 * which a usual block takes less than half. The limit is below twice the gas that a deposit uses. Rounded up.
 */
function gasReserve({ fees }: PriceAnswer, market: Market, { origin }: Ends): Amount {
  const gas = market.chains.get(origin.chainId)?.gas
  if (gas === undefined) return none
  const usualPrice = gasPriceOf(gas)
  if (usualPrice === 0n) return none
  return toAmount(mulDivUp(fees.gas.amount, 2n * maxGasPriceOf(gas), usualPrice))
}

/** The solver has no asset of that name on both chains. */
class UnbridgedCurrencyError extends FieldError {
  constructor({ originChainId, destinationChainId, currencyId = '' }: BridgeQuestion) {
    const problem = `the solver does not bridge ${currencyId} from chain ${originChainId} to chain ${destinationChainId}`
    super('UNSUPPORTED_CURRENCY', ['currency'], problem)
  }
}

/**
 * The solver's balance and its highest payout to one request: the balance, a lower limit of the configuration, or the
 * largest deposit that can be settled.
 */
function solverOf({ config }: BridgeDeps, market: Market, ends: Ends | undefined) {
  const { mostPayoutUsd, svm, ...own } = config.solver
  const isSvm = ends !== undefined && vmTypeOf(ends.destination.address) === 'svm'
  const address: Account = isSvm && svm !== undefined ? svm.address : own.address
  if (ends === undefined) return { address, balance: none, capacityPerRequest: none }
  const { origin, destination } = ends
  const chain = market.chains.get(destination.chainId)
  const balance = chain?.solverBalances.get(destination.address) ?? none
  const price = chain?.usdPrices.get(destination.address)
  const settlement = market.chains.get(origin.chainId)?.settlement
  const largest = settlement && (settlement.outflowLimits.get(origin.address) ?? none)
  const limits = [
    balance,
    ...(largest === undefined
      ? []
      : [payoutFor({ deposit: origin, payout: destination }, largest)]),
    ...(mostPayoutUsd === undefined || price === undefined
      ? []
      : [amountForUsdDown(mostPayoutUsd, destination.decimals, price)]),
  ]
  return { address, balance, capacityPerRequest: limits.reduce(minimum) }
}

const balanceOf = async (
  market: Market,
  { origin }: Ends,
  user: Account,
  loaders: Loaders,
): Promise<Amount> => {
  const chain = market.chains.get(origin.chainId)
  return chain === undefined ? none : loaders.balance(origin, user, chain.block.hash)
}

/** Errors of the amount. With any other error nothing can be priced now. */
const capacityCodes: readonly ErrorCode[] = ['INSUFFICIENT_LIQUIDITY', 'SOLVER_CAPACITY_EXCEEDED']
const amountCodes: readonly ErrorCode[] = ['AMOUNT_TOO_LOW', ...capacityCodes]

type Outcome = PriceAnswer | ErrorCode

const isCode = (outcome: Outcome | Amount): outcome is ErrorCode => typeof outcome === 'string'

type Pricer = ReturnType<typeof createPricer>

/** Prices transfers of the asset. Returns the error code if the amount is at fault. */
const createPricer =
  ({ price }: BridgeDeps, { origin, destination }: Ends) =>
  async (
    user: Account,
    tradeType: 'EXACT_INPUT' | 'EXACT_OUTPUT',
    amount: Amount,
  ): Promise<Outcome> => {
    const [from, to] = [origin, destination].map(({ address }) => vmTypeOf(address))
    const order = {
      user,
      ...(from !== to && { recipient: burnAccountOf[vmTypeOf(destination.address)] }),
      originChainId: origin.chainId,
      destinationChainId: destination.chainId,
      originCurrency: origin.address,
      destinationCurrency: destination.address,
      amount,
      tradeType,
    }
    return price(order).catch((error) => {
      if (error instanceof AppError && amountCodes.includes(error.code)) return error.code
      throw error
    })
  }

/** Highest output of the user's whole balance, at most the solver's capacity per request. */
function maxOf(affordable: Amount | ErrorCode, capacity: Amount): Amount {
  if (isCode(affordable)) return capacityCodes.includes(affordable) ? capacity : none
  return minimum(affordable, capacity)
}

function minimum(one: Amount, other: Amount): Amount {
  if (one < other) return one
  return other
}
