import fc from 'fast-check'
import {
  type Abi,
  type AbiEvent,
  concatHex,
  decodeEventLog,
  type Hex,
  numberToHex,
  parseEventLogs,
  toEventSelector,
  zeroAddress,
} from 'viem'
import { expect, test } from 'vitest'
import { parsePoolCreations } from '#src/market/pools/discovery/poolCreations.ts'
import {
  pancakeV3SwapAbi,
  slipstreamFactoryAbi,
  solidlyFactoryAbi,
  solidlyPoolAbi,
  uniswapV2FactoryAbi,
  uniswapV2PairAbi,
  uniswapV3FactoryAbi,
  uniswapV3PoolAbi,
} from '#src/protocol/contracts/abis.ts'
import { concentratedDecoders } from './concentrated/readConcentrated.ts'
import { constantProductDecoders } from './constantProduct/constantProductMarket.ts'
import type { Factory } from './kinds.ts'
import { solidlyDecoders } from './solidly/solidlyMarket.ts'

const events = (abi: readonly unknown[]) =>
  (abi as readonly AbiEvent[]).filter(({ type }) => type === 'event')

const known = [
  ...events(uniswapV2PairAbi).filter(({ name }) => name === 'Sync'),
  ...events(uniswapV3PoolAbi),
  ...events(pancakeV3SwapAbi),
  ...events(solidlyPoolAbi),
]

const decoders = new Map<Hex, (log: { topics: [Hex, ...Hex[]]; data: Hex }) => object>([
  ...constantProductDecoders,
  ...concentratedDecoders,
  ...solidlyDecoders,
])

/** Small numbers of either sign, as ticks are, and words that no contract emits. */
const word = fc
  .oneof(
    fc.integer({ min: -887_272, max: 887_272 }).map((tick) => BigInt.asUintN(256, BigInt(tick))),
    fc.bigInt(0n, 2n ** 256n - 1n),
  )
  .map((value) => numberToHex(value, { size: 32 }))

const log = fc.record({
  event: fc.constantFrom(...known),
  words: fc.array(word, { maxLength: 8 }),
  indexed: fc.array(word, { maxLength: 3 }),
  /** Digits of the data that are lost. */
  lost: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(31)),
})

test('decodes each event of a pool as viem does, and refuses what viem refuses', () => {
  fc.assert(
    fc.property(log, ({ event, words, indexed, lost }) => {
      const topic = toEventSelector(event)
      const whole = concatHex(words)
      const data = whole.slice(0, Math.max(2, whole.length - 2 * lost)) as Hex
      const emitted: { topics: [Hex, ...Hex[]]; data: Hex } = { topics: [topic, ...indexed], data }
      const expected = attempt(() => decodeEventLog({ abi: [event], ...emitted }))
      const decoded = attempt(() => decoders.get(topic)?.(emitted))
      expect(decoded === undefined).toBe(expected === undefined)
      if (decoded !== undefined) expect(expected).toMatchObject(decoded)
    }),
    { numRuns: 500 },
  )
})

test.each(known)('refuses $name without its last field', (event) => {
  const topic = toEventSelector(event)
  const one = numberToHex(1, { size: 32 })
  const fields = event.inputs.filter(({ indexed }) => indexed !== true).length
  const topics: [Hex, ...Hex[]] = [topic, ...Array(event.inputs.length - fields).fill(one)]
  const decode = (count: number) =>
    decoders.get(topic)?.({ topics, data: concatHex(Array(count).fill(one)) })
  expect(decode(fields)).toBeDefined()
  expect(() => decode(fields - 1)).toThrow(RangeError)
})

test('has a decoder for each of the events', () => {
  expect([...decoders.keys()].sort()).toEqual(known.map(toEventSelector).sort())
})

const word32 = (value: bigint) => numberToHex(value, { size: 32 })
const address = fc.bigInt(0n, 2n ** 160n - 1n).map(word32)
const factories = [
  {
    abi: uniswapV2FactoryAbi,
    event: 'PairCreated',
    factory: { kind: 'constantProduct', fee: 3_000 },
  },
  {
    abi: uniswapV3FactoryAbi,
    event: 'PoolCreated',
    factory: { kind: 'concentrated', feeTiers: [] },
  },
  { abi: solidlyFactoryAbi, event: 'PoolCreated', factory: { kind: 'solidly' } },
  {
    abi: slipstreamFactoryAbi,
    event: 'PoolCreated',
    factory: { kind: 'slipstream', tickSpacings: [] },
  },
] as const

const tier = fc.nat(200).map((value) => word32(BigInt(value)))
/** Words that fit and a few that do not, in topics and data that may be too short. */
const creation = fc.record({
  words: fc.array(fc.oneof(address, word), { maxLength: 3 }),
  spacing: tier,
  tokens: fc.array(fc.oneof(address, word), { minLength: 2, maxLength: 2 }),
  last: fc.array(fc.oneof(tier, word), { maxLength: 1 }),
})

test.each(factories)(
  'finds the new pools of $factory.kind in logs as viem does',
  ({ abi, event, factory }) => {
    const own = { ...factory, source: 'own', factory: zeroAddress, pairs: [], fromBlock: 0n }
    const topic = toEventSelector(events(abi).find(({ name }) => name === event) as AbiEvent)
    fc.assert(
      fc.property(fc.array(creation, { maxLength: 4 }), (created) => {
        const logs = created.map(({ words, spacing, tokens, last }) => ({
          address: zeroAddress,
          topics: [topic, ...tokens, ...last],
          // The tick spacing is not read from the log.
          data: concatHex(factory.kind === 'concentrated' ? [spacing, ...words] : words),
        }))
        const expected = parseEventLogs({ abi: abi as Abi, eventName: event, logs: logs as never })
        const found = parsePoolCreations(own as unknown as Factory, logs as never)
        expect(found).toMatchObject(
          expected.map(({ args }) => {
            const { token0, token1, pair, pool = pair } = args as unknown as Record<string, string>
            const [currency0, currency1] = [token0?.toLowerCase(), token1?.toLowerCase()]
            return { kind: factory.kind, address: pool?.toLowerCase(), currency0, currency1 }
          }),
        )
      }),
      { numRuns: 300 },
    )
  },
)

function attempt<Value>(decode: () => Value): Value | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
