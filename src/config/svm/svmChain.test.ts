import { expect, it } from 'vitest'
import { parseConfig } from '#src/config/config.ts'

const hex = (digit: string) => `0x${digit.repeat(40)}`
const account = 'So11111111111111111111111111111111111111112'
const solver = { address: hex('1'), svm: { address: account } }
const base = { preset: 'base', rpcUrls: ['https://rpc.example'] }
const solana = { preset: 'solana', rpcUrls: ['https://svm.example'] }
const ethereum = { preset: 'ethereum', rpcUrls: ['https://eth.example'] }

const parse = (input: object) => parseConfig({ solver, ...input }, 'test')

it('keeps chains of the second virtual machine apart, in the order of the file', () => {
  const other = { ...solana, id: 9, name: 'other', program: account }
  const { chains, svmChains, assets } = parse({ chains: [solana, base, other, ethereum] })
  expect(chains.map(({ id }) => id)).toEqual([8453, 1])
  expect(svmChains.map(({ id }) => id)).toEqual([792703809, 9])
  expect(svmChains[0]).toMatchObject({
    name: 'solana',
    nativeCurrency: { symbol: 'SOL', decimals: 9 },
    rpcUrls: ['https://svm.example'],
    blockSeconds: 0.4,
  })
  expect(svmChains[1]?.program).toBe(account)
  const usdc = assets.find(({ symbol }) => symbol === 'USDC')
  expect(usdc?.currencies.map(({ chainId }) => chainId)).toEqual([792703809, 8453, 9, 1])
})

it('names the place of a wrong key in the file, and accounts of the other virtual machine', () => {
  const chains = [solana, { ...base, id: '8453' }, { ...solana, id: 9, genesisHash: 'short' }]
  expect(() => parse({ chains })).toThrow(
    /chains\.1\.id: Invalid input.*\n\s*chains\.2\.genesisHash: A Solana block hash/s,
  )
  const currencies = [
    { chainId: 792703809, address: hex('2') },
    { chainId: 1, address: account },
  ]
  expect(() =>
    parse({ chains: [ethereum, solana], assets: [{ symbol: 'X', class: 'other', currencies }] }),
  ).toThrow(
    /assets\.0\.currencies\.0\.address: an account on chain 792703809 is 32 bytes in base58.*assets\.0\.currencies\.1\.address: an account on chain 1 is 0x/s,
  )
})

it('asks for feeds on configured EVM chains, and for the account of the solver', () => {
  const chains = [base, { ...solana, program: account, priceFeeds: [] }]
  expect(() => parse({ chains, solver: { address: hex('1') } })).toThrow(
    /chains\.1\.priceFeeds: the native currency has no feed.*solver\.svm: is missing/s,
  )
  expect(() => parse({ chains: [base, solana] })).toThrow(
    /chains\.1\.priceFeeds\.0\.chainId: chain 1 is not a configured EVM chain/,
  )
})

it('refuses what no such chain has', () => {
  const chains = [ethereum, { ...solana, factories: [], wrappedNative: hex('1') }]
  expect(() => parse({ chains })).toThrow(
    /chains\.1: Unrecognized keys: "factories", "wrappedNative"/,
  )
})
