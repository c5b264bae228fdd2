import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { parseTokenList, readTokenLists } from './tokenList.ts'

const one = {
  chainId: 1,
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  logoURI: 'https://example.org/usdc.png',
  extensions: { bridge: 'none' },
}
const listOf = (...tokens: readonly unknown[]) => ({
  name: 'Test',
  timestamp: '2026-01-01T00:00:00.000Z',
  version: { major: 1, minor: 0, patch: 0 },
  tokens,
})
const chains = new Set([toChainId(1)])

test('returns the currencies of the requested chains, and reads nothing else of others', () => {
  const list = listOf(one, { ...one, chainId: 10 }, { chainId: 501000101, address: 'So11' })
  expect(parseTokenList(list, 'list.json', chains)).toMatchInlineSnapshot(`
    {
      "currencies": [
        {
          "address": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
          "chainId": 1,
          "decimals": 6,
          "metadata": {
            "isNative": false,
            "logoURI": "https://example.org/usdc.png",
            "verified": true,
          },
          "name": "USD Coin",
          "symbol": "USDC",
        },
      ],
      "problems": [],
    }
  `)
})

test('leaves out wrong entries, and lists every wrong key', () => {
  const list = listOf(
    { ...one, decimals: 400, name: '' },
    { ...one, address: '0xa0B86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
    { ...one, chainId: '1' },
    'USDC',
    one,
  )
  const { currencies, problems } = parseTokenList(list, 'list.json', chains)
  expect(currencies.map(({ symbol }) => symbol)).toEqual(['USDC'])
  expect(problems).toMatchInlineSnapshot(`
    [
      "tokens.0.name: Too small: expected string to have >=1 characters",
      "tokens.0.decimals: Too big: expected number to be <=36",
      "tokens.1.address: The checksum (EIP-55) of this mixed-case address does not match",
      "tokens.2.chainId: Invalid input: expected number, received string",
      "tokens.3: Invalid input: expected object, received string",
    ]
  `)
})

test('refuses a file that is no token list', () => {
  expect(() =>
    parseTokenList({ tokens: {} }, 'list.json', chains),
  ).toThrowErrorMatchingInlineSnapshot(`
    [TokenListError: list.json is not a token list:
      name: Invalid input: expected string, received undefined
      tokens: Invalid input: expected array, received object]
  `)
})

/** The list that Uniswap's interface uses: 25 chains, one of which has addresses of another kind. */
const uniswapList = 'node_modules/@uniswap/default-token-list/build/uniswap-default.tokenlist.json'

test('the default list of Uniswap loads', () => {
  const { log, lines } = recordLog()
  const ids = [1, 10, 56, 137, 8453, 42161].map(toChainId)
  const currencies = readTokenLists(log, [uniswapList], new Set(ids))
  expect(lines).toEqual([])
  for (const id of ids)
    expect(currencies.filter(({ chainId }) => chainId === id).length).toBeGreaterThan(20)
})

test('the first list that has a currency counts, and problems are logged once per list', () => {
  const folder = mkdtempSync(join(tmpdir(), 'token-lists-'))
  const write = (name: string, ...tokens: readonly unknown[]) => {
    writeFileSync(join(folder, name), JSON.stringify(listOf(...tokens)))
    return join(folder, name)
  }
  const paths = [
    write('own.json', { ...one, name: 'Our name' }),
    write(
      'other.json',
      one,
      { ...one, address: `0x${'1'.repeat(40)}`, symbol: 'ONE' },
      { ...one, symbol: '' },
    ),
  ]
  const { log, lines } = recordLog()
  const names = readTokenLists(log, paths, chains).map(({ symbol, name }) => `${symbol}: ${name}`)
  expect(names).toEqual(['USDC: Our name', 'ONE: USD Coin'])
  expect(lines).toMatchObject([
    { tokenList: paths[1], count: 1, msg: 'Skipping invalid entries of a token list' },
  ])
  rmSync(folder, { recursive: true })
})
