import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import type { Service } from '#src/service/service.ts'
import { ether } from '#test/support/canned/cannedCurrencies.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

type Known = Pick<Service, 'currency' | 'usdPrice' | 'trendingCurrencies' | 'isHealthy' | 'bridge'>

let gateway: ServedGateway
let rest: RestClient
let known: Known
beforeAll(async () => {
  known = cannedOperations
  gateway = await serveGateway({
    currency: (...args) => known.currency(...args),
    usdPrice: (...args) => known.usdPrice(...args),
    trendingCurrencies: (order) => known.trendingCurrencies(order),
    isHealthy: (id) => known.isHealthy(id),
    bridge: (...args) => known.bridge(...args),
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

describe('POST /currencies/v2 of the official UI kit', () => {
  type Named = { chainId: number; symbol: string }
  const search = async (body: object) => {
    const found = (await rest.post('/currencies/v2', body)) as Named[]
    return found.map(({ chainId, symbol }) => `${chainId}:${symbol}`)
  }
  const everything = ['990001:ETH', '990001:USDC', '990002:ETH', '990002:USDC']

  it('takes an empty term and an empty list of chains for no filter', async () => {
    expect(await search({ chainIds: [], term: '', referrer: 'kit' })).toEqual(everything)
    expect(await search({ chainIds: [990002], term: '  ' })).toEqual(everything.slice(2))
  })

  it('lists by default the currencies of every chain first, then those that the solver bridges', async () => {
    const body = { chainIds: [990001, 990002], term: '', defaultList: true, limit: 12 }
    expect(await search(body)).toEqual(['990001:ETH', '990002:ETH', '990001:USDC', '990002:USDC'])
  })

  it('returns the named tokens once, in their order, and reads unlisted ones from their contracts', async () => {
    const stranger = { ...ether, address: toAddress(`0x${'99'.repeat(20)}`), symbol: 'NEW' }
    known = {
      ...known,
      currency: async (_, at) => (at === stranger.address ? stranger : undefined),
    }
    const tokens = [
      `990002:0x${'B1'.repeat(20)}`,
      `990001:${stranger.address}`,
      `990001:${ether.address}`,
      `990002:0x${'b1'.repeat(20)}`,
      `990001:0x${'77'.repeat(20)}`,
      `5:${ether.address}`,
    ]
    const kit = { tokens, limit: 100, depositAddressOnly: false, referrer: 'kit' }
    expect(await search(kit)).toEqual(['990002:USDC', '990001:NEW', '990001:ETH'])
    expect(await search({ tokens, useExternalSearch: false })).toEqual([
      '990002:USDC',
      '990001:ETH',
    ])
    expect(await search({ tokens, term: 'us' })).toEqual(['990002:USDC'])
  })

  it('finds by id, and the same asset on all chains', async () => {
    expect(await search({ currencyId: 'usdc' })).toEqual(['990001:USDC', '990002:USDC'])
    const named = { chainIds: [990001], address: ether.address }
    expect(await search(named)).toEqual(['990001:ETH'])
    expect(await search({ ...named, includeAllChains: true })).toEqual(['990001:ETH', '990002:ETH'])
  })

  it('reads a contract only with an external search, and knows no deposit addresses', async () => {
    const stranger = { ...ether, address: toAddress(`0x${'99'.repeat(20)}`), symbol: 'NEW' }
    known = { ...known, currency: async () => stranger }
    const named = { chainIds: [990001], address: stranger.address }
    expect(await search({ ...named, useExternalSearch: true })).toEqual(['990001:NEW'])
    expect(await search({ chainIds: [990001], term: stranger.address })).toEqual(['990001:NEW'])
    expect(await search({ ...named, useExternalSearch: false })).toEqual([])
    expect(await search({ depositAddressOnly: true })).toEqual([])
  })

  it('names a bad token by its index', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ tokens: [`990001:${ether.address}`, '990001'] })
    const answer = await fetch(`${gateway.url}/currencies/v2`, { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({
      statusCode: 400,
      errorCode: 'INVALID_REQUEST',
      message: 'tokens.1: Must be a chain id, a colon and an address',
    })
  })
})

describe('GET /currencies/trending', () => {
  it('returns the most bought currencies of all chains or of one', async () => {
    const orders: string[] = []
    const { trendingCurrencies } = known
    known = {
      ...known,
      trendingCurrencies: async (order) => {
        orders.push(order)
        return trendingCurrencies(order)
      },
    }
    const symbols = async (query: string) =>
      ((await rest.get('/currencies/trending', query)) as { symbol: string }[]).map(
        ({ symbol }) => symbol,
      )
    expect(await symbols('?referrer=kit')).toEqual(['USDC', 'ETH'])
    expect(await symbols('?sortBy=relay24hBuyUsdVolume&limit=1')).toEqual(['USDC'])
    expect(await symbols('?chainId=990001')).toEqual(['ETH'])
    expect(orders).toEqual(['count', 'usd', 'count'])
  })
})

describe('GET /chains/liquidity and /chains/health', () => {
  it('return the solver’s balances on a chain', async () => {
    expect(await rest.get('/chains/liquidity', '?chainId=990001')).toEqual({
      liquidity: [
        {
          chainId: 990001,
          currencyId: 'eth',
          symbol: 'ETH',
          decimals: 18,
          address: ether.address,
          balance: `1${'0'.repeat(20)}`,
          amountUsd: '100.000000',
        },
      ],
    })
    known = { ...known, usdPrice: () => undefined }
    const unpriced = await rest.get('/chains/liquidity', '?chainId=990001')
    expect(unpriced).not.toHaveProperty('liquidity.0.amountUsd')
  })

  it('return whether a chain, or every chain, is current', async () => {
    known = { ...known, isHealthy: (id) => id === 990001 }
    expect(await rest.get('/chains/health', '?chainId=990001')).toEqual({ healthy: true })
    expect(await rest.get('/chains/health', '?chainId=990002')).toEqual({ healthy: false })
    expect(await rest.get('/chains/health')).toEqual({ healthy: false })
  })

  it.each(['/chains/liquidity', '/currencies/trending'])(
    '%s rejects an unknown chain by name',
    async (path) => {
      const answer = await fetch(`${gateway.url}${path}?chainId=5`)
      expect(await answer.json()).toMatchObject({ errorCode: 'UNSUPPORTED_CHAIN', statusCode: 400 })
    },
  )
})

describe('GET /config/v2', () => {
  it('returns the currencies and amounts that the solver and the user can bridge', async () => {
    const asked: unknown[] = []
    const { bridge } = known
    known = {
      ...known,
      bridge: (question, ...others) => {
        asked.push(question)
        return bridge(question, ...others)
      },
    }
    const chains = { originChainId: 990001, destinationChainId: 990002 }
    const user = `0x${'11'.repeat(20)}`
    const query = `?originChainId=990001&destinationChainId=990002&user=${user}&currency=eth`
    expect(await rest.get('/config/v2', query)).toEqual({
      enabled: true,
      user: { balance: `1${'0'.repeat(18)}`, maxBridgeAmount: `9${'0'.repeat(17)}` },
      fee: '21',
      solver: {
        address: `0x${'55'.repeat(20)}`,
        balance: `1${'0'.repeat(20)}`,
        capacityPerRequest: `1${'0'.repeat(19)}`,
      },
      supportsExternalLiquidity: false,
    })
    const body = await rest.get('/config/v2', '?originChainId=990001&destinationChainId=990002')
    expect(body).not.toHaveProperty('user')
    expect(asked).toEqual([{ ...chains, user, currencyId: 'eth' }, chains])
  })
})
