import { concatHex, type Hex, keccak256, numberToHex, pad } from 'viem'
import { type ManagedPoolId, toManagedPoolId } from '#src/core/pools/poolIdentity.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { Pips } from '#src/core/units/pips.ts'
import type { FactoryOf, Found } from '#src/market/kinds/marketKind.ts'

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
