import type { Config } from '#src/config/config.ts'
import { type Position, rebalance } from '#src/core/inventory/rebalance.ts'
import { transactionCost } from '#src/core/pricing/gas/gas.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { type Amount, parseDecimalAmount, toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type Usd, usdValueDown } from '#src/core/units/usd.ts'
import type { KnownCurrencies, LatestMarkets } from '#src/market/markets.ts'
import { listedChains } from '#src/service/listedChains.ts'

/** What the solver has of one currency on one chain, at the newest block of the market. */
export type Holding = Readonly<{
  currency: Currency
  /** Symbol of its asset in the configuration; without an asset, its own. Unique on its chain. */
  symbol: string
  /** Undefined before the market has read it. */
  balance: Amount | undefined
  /** Value of the balance, rounded down; undefined without a price or balance. */
  balanceUsd: Usd | undefined
  /** Filled deposits in this currency, and those that a sent fill is for. Settlements bring them, less app fees. */
  unsettled: Amount
  /** Undefined if the configuration has no target. */
  target: Amount | undefined
  /** The balance is low below it; undefined without a target. */
  minimum: Amount | undefined
  isLow: boolean
}>

export type ChainInventory = Readonly<{
  chainId: ChainId
  /** Name for programs. */
  name: string
  displayName: string
  native: Currency
  /** The solver's native currency, which pays for gas; undefined before the market has read it. */
  gasBalance: Amount | undefined
  /** Number of fills with one swap whose gas it pays at the present price; undefined while unknown, or if gas is free. */
  gasFills: bigint | undefined
  holdings: readonly Holding[]
}>

/** A transfer of one asset between two chains that the operator is advised to make. */
export type AdvisedMove = Readonly<{
  /** Symbol of the asset in the configuration. */
  asset: string
  from: Currency
  to: Currency
  /** In the smallest unit of `from`. */
  amount: Amount
}>

export type Inventory = Readonly<{
  /** In the order of the configuration. Makes no RPC call. */
  chains: () => readonly ChainInventory[]
  /** Moves between the targets of each asset: see `rebalance`. */
  moves: () => readonly AdvisedMove[]
}>

type Deps = Readonly<{
  config: Config
  market: LatestMarkets & KnownCurrencies
}>

/** The solver's holdings of the native currencies and of all assets, from the markets in memory. */
export function createInventory({ config, market }: Deps): Inventory {
  const { known } = market.currencies
  const { targets } = config.solver

  function holdingOf(currency: Currency, symbol: string, chain: ChainMarket | undefined): Holding {
    const { chainId, address, decimals } = currency
    const balance = chain?.solverBalances.get(address)
    const price = chain?.usdPrices.get(address)
    const named = targets.find((each) => each.chainId === chainId && each.currency === address)
    const target = named && toAmount(parseDecimalAmount(named.amount, decimals))
    const minimum =
      named?.minimum === undefined
        ? target && toAmount(target / 4n)
        : toAmount(parseDecimalAmount(named.minimum, decimals))
    return {
      currency,
      symbol,
      balance,
      balanceUsd:
        balance === undefined || price === undefined
          ? undefined
          : usdValueDown(balance, decimals, price),
      unsettled: chain?.settlement?.unsettled.get(address) ?? toAmount(0n),
      target,
      minimum,
      isLow: balance !== undefined && minimum !== undefined && balance < minimum,
    }
  }

  /** The native currency, then those of the assets on the chain, each once. */
  function holdingsOn(chainId: ChainId, native: Currency): readonly Holding[] {
    const chain = market.latest(chainId)
    const ofAssets = config.assets.flatMap(({ symbol, currencies }) =>
      currencies.flatMap((key) => {
        const currency = key.chainId === chainId ? known(key) : undefined
        return currency === undefined ? [] : [{ currency, symbol }]
      }),
    )
    const isNamed = ofAssets.some(({ currency }) => currency.address === native.address)
    const all = isNamed ? ofAssets : [{ currency: native, symbol: native.symbol }, ...ofAssets]
    const holdings = [...new Map(all.map((each) => [each.currency.address, each])).values()]
    return holdings.map(({ currency, symbol }) => {
      const isShared = holdings.filter((each) => each.symbol === symbol).length > 1
      return holdingOf(currency, isShared ? `${symbol} ${currency.address}` : symbol, chain)
    })
  }

  function chains(): readonly ChainInventory[] {
    return listedChains(config).flatMap((listed): ChainInventory[] => {
      const { id: chainId, name, displayName } = listed
      const native = known({ chainId, address: listed.native })
      if (native === undefined) return []
      const chain = market.latest(chainId)
      const gasBalance = chain?.solverBalances.get(listed.native)
      const cost =
        chain === undefined ? 0n : transactionCost(chain.gas, sizesOf(chain.gas).usualFill)
      const gasFills = gasBalance === undefined || cost === 0n ? undefined : gasBalance / cost
      const holdings = holdingsOn(chainId, native)
      return [{ chainId, name, displayName, native, gasBalance, gasFills, holdings }]
    })
  }

  function moves(): readonly AdvisedMove[] {
    const held = chains().flatMap(({ holdings }) => holdings)
    return config.assets.flatMap(({ symbol: asset, currencies }) => {
      const own = held.filter(({ currency }) =>
        currencies.some(
          (key) => key.chainId === currency.chainId && key.address === currency.address,
        ),
      )
      const currencyOn = (chainId: ChainId) =>
        own.find(({ currency }) => currency.chainId === chainId)?.currency
      return rebalance(own.flatMap(positionOf)).flatMap((move) => {
        const [from, to] = [currencyOn(move.from), currencyOn(move.to)]
        return from && to ? [{ asset, from, to, amount: move.amount }] : []
      })
    })
  }

  return { chains, moves }
}

/** Empty without a target, and while the balance is unknown. */
function positionOf({ currency, balance, target, unsettled }: Holding): readonly Position[] {
  const { chainId, decimals } = currency
  return balance === undefined || target === undefined
    ? []
    : [{ chainId, decimals, held: balance, incoming: unsettled, target }]
}
