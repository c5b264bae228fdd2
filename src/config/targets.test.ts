import { expect, it } from 'vitest'
import { parseConfig } from './config.ts'

const [one, other, native] = ['1', '2', '0'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
]

const chain = {
  id: 1,
  name: 'ethereum',
  displayName: 'Ethereum',
  rpcUrls: ['http://127.0.0.1:8545'],
  nativeCurrency: { symbol: 'ETH', name: 'Ether' },
  wrappedNative: one,
  factories: [{ kind: 'concentrated', source: 'uniswap-v3', factory: one }],
  allowPoolPrices: true,
}

const parse = (targets: unknown) =>
  parseConfig(
    {
      chains: [chain],
      solver: { address: one, targets },
      assets: [{ symbol: 'USD', class: 'stable', currencies: [{ chainId: 1, address: other }] }],
    },
    'test',
  ).solver.targets

it('takes targets of the native currency and of assets, in whole units', () => {
  const targets = [
    { chainId: 1, currency: native, amount: '0.5' },
    { chainId: 1, currency: other, amount: '25000', minimum: '5000.25' },
  ]
  expect(parse(targets)).toEqual(targets)
  expect(parse(undefined)).toEqual([])
})

it('names each wrong target', () => {
  const target = { chainId: 1, currency: other, amount: '10' }
  const problems = (targets: readonly object[]) => {
    try {
      return parse(targets)
    } catch (error) {
      return (error as Error).message.split('\n').slice(1)
    }
  }
  expect(
    problems([
      { ...target, amount: '1e3' },
      { ...target, amount: 10 },
      { ...target, amount: '-1' },
      { ...target, minimum: '1.' },
      { ...target, chain: 1 },
    ]),
  ).toMatchInlineSnapshot(`
    [
      "  solver.targets.0.amount: must be an amount in whole units, such as "2500" or "0.5"",
      "  solver.targets.1.amount: Invalid input: expected string, received number",
      "  solver.targets.2.amount: must be an amount in whole units, such as "2500" or "0.5"",
      "  solver.targets.3.minimum: must be an amount in whole units, such as "2500" or "0.5"",
      "  solver.targets.4: Unrecognized key: "chain"",
    ]
  `)
  expect(
    problems([
      { ...target, chainId: 2 },
      { ...target, currency: one },
      { ...target, minimum: '10.000000000000000001' },
      target,
    ]),
  ).toMatchInlineSnapshot(`
    [
      "  solver.targets.0.chainId: no chain has the id 2",
      "  solver.targets.1.currency: the solver does not pay it out there: name the native currency, which is the zero address, or a currency of assets",
      "  solver.targets.2.minimum: must not exceed the amount",
      "  solver.targets.3.currency: another target has the same chain and currency",
    ]
  `)
})
