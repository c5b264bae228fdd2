import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { formatAmount } from '#src/core/units/amount.ts'
import { toUsdPrice } from '#src/core/units/usd.ts'
import type { Service } from '#src/service/service.ts'
import { ether } from '#test/support/canned/cannedCurrencies.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

type Known = Pick<
  Service,
  'chains' | 'currencies' | 'currency' | 'usdPrice' | 'trendingCurrencies' | 'isHealthy' | 'bridge'
>

let gateway: ServedGateway
let rest: RestClient
let known: Known
beforeAll(async () => {
  known = cannedOperations
  gateway = await serveGateway({
    chains: () => known.chains(),
    currencies: (filter) => known.currencies(filter),
    currency: (...args) => known.currency(...args),
    usdPrice: (...args) => known.usdPrice(...args),
  })
  rest = await createRestClient(gateway.url)
})
beforeEach(() => {
  known = cannedOperations
})
afterAll(async () => {
  expect(gateway.logged).toEqual([])
  await gateway.close()
})

describe('GET /chains', () => {
  it('returns all public data of a chain', async () => {
    const body = (await rest.get('/chains', '?referrer=a-client&includeChains=990001,7')) as {
      chains: unknown[]
    }
    expect(body.chains).toHaveLength(2)
    expect(body.chains[0]).toMatchInlineSnapshot(`
      {
        "contracts": {
          "approvalProxy": "0xe3e3e3e3e3e3e3e3e3e3e3e3e3e3e3e3e3e3e3e3",
          "depository": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
          "erc20Router": "0xe2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2",
          "multicall3": "0xe4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4",
          "router": "0xe2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2",
        },
        "currency": {
          "address": "0x0000000000000000000000000000000000000000",
          "decimals": 18,
          "id": "eth",
          "name": "ETH of 990001",
          "supportsBridging": true,
          "symbol": "ETH",
        },
        "depositEnabled": true,
        "disabled": false,
        "displayName": "Chain 1",
        "erc20Currencies": [
          {
            "address": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
            "decimals": 6,
            "id": "usdc",
            "name": "USDC of 990001",
            "supportsBridging": false,
            "supportsPermit": false,
            "symbol": "USDC",
          },
        ],
        "featuredTokens": [
          {
            "address": "0x0000000000000000000000000000000000000000",
            "decimals": 18,
            "id": "eth",
            "metadata": {
              "logoURI": "https://example.org/ETH.svg",
            },
            "name": "ETH of 990001",
            "supportsBridging": true,
            "symbol": "ETH",
          },
        ],
        "httpRpcUrl": "",
        "id": 990001,
        "name": "chain-1",
        "protocol": {
          "v2": {
            "chainId": "chain-1",
            "depository": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
          },
        },
        "solverCurrencies": [
          {
            "address": "0x0000000000000000000000000000000000000000",
            "decimals": 18,
            "id": "eth",
            "name": "ETH of 990001",
            "symbol": "ETH",
          },
        ],
        "tokenSupport": "All",
        "vmType": "evm",
        "wsRpcUrl": "",
      }
    `)
  })

  it('distinguishes a chain without contracts from a disabled one', async () => {
    const [home, away] = cannedOperations.chains()
    if (home === undefined || away === undefined) throw new Error('There are two')
    const links = { explorerUrl: 'https://explorer.example', iconUrl: 'https://icon.example' }
    const [publicRpcUrl, publicWsUrl] = ['https://rpc.example', 'wss://rpc.example']
    known = {
      ...known,
      chains: () => [
        { ...home, contracts: undefined },
        { ...away, disabled: true, publicRpcUrl, publicWsUrl, ...links },
      ],
    }
    const body = await rest.get('/chains')
    expect(body).toMatchObject({
      chains: [
        { depositEnabled: false, disabled: false, contracts: { multicall3: home.multicall3 } },
        {
          depositEnabled: false,
          disabled: true,
          httpRpcUrl: publicRpcUrl,
          wsRpcUrl: publicWsUrl,
          ...links,
        },
      ],
    })
    expect(body).not.toHaveProperty('chains.0.protocol')
    expect(body).not.toHaveProperty('chains.0.contracts.router')
  })
})

describe('POST /currencies/v2', () => {
  it('finds currencies by chain and search term', async () => {
    const found = await rest.post('/currencies/v2', { chainIds: [990002], term: 'USDC' })
    expect(found).toMatchInlineSnapshot(`
      [
        {
          "address": "0xb1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
          "chainId": 990002,
          "decimals": 6,
          "metadata": {
            "isNative": false,
            "logoURI": "https://example.org/USDC.svg",
            "verified": true,
          },
          "name": "USDC of 990002",
          "symbol": "USDC",
          "vmType": "evm",
        },
      ]
    `)
  })

  it('returns as many currencies as requested, or 20 by default', async () => {
    known = { ...known, currencies: () => Array.from({ length: 30 }, () => ether) }
    const lengths: unknown[] = []
    for (const body of [{}, { limit: null }, { limit: 3 }, { limit: 100 }])
      lengths.push(((await rest.post('/currencies/v2', body)) as unknown[]).length)
    expect(lengths).toEqual([20, 20, 3, 30])
  })

  it('passes on every filter', async () => {
    const filters: unknown[] = []
    known = {
      ...known,
      currencies: (filter) => {
        filters.push(filter)
        return []
      },
    }
    const whole = { chainIds: [990001], term: 'x', verified: true }
    await rest.post('/currencies/v2', {})
    await rest.post('/currencies/v2', { term: null, chainIds: null, address: null, verified: null })
    await rest.post('/currencies/v2', { ...whole, address: `0x${'A1'.repeat(20)}` })
    expect(filters).toEqual([{}, {}, { ...whole, address: `0x${'a1'.repeat(20)}` }])
  })

  it('reads an unlisted currency from its contract, on the requested chains', async () => {
    const stranger = { ...ether, address: toAddress(`0x${'99'.repeat(20)}`), symbol: 'NEW' }
    const asked: number[] = []
    known = {
      ...known,
      currency: async (chainId) => {
        asked.push(chainId)
        return chainId === 990001 ? stranger : undefined
      },
    }
    const symbolsOf = async (wanted: object) => {
      const body = { address: stranger.address, ...wanted }
      const found = (await rest.post('/currencies/v2', body)) as { symbol: string }[]
      return found.map(({ symbol }) => symbol)
    }
    expect(await symbolsOf({ chainIds: [990001, 990001, 990002, 5] })).toEqual(['NEW'])
    expect(asked.sort()).toEqual([990001, 990002])
    expect(await symbolsOf({})).toEqual([])
    expect(await symbolsOf({ chainIds: [990001], verified: true })).toEqual([])
    expect(await symbolsOf({ chainIds: [990001], term: 'NEW' })).toEqual([])
    expect(asked).toHaveLength(2)
  })
})

describe('GET /currencies/token/price', () => {
  it.each([
    [10n ** 18n, 1],
    [3_000_123_456_789_012_345_678n, 3_000.1234567890124],
    [1n, 1e-18],
    [10n ** 40n, 1e22],
  ])('returns %s of 10^-18 dollars as a number', async (price, number) => {
    const asked: unknown[] = []
    known = {
      ...known,
      usdPrice: (...args) => {
        asked.push(args)
        return toUsdPrice(price)
      },
    }
    const query = `?address=${ether.address}&chainId=990001`
    expect(await rest.get('/currencies/token/price', query)).toEqual({ price: number })
    const exact = await rest.get('/currencies/token/price/v2', query)
    expect(exact).toEqual({ price: formatAmount(price, 18) })
    expect(asked).toEqual(Array(2).fill([990001, ether.address]))
  })
})

describe('GET /swap-sources', () => {
  it('lists the sources of one chain or of all chains, without duplicates', async () => {
    const sources = ['uniswap-v2', 'uniswap-v3']
    expect(await rest.get('/swap-sources', '?chainId=990001')).toEqual({ sources })
    expect(await rest.get('/swap-sources')).toEqual({ sources })
  })
})
