import { isDeepStrictEqual } from 'node:util'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** Whether two markets of one chain give the same prices, because they differ at most in their block. */
export type SameState = (one: ChainMarket, other: ChainMarket) => boolean

/** The same two markets are compared once for all orders of a block. */
export function createSameState(): SameState {
  const known = new Map<
    ChainId,
    Readonly<{ one: ChainMarket; other: ChainMarket; isSame: boolean }>
  >()
  return (one, other) => {
    if (one === other) return true
    const last = known.get(other.chain.id)
    if (last?.one === one && last.other === other) return last.isSame
    const isSame = isSameState(one, other)
    known.set(other.chain.id, { one, other, isSame })
    return isSame
  }
}

/** The pools or the gas nearly always differ, so they are compared first. Equal pools have the same graph object. */
function isSameState(one: ChainMarket, other: ChainMarket): boolean {
  if (one.graph !== other.graph || !isDeepStrictEqual(one.gas, other.gas)) return false
  const [before, after] = [one, other].map(({ block: _, graph: __, finality, ...rest }) => ({
    ...rest,
    finality: finality.blocks,
  }))
  return isDeepStrictEqual(before, after)
}
