import { isDeepStrictEqual } from 'node:util'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** Whether two markets of one chain give the same prices: they differ in their block at most. */
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

/** Nearly always the pools or the gas differ, which is seen at once. Equal pools are the same graph. */
function isSameState(one: ChainMarket, other: ChainMarket): boolean {
  if (one.graph !== other.graph || !isDeepStrictEqual(one.gas, other.gas)) return false
  const [before, after] = [one, other].map(({ block: _, graph: __, finality, ...rest }) => ({
    ...rest,
    finality: finality.blocks,
  }))
  return isDeepStrictEqual(before, after)
}
