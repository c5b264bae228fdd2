import { expect, it } from 'vitest'
import { evmGas } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { createGraph, poolsOf } from '#src/core/router/graph.ts'
import { market, originChain } from '#test/support/fixtures/markets.ts'
import { createSameState } from './pricedOrders.ts'

const chain = market.chains.get(originChain) as ChainMarket
const [currency] = chain.usdPrices.keys()

/** Another value for each part of a chain's market. */
const others: Readonly<Record<keyof ChainMarket, Partial<ChainMarket>>> = {
  chain: { chain: { ...chain.chain, blockSeconds: chain.chain.blockSeconds + 1 } },
  block: { block: { ...chain.block, number: chain.block.number + 1n } },
  finality: { finality: { ...chain.finality, blocks: chain.finality.blocks + 1 } },
  exposedUsd: { exposedUsd: ((chain.exposedUsd as bigint) + 1n) as ChainMarket['exposedUsd'] },
  settlement: { settlement: { stopped: 'paused', outflowLimits: new Map(), unsettled: new Map() } },
  graph: { graph: createGraph(poolsOf(chain.graph)) },
  gas: {
    gas: { ...evmGas(chain.gas), priorityFeePerGas: evmGas(chain.gas).priorityFeePerGas + 1n },
  },
  usdPrices: { usdPrices: new Map([...chain.usdPrices].slice(1)) },
  feedPrices: { feedPrices: new Map([...chain.feedPrices].slice(1)) },
  solverBalances: { solverBalances: new Map() },
  sequencer: { sequencer: { status: 'up' } },
  stoppedAssets: { stoppedAssets: new Set(['USDC']) },
  refusedCurrencies: { refusedCurrencies: new Map([[currency, 'no']] as never) },
}

it('differs by every part of a chain’s market but its block', () => {
  const isSame = createSameState()
  for (const [part, change] of Object.entries(others)) {
    const answers = [isSame(chain, { ...chain, ...change }), isSame({ ...chain, ...change }, chain)]
    expect({ part, answers }).toEqual({ part, answers: [part === 'block', part === 'block'] })
  }
})

it('is the same for equal values, and while more blocks become final', () => {
  const isSame = createSameState()
  const equal = {
    ...chain,
    gas: { ...chain.gas },
    usdPrices: new Map(chain.usdPrices),
    finality: { ...chain.finality, height: 1_000n },
  }
  const dearer = { ...equal, gas: { ...chain.gas, baseFeePerGas: 1n } }
  const answers = [equal, dearer, equal, chain].map((each) => isSame(chain, each))
  expect(answers).toEqual([true, false, true, true])
})
