import { concentrated } from './concentrated/concentrated.ts'
import { constantProduct } from './constantProduct/constantProduct.ts'
import { slipstream } from './slipstream/slipstream.ts'
import { solidly } from './solidly/solidly.ts'
import { uniswapV4 } from './uniswapV4/uniswapV4.ts'

/** The pool kinds, by their name in pools and in the configuration. */
export const kinds = { constantProduct, concentrated, solidly, slipstream, uniswapV4 } as const

/** The gas units of the cheapest hop of any kind. */
export const minHopGas = BigInt(
  Math.min(...Object.values(kinds).map((kind) => Number(kind.minHopGas))),
)
