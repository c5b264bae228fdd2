import { expect, test } from 'vitest'
import { toChainId } from '#src/units/chainId.ts'
import { parseTokenList } from './tokenList.ts'

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

test('returns the currencies of the requested chains', () => {
  const list = listOf(one, { ...one, chainId: 10 })
  expect(parseTokenList(list, 'list.json', chains)).toMatchInlineSnapshot(`
    [
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
    ]
  `)
})

test('lists every wrong key', () => {
  const list = listOf(
    { ...one, decimals: 400 },
    { ...one, address: '0xa0B86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
    { ...one, symbol: '' },
  )
  expect(() => parseTokenList(list, 'list.json', chains)).toThrowErrorMatchingInlineSnapshot(`
    [TokenListError: list.json is not a valid token list:
      tokens.0.decimals: Too big: expected number to be <=36
      tokens.1.address: The checksum (EIP-55) of this mixed-case address does not match
      tokens.2.symbol: Too small: expected string to have >=1 characters]
  `)
})
