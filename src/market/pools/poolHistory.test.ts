import fc from 'fast-check'
import {
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  type Log,
  numberToHex,
} from 'viem'
import { expect, test } from 'vitest'
import { ticksOf, toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import type { PoolId } from '#src/core/pools/poolKind.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'
import { uniswapV2PairAbi, uniswapV3PoolAbi } from '#src/protocol/contracts/abis.ts'
import { createPoolHistory } from './poolHistory.ts'

const addressOf = (index: number): Address => toAddress(numberToHex(index + 1, { size: 20 }))
const identity = {
  chainId: toChainId(1),
  source: 'test',
  currency0: addressOf(100),
  currency1: addressOf(101),
}
const pairOf = (index: number, [reserve0, reserve1]: readonly [bigint, bigint]): Pool => ({
  ...identity,
  kind: 'constantProduct',
  address: addressOf(index),
  fee: toPips(3000),
  reserve0,
  reserve1,
})

type Args = Readonly<Record<string, unknown>>

function logOf(
  abi: readonly unknown[],
  eventName: string,
  address: Address,
  args: Args,
): Log<bigint, number, false> {
  const event = (abi as AbiEvent[]).find((item) => item.type === 'event' && item.name === eventName)
  const data = (event?.inputs ?? []).filter(({ indexed }) => !indexed)
  return {
    address,
    topics: encodeEventTopics({ abi: [event], eventName, args } as never) as [Hex],
    data: encodeAbiParameters(
      data,
      data.map(({ name = '' }) => args[name]),
    ),
  } as unknown as Log<bigint, number, false>
}

const syncOf = (index: number, [reserve0, reserve1]: readonly [bigint, bigint]) =>
  logOf(uniswapV2PairAbi, 'Sync', addressOf(index), { reserve0, reserve1 })

const reserves = fc.tuple(fc.bigInt(0n, 2n ** 112n - 1n), fc.bigInt(0n, 2n ** 112n - 1n))
const index = fc.nat(5)
const step = fc.oneof(
  fc.record({ kind: fc.constant('block'), syncs: fc.array(fc.tuple(index, reserves)) }),
  fc.record({ kind: fc.constant('read'), pool: index, reserves }),
  fc.record({ kind: fc.constant('undo') }),
)

test('undo restores the previous states, except for pools that were read since', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const history = createPoolHistory(1000)
      let blocks = 1
      history.apply({ hash: numberToHex(0), logs: [] })
      const heads: { hash: Hex; pools: Map<PoolId, Pool>; read: Set<PoolId> }[] = [
        { hash: numberToHex(0), pools: new Map(), read: new Set() },
      ]
      for (const each of steps) {
        const head = heads.at(-1)
        if (head === undefined) return
        if ('syncs' in each) {
          const hash = numberToHex(blocks++)
          const next = new Map(head.pools)
          for (const [at, synced] of each.syncs)
            if (next.has(addressOf(at))) next.set(addressOf(at), pairOf(at, synced))
          history.apply({ hash, logs: each.syncs.map(([at, synced]) => syncOf(at, synced)) })
          heads.push({ hash, pools: next, read: new Set() })
        } else if ('pool' in each) {
          const pool = pairOf(each.pool, each.reserves)
          history.put([pool])
          head.pools.set(pool.address, pool)
          head.read.add(pool.address)
        } else if (heads.length > 1) {
          heads.pop()
          const unknown = history.undo(head.hash)
          expect(new Set(unknown)).toEqual(head.read)
          for (const address of unknown) {
            heads.at(-1)?.pools.delete(address)
            if (heads.length > 1) heads.at(-1)?.read.add(address)
          }
        }
        expect(history.pools).toEqual(heads.at(-1)?.pools)
      }
    }),
  )
})

test('a pool that was read on an undone branch stays unknown below it, though older blocks had a state', () => {
  const history = createPoolHistory(10)
  history.apply({ hash: '0x1', logs: [] })
  history.put([pairOf(0, [1n, 1n])])
  history.apply({ hash: '0x2', logs: [syncOf(0, [2n, 2n])] })
  history.apply({ hash: '0x3', logs: [] })
  history.put([pairOf(0, [3n, 3n])])
  expect(history.undo('0x3')).toEqual([addressOf(0)])
  expect(history.undo('0x2')).toEqual([addressOf(0)])
  expect(history.pools).toEqual(new Map())
})

test('only the head can be undone, up to the depth', () => {
  const history = createPoolHistory(2)
  for (const hash of ['0x1', '0x2', '0x3'] as const) history.apply({ hash, logs: [] })
  expect(() => history.undo('0x2')).toThrow('Cannot undo')
  const other = createPoolHistory(2)
  for (const hash of ['0x1', '0x2', '0x3'] as const) other.apply({ hash, logs: [] })
  other.undo('0x3')
  other.undo('0x2')
  expect(() => other.undo('0x1')).toThrow('Cannot undo')
})

const concentrated: Extract<Pool, { kind: 'concentrated' }> = {
  ...identity,
  kind: 'concentrated',
  address: addressOf(9),
  fee: toPips(3000),
  tickSpacing: 60,
  sqrtPriceX96: 2n ** 96n,
  tick: 0,
  liquidity: 0n,
  ticks: toTickMap([], 60),
}
const anyone = { sender: addressOf(7), owner: addressOf(7), recipient: addressOf(7) }
const v3Log = (eventName: string, args: Args) =>
  logOf(uniswapV3PoolAbi, eventName, concentrated.address, {
    ...anyone,
    amount0: 0n,
    amount1: 0n,
    ...args,
  })
const mint = v3Log('Mint', { tickLower: -60, tickUpper: 60, amount: 1000n })
const burn = v3Log('Burn', { tickLower: -60, tickUpper: 60, amount: 400n })
const swapTo = (liquidity: bigint) =>
  v3Log('Swap', { sqrtPriceX96: 2n ** 96n + 1n, liquidity, tick: 0 })

test('follows liquidity and price of a concentrated pool through one block', () => {
  const history = createPoolHistory(2)
  history.put([concentrated])
  history.apply({ hash: '0x1', logs: [mint, swapTo(1000n), burn] })
  const pool = history.pools.get(concentrated.address)
  if (pool?.kind !== 'concentrated') throw new Error('The pool is gone')
  expect(pool.liquidity).toBe(600n)
  expect(pool.sqrtPriceX96).toBe(2n ** 96n + 1n)
  expect(ticksOf(pool.ticks)).toEqual([
    { index: -60, liquidityNet: 600n, liquidityGross: 600n },
    { index: 60, liquidityNet: -600n, liquidityGross: 600n },
  ])
})

test.each([
  ['a burn of what was never minted', [burn]],
  ['a swap with other liquidity than the ticks have', [mint, swapTo(999n)]],
  ['a log that does not decode', [{ ...mint, data: '0x' as const }]],
])('drops a pool that its logs contradict: %s', (_, logs) => {
  const history = createPoolHistory(2)
  history.put([concentrated])
  expect(history.apply({ hash: '0x1', logs })).toEqual({
    changed: [],
    contradicted: [concentrated.address],
  })
  expect(history.pools.size).toBe(0)
})

test('a pool that was removed does not come back with a block that is undone', () => {
  const history = createPoolHistory(8)
  const hash = (at: number): Hex => numberToHex(at, { size: 32 })
  const sync = (reserve: bigint) =>
    logOf(uniswapV2PairAbi, 'Sync', addressOf(0), { reserve0: reserve, reserve1: reserve })
  history.apply({ hash: hash(1), logs: [] })
  history.put([pairOf(0, [5n, 5n]), pairOf(1, [5n, 5n])])
  history.apply({ hash: hash(2), logs: [sync(6n)] })
  history.remove([addressOf(0)])
  history.apply({ hash: hash(3), logs: [sync(7n)] })
  expect(history.undo(hash(3))).toEqual([])
  expect(history.undo(hash(2))).toEqual([])
  expect([...history.pools.keys()]).toEqual([addressOf(1)])
  // Nor is it read again below the block at which it was read.
  expect(history.undo(hash(1))).toEqual([addressOf(1)])
})
