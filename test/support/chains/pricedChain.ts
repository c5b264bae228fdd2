import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { type ChainPlan, nativePrices } from '#src/devnet/plan/chainPlan.ts'
import { market as fixture, quickDeposits } from '#test/support/fixtures/markets.ts'
import { type DeployedTestChain, startDeployedChain } from './deployedChain.ts'
import { readTradedPools } from './readChainPools.ts'

/** Solver balance that covers any payout, so that no order fails for lack of funds. */
const plenty = toAmount(10n ** 40n)

/**
 * A chain that mines each transaction, and a market with its current state, read without the market's code.
 * @param elsewhere a second id for the same chain in the market, for cross-chain orders.
 * @param bridged symbols of the currencies that the solver accepts on one chain and pays out on the other.
 */
export async function startPricedChain(
  plan: ChainPlan,
  elsewhere: ChainId,
  bridged: readonly string[],
) {
  const chain = await startDeployedChain(plan)
  const here = toChainId(plan.id)
  const currencyOf = (chainId: ChainId, symbol: string): Currency => {
    const metadata = { verified: true, isNative: symbol === plan.native }
    const named = { chainId, symbol, name: symbol, metadata }
    if (symbol === plan.native) return { ...named, address: nativeAddress, decimals: 18 }
    const { address, decimals } = chain.currency(symbol)
    return { ...named, address, decimals }
  }
  const { pools, ...seen } = await readMarket(chain)
  const chains = [here, elsewhere].map(
    (chainId): ChainMarket => ({
      ...seen,
      chain: { ...seen.chain, id: chainId, native: currencyOf(chainId, plan.native) },
      graph: createGraph(pools.map((pool) => ({ ...pool, chainId }))),
    }),
  )
  const market: Market = {
    ...fixture,
    chains: new Map(chains.map((each) => [each.chain.id, each])),
    assets: bridged.map((symbol) => ({
      symbol,
      class: 'stable',
      pegTolerance: toBps(100n),
      currencies: new Map([here, elsewhere].map((id) => [id, currencyOf(id, symbol)])),
    })),
  }
  return { chain, market, currencyOf }
}

async function readMarket({ client, deployed }: DeployedTestChain) {
  const { plan, contracts, currencies } = deployed
  const { number, hash, timestamp } = await client.getBlock()
  const usdPrices = new Map(currencies.map(({ address, price }) => [address, price]))
  usdPrices.set(nativeAddress, nativePrices[plan.native])
  return {
    chain: {
      name: plan.name,
      wrappedNative: contracts.wrappedNative,
      blockSeconds: 1,
      minPoolDepthUsd: toUsd(10_000_000_000n),
      depositPolicy: quickDeposits,
    },
    block: { number, hash, timestamp },
    finality: { height: undefined, blocks: 64 },
    exposedUsd: toUsd(0n),
    pools: await readTradedPools(client, deployed),
    gas: {
      vmType: 'evm',
      baseFeePerGas: 10n ** 9n,
      priorityFeePerGas: 10n ** 9n,
      l1DataFee: { model: 'none' },
    },
    usdPrices,
    feedPrices: usdPrices,
    solverBalances: new Map([...usdPrices.keys()].map((address) => [address, plenty])),
    refusedCurrencies: new Map(),
    stoppedAssets: new Set<string>(),
  } as const
}
