import type { Hex } from 'viem'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import type { Address } from '#src/core/units/address.ts'

/** A pool with the additional fields of its contract, which prices do not need. */
export type SimulatedPool =
  | Readonly<{ factory: Address; pool: ConstantProductPool; blockTimestampLast: number }>
  | Readonly<{ factory: Address; pool: ConcentratedPool; slot: Slot }>

/** The fields of `slot0` besides price and tick. @source Uniswap v3-core 1.0.1, UniswapV3Pool.Slot0 */
type Slot = readonly [
  observationIndex: number,
  observationCardinality: number,
  observationCardinalityNext: number,
  feeProtocol: number,
  unlocked: boolean,
]

export type SimulatedToken = Readonly<{
  symbol: string
  name: string
  decimals: number
  /** Old tokens return symbol and name as bytes32. */
  hasBytes32Texts: boolean
  /** Balances by account. Other accounts have none. */
  balances: ReadonlyMap<Address, bigint>
}>

/** The state of a chain at one block. Immutable: blocks share unchanged parts. */
export type SimulatedState = Readonly<{
  pools: ReadonlyMap<Address, SimulatedPool>
  tokens: ReadonlyMap<Address, SimulatedToken>
  /** Wei by account. Other accounts have none. */
  balances: ReadonlyMap<Address, bigint>
  /** Return data of other contracts by address, then by calldata. Other calls to them revert. */
  answers: ReadonlyMap<Address, ReadonlyMap<Hex, Hex>>
}>

export const emptyState: SimulatedState = {
  pools: new Map(),
  tokens: new Map(),
  balances: new Map(),
  answers: new Map(),
}
