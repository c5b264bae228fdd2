import { expect, it } from 'vitest'
import { parseConfig } from '#src/config/config.ts'
import { nativeAddress } from '#src/core/units/address.ts'

const addressOf = (digit: string) => `0x${digit.repeat(40)}`
const wrappedNative = addressOf('2')
const manager = {
  kind: 'uniswapV4',
  source: 'uniswap-v4',
  factory: addressOf('1'),
  pairs: [[wrappedNative, addressOf('3')]],
}

const parse = (...factories: object[]) =>
  parseConfig(
    {
      chains: [
        {
          id: 1,
          name: 'ethereum',
          displayName: 'Ethereum',
          wrappedNative,
          factories,
          allowPoolPrices: true,
          rpcUrls: ['http://127.0.0.1:8545'],
          nativeCurrency: { symbol: 'ETH', name: 'Ether' },
        },
      ],
      solver: { address: addressOf('5') },
    },
    'test',
  ).chains[0]?.factories

it('has the usual tiers, and the address of the native currency in pools', () => {
  expect(parse(manager)).toMatchObject([
    { wrappedNative, tiers: [100, 500, 3000, 10_000].map((fee) => ({ fee })) },
  ])
  const tiers = [{ fee: 0, tickSpacing: 1 }]
  expect(parse({ ...manager, tiers }, manager)).toMatchObject([{ tiers }, {}])
})

it('refuses factories that it cannot track or price, with the reason', () => {
  const wrong = [
    [{ ...manager, pairs: [] }],
    [{ ...manager, pairs: [[nativeAddress, wrappedNative]] }],
    [{ ...manager, tiers: [{ fee: 999_000, tickSpacing: 1 }] }],
    // The mark of a dynamic fee.
    [{ ...manager, tiers: [{ fee: 0x80_0000, tickSpacing: 1 }] }],
    [{ ...manager, tiers: [{ fee: 100, tickSpacing: 0 }] }],
    [{ ...manager, tiers: [{ fee: 100, tickSpacing: 32_768 }] }],
    [{ ...manager, tiers: [{ fee: 100, tickSpacing: 1, hooks: addressOf('6') }] }],
    [manager, { ...manager, factory: addressOf('4') }],
  ]
  const messages = wrong.map((factories) => {
    try {
      parse(...factories)
      return 'accepted'
    } catch (error) {
      return (error as Error).message.split('\n').slice(1).join('').trim()
    }
  })
  expect(messages).toMatchInlineSnapshot(`
    [
      "chains.0.factories.0.pairs: must name pairs: the pools of a whole manager are not tracked",
      "chains.0.factories.0.pairs: must name the wrapped currency: it stands for the native one too",
      "chains.0.factories.0.tiers.0.fee: must be below 999,000 pips: a swap would be left nothing",
      "chains.0.factories.0.tiers.0.fee: Too big: expected number to be <=999999",
      "chains.0.factories.0.tiers.0.tickSpacing: Too small: expected number to be >=1",
      "chains.0.factories.0.tiers.0.tickSpacing: Too big: expected number to be <=32767",
      "chains.0.factories.0.tiers.0: Unrecognized key: "hooks"",
      "chains.0.factories: must have one manager of Uniswap v4 at most",
    ]
  `)
})
