import { afterEach } from 'vitest'
import type { ChainInput } from '#src/config/chain.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { createSimulatedChain } from './simulatedChain.ts'
import { type SimulatedMarket, startSimulatedMarket } from './simulatedMarket.ts'
import type { SimulatedPool } from './simulatedState.ts'
import { starState, wholeFactories } from './starPools.ts'
import { startSimulatedNode } from './startSimulatedNode.ts'

/** Chains whose factories without pairs have these pools, and their markets. All end after the test, or with `stop`. */
export function useStarChains(id: ChainId) {
  const undo: (() => unknown)[] = []
  const stop = async (): Promise<void> => {
    for (const each of undo.splice(0).reverse()) await each()
  }
  afterEach(stop)

  /** @param held dollars of the token in the middle that concentrated pools hold */
  async function start(pools: readonly SimulatedPool[], held?: ReadonlyMap<Address, bigint>) {
    const chain = createSimulatedChain({ id, state: starState(pools.length + 10, held) })
    chain.mine(pools)
    for (let at = 0; at < 4; at += 1) chain.mine()
    const node = await startSimulatedNode(chain)
    undo.push(node.stop)
    return {
      chain,
      node,
      startMarket: (changes: Partial<ChainInput>): SimulatedMarket => {
        const market = startSimulatedMarket(chain, [node.url], wholeFactories(changes))
        undo.push(market.close)
        return market
      },
    }
  }

  return { start, stop }
}
