import { concatHex, type Hex, hexToBigInt, keccak256, numberToHex, pad, zeroAddress } from 'viem'
import { RpcRefusedError, RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import { depthInRange } from '#src/core/pools/concentrated/concentrated.ts'
import { liquidityAt, toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import { type ManagedPoolId, type PoolDepth, toManagedPoolId } from '#src/core/pools/poolKind.ts'
import {
  type ProtocolFees,
  toProtocolFees,
  type UniswapV4Pool,
} from '#src/core/pools/uniswapV4/uniswapV4.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { Pips } from '#src/core/units/pips.ts'
import { readBitmap } from '#src/market/kinds/concentrated/readTicks.ts'
import type { FactoryOf, Found, ReadContext } from '#src/market/kinds/marketKind.ts'
import { type Read, read } from '#src/market/reads/readAll.ts'
import { type Reading, reading } from '#src/market/reads/reading.ts'
import { runReader } from '#src/market/reads/runReader.ts'
import { poolManagerAbi } from '#src/protocol/contracts/abis.ts'
import { managedTickReader } from '#src/protocol/contracts/artifacts/managedTickReader.ts'

/** Words of a pool's state: slot0, two fee growths, liquidity. @source v4-core Pool.State */
const stateWords = 4n

const readWords = ({ address, id }: FoundPool): Read<readonly Hex[]> =>
  read(address, poolManagerAbi, 'extsload', [stateSlotOf(id), stateWords])

type Price = Readonly<{
  sqrtPriceX96: bigint
  tick: number
  liquidity: bigint
  protocolFees: ProtocolFees
  lpFee: number
}>

/** Undefined for a pool that does not exist. @throws RangeError for an impossible state. @source v4-core Slot0 */
function parseState(words: readonly Hex[]): Price | undefined {
  const [slot0 = 0n, , , liquidity = 0n] = words.map((word) => hexToBigInt(word))
  const sqrtPriceX96 = BigInt.asUintN(160, slot0)
  if (sqrtPriceX96 === 0n) return undefined
  return {
    sqrtPriceX96,
    tick: Number(BigInt.asIntN(24, slot0 >> 160n)),
    liquidity: BigInt.asUintN(128, liquidity),
    protocolFees: toProtocolFees(Number(BigInt.asUintN(24, slot0 >> 184n))),
    lpFee: Number(BigInt.asUintN(24, slot0 >> 208n)),
  }
}

/** Reads the manager's address if the pool exists, else the zero address. */
export function readManagerOf(pool: FoundPool): Read<Hex> {
  const { decode, ...call } = readWords(pool)
  return {
    ...call,
    decode: (answer) => (parseState(decode(answer)) === undefined ? zeroAddress : pool.address),
  }
}

/** Takes one call in the multicall, and a separate call for the ticks. */
export const readUniswapV4 = (
  pool: FoundPool,
  { client, chainId, blockHash }: ReadContext,
): Reading<Promise<UniswapV4Pool | undefined>> => {
  const { address, id, fee, tickSpacing } = pool
  return reading({ words: readWords(pool) }, async ({ words }) => {
    try {
      const state = words && parseState(words)
      // The fee of a pool without hooks never changes: it is part of the pool's key.
      if (state === undefined || state.lpFee !== fee) return undefined
      const found = await readBitmap(tickSpacing, (first, last) => {
        const args = [address, stateSlotOf(id), tickSpacing, first, last] as const
        return runReader(client, managedTickReader, { functionName: 'read', args, blockHash })
      })
      const ticks = toTickMap(found, tickSpacing)
      const { lpFee: _, ...price } = state
      if (liquidityAt(ticks, price.tick) !== price.liquidity) return undefined
      return { ...pool, chainId, ...price, ticks }
    } catch (error) {
      if (error instanceof RpcUnavailableError || error instanceof RpcRefusedError) throw error
      return undefined
    }
  })
}

/**
 * Estimates the depth without the ticks: assumes that the liquidity at the current price covers the whole price
 * range that `PoolDepth` measures. There is no limit by balance, because the manager holds the currencies of all pools.
 */
export const readUniswapV4Depth = (pool: FoundPool): Reading<PoolDepth> =>
  reading({ words: readWords(pool) }, ({ words }) => {
    const state = words && parseState(words)
    return state === undefined ? { amount0: 0n, amount1: 0n } : depthInRange(state)
  })

export type FoundPool = Found<'uniswapV4'> &
  Readonly<{ id: ManagedPoolId; fee: Pips; tickSpacing: number }>

export type Managed = FactoryOf<'uniswapV4'>

type Key = Readonly<{ currency0: Address; currency1: Address; fee: number; tickSpacing: number }>

/** The id of a pool without hooks. @source v4-core PoolId.toId */
const idOf = ({ currency0, currency1, fee, tickSpacing }: Key): ManagedPoolId =>
  toManagedPoolId(
    keccak256(
      concatHex([
        ...[pad(currency0), pad(currency1)],
        ...[fee, tickSpacing, 0].map((each) => numberToHex(each, { size: 32 })),
      ]),
    ),
  )

/** The first slot of a pool's state. @source v4-core PoolManager._pools */
export const stateSlotOf = (id: ManagedPoolId): Hex =>
  keccak256(concatHex([id, numberToHex(6, { size: 32 })]))

/**
 * The possible pools of two currencies in the configured tiers. `currency0` is below `currency1`. If one of them is the
 * wrapped native currency, the result includes the pools with the native currency in its place.
 */
export function poolsOfPair(
  { kind, source, factory, tiers, wrappedNative }: Managed,
  currency0: Address,
  currency1: Address,
): readonly FoundPool[] {
  const common = { kind, source, address: factory }
  const other = currency0 === wrappedNative ? currency1 : currency0
  const isNativePair = currency0 === wrappedNative || currency1 === wrappedNative
  return tiers.flatMap(({ fee, tickSpacing }) => {
    const tier = { fee, tickSpacing }
    const plain = { ...common, currency0, currency1, ...tier }
    const native = { ...common, currency0: wrappedNative, currency1: other, ...tier }
    return [
      { ...plain, id: idOf(plain) },
      ...(isNativePair
        ? [
            {
              ...native,
              id: idOf({ ...native, currency0: nativeAddress }),
              hasNative: true as const,
            },
          ]
        : []),
    ]
  })
}

const selected = new WeakMap<Managed, ReadonlyMap<Hex, FoundPool>>()

/** All pools that a manager's configuration selects, by id. Some may not exist. */
export function selectedPools(manager: Managed): ReadonlyMap<Hex, FoundPool> {
  const known = selected.get(manager)
  if (known !== undefined) return known
  const pools = manager.pairs.flatMap(([one, other]) =>
    one < other ? poolsOfPair(manager, one, other) : poolsOfPair(manager, other, one),
  )
  const byId = new Map(pools.map((pool) => [pool.id, pool] as const))
  selected.set(manager, byId)
  return byId
}
