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
import { uniswapV2PairAbi, uniswapV3PoolAbi } from '#src/contracts/abis.ts'
import type { Pool } from '#src/pools/pool.ts'
import { ticksOf, toTickMap } from '#src/pools/tickMap.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import { toChainId } from '#src/units/chainId.ts'
import { toPips } from '#src/units/pips.ts'
import { createPoolBook } from './poolStates.ts'

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

test('going back gives what stood there before, but for what was read since: that is unknown', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const book = createPoolBook(1000)
      let blocks = 1
      book.apply({ hash: numberToHex(0), logs: [] })
      const heads: { hash: Hex; pools: Map<Address, Pool>; read: Set<Address> }[] = [
        { hash: numberToHex(0), pools: new Map(), read: new Set() },
      ]
      for (const each of steps) {
        const head = heads.at(-1)
        if (head === undefined) return
        if ('syncs' in each) {
          const hash = numberToHex(blocks++)
          const next = new Map(head.pools)
          for (const [at, told] of each.syncs)
            if (next.has(addressOf(at))) next.set(addressOf(at), pairOf(at, told))
          book.apply({ hash, logs: each.syncs.map(([at, told]) => syncOf(at, told)) })
          heads.push({ hash, pools: next, read: new Set() })
        } else if ('pool' in each) {
          const pool = pairOf(each.pool, each.reserves)
          book.put([pool])
          head.pools.set(pool.address, pool)
          head.read.add(pool.address)
        } else if (heads.length > 1) {
          heads.pop()
          const unknown = book.undo(head.hash)
          expect(new Set(unknown)).toEqual(head.read)
          for (const address of unknown) {
            heads.at(-1)?.pools.delete(address)
            if (heads.length > 1) heads.at(-1)?.read.add(address)
          }
        }
        expect(book.pools).toEqual(heads.at(-1)?.pools)
      }
    }),
  )
})

test('only the head can be undone, and only as deep as was asked for', () => {
  const book = createPoolBook(2)
  for (const hash of ['0x1', '0x2', '0x3'] as const) book.apply({ hash, logs: [] })
  expect(() => book.undo('0x2')).toThrow('cannot be undone')
  const other = createPoolBook(2)
  for (const hash of ['0x1', '0x2', '0x3'] as const) other.apply({ hash, logs: [] })
  other.undo('0x3')
  other.undo('0x2')
  expect(() => other.undo('0x1')).toThrow('cannot be undone')
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
    ...{ amount0: 0n, amount1: 0n },
    ...args,
  })
const mint = v3Log('Mint', { tickLower: -60, tickUpper: 60, amount: 1000n })
const burn = v3Log('Burn', { tickLower: -60, tickUpper: 60, amount: 400n })
const swapTo = (liquidity: bigint) =>
  v3Log('Swap', { sqrtPriceX96: 2n ** 96n + 1n, liquidity, tick: 0 })

test('follows liquidity and price of a concentrated pool through one block', () => {
  const book = createPoolBook(2)
  book.put([concentrated])
  book.apply({ hash: '0x1', logs: [mint, swapTo(1000n), burn] })
  const pool = book.pools.get(concentrated.address)
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
])('drops a pool that logs contradict: %s', (_, logs) => {
  const book = createPoolBook(2)
  book.put([concentrated])
  expect(book.apply({ hash: '0x1', logs })).toEqual({
    changed: [],
    contradicted: [concentrated.address],
  })
  expect(book.pools.size).toBe(0)
})
