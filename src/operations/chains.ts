import type { ChainConfig } from '#src/config.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import type { ChainSummary } from './operations.ts'

export type ChainsDeps = Readonly<{
  chains: readonly ChainConfig[]
  /** The newest snapshot of a chain, however old; `undefined` before the first. */
  head: (chainId: ChainId) => ChainMarket | undefined
  nativeCurrency: (chainId: ChainId) => Currency
  /** What the solver takes and pays out on a chain. */
  bridgedCurrencies: (chainId: ChainId) => readonly Currency[]
}>

/** Every configured chain, in the order of the configuration. */
export const listChains = (deps: ChainsDeps): readonly ChainSummary[] =>
  deps.chains.map((chain) => summarize(deps, chain))

export function findChain(deps: ChainsDeps, id: number): ChainSummary | undefined {
  const chain = deps.chains.find((each) => each.id === id)
  return chain && summarize(deps, chain)
}

function summarize(deps: ChainsDeps, chain: ChainConfig): ChainSummary {
  const head = deps.head(chain.id)
  const { id, name, displayName, explorerUrl, iconUrl, disabled } = chain
  const { wrappedNative, blockSeconds, factories } = chain
  return {
    ...{ id, name, displayName, explorerUrl, iconUrl, disabled, wrappedNative, blockSeconds },
    nativeCurrency: deps.nativeCurrency(id),
    swapSources: [...new Set(factories.map(({ source }) => source))].sort(),
    solverCurrencies: deps.bridgedCurrencies(id).map((currency) => ({
      currency,
      balance: head?.solverBalances.get(currency.address) ?? none,
    })),
    head: head && headOf(head),
  }
}

const none: Amount = toAmount(0n)

const headOf = ({ block, gas, graph }: ChainMarket): ChainSummary['head'] => ({
  ...block,
  baseFeePerGas: gas.baseFeePerGas,
  priorityFeePerGas: gas.priorityFeePerGas,
  pools: poolCount(graph),
})
