import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'

const [ethereum, rollup, solana] = [990001, 990002, 990004] as const

let stack: Stack
let rest: RestClient
beforeAll(async () => {
  stack = await startStack({}, ['gateway'], undefined, { hasSvm: true })
  rest = await createRestClient(stack.url)
})
afterAll(() => stack.stop())

/** A place of an order: a symbol and a chain. */
type Place = readonly [symbol: string, chainId: number]

const accountOn = (chainId: number): string => {
  const { accounts, svmChain } = stack.devnet.description
  const account = chainId === solana ? svmChain?.keys.users[0]?.address : accounts[0]?.address
  return account ?? ''
}

const order = (from: Place, to: Place, amount: bigint) => ({
  user: accountOn(from[1]),
  recipient: accountOn(to[1]),
  originChainId: from[1],
  originCurrency: stack.currencyOn(from[1], from[0]),
  destinationChainId: to[1],
  destinationCurrency: stack.currencyOn(to[1], to[0]),
  amount: `${amount}`,
  tradeType: 'EXACT_INPUT',
})

const dollarsOf = async (from: Place, to: Place, amount: bigint) => {
  const answer = (await rest.post('/price', order(from, to, amount))) as {
    details: Record<'currencyIn' | 'currencyOut', { amountUsd: string }>
  }
  const { currencyIn, currencyOut } = answer.details
  return [Number(currencyIn.amountUsd), Number(currencyOut.amountUsd)] as const
}

describe('the devnet with its Solana chain', () => {
  it('says what the solver bridges to it, and from where', async () => {
    const query = '?originChainId=990001&destinationChainId=990004&currency=sol'
    const { keys } = stack.devnet.description.svmChain ?? {}
    expect(await rest.get('/config/v2', query)).toMatchObject({
      enabled: true,
      solver: { address: keys?.solver.address },
    })
  })

  it('lists the chain with its depository and currencies', async () => {
    const { chains } = (await rest.get('/chains')) as { chains: { id: number }[] }
    expect(chains.map(({ id }) => id)).toEqual([990001, 990002, 990003, 990004])
    expect(chains[3]).toMatchObject({
      vmType: 'svm',
      displayName: 'Devnet Solana',
      currency: { symbol: 'SOL', decimals: 9 },
      httpRpcUrl: stack.devnet.svmChain?.description.rpcUrl,
    })
    const listed = (await rest.post('/currencies/v2', { chainIds: [solana] })) as {
      symbol: string
      name: string
      metadata: { verified: boolean }
    }[]
    expect(
      listed.map(({ symbol, name, metadata }) => [symbol, name, metadata.verified]).sort(),
    ).toEqual([
      ['SOL', 'Solana', true],
      ['USDC', 'USD Coin', true],
      ['USDT', 'Tether USD', true],
    ])
  })

  it('answers questions about its currencies and accounts', async () => {
    const [sol, usdc] = ['SOL', 'USDC'].map((symbol) => stack.currencyOn(solana, symbol))
    const price = (address = '') =>
      rest.get('/currencies/token/price', `?address=${address}&chainId=${solana}`)
    expect([await price(sol), await price(usdc)]).toEqual([{ price: 150 }, { price: 1 }])
    const found = { symbol: 'USDC', chainId: solana }
    for (const search of [
      { chainIds: [solana], address: usdc },
      { chainIds: [solana], term: usdc },
      { tokens: [`${solana}:${usdc}`] },
    ])
      expect(await rest.post('/currencies/v2', search)).toMatchObject([found])
    const away = { chainIds: [solana], address: stack.currencyOn(ethereum, 'USDC') }
    expect(await rest.post('/currencies/v2', away)).toEqual([])

    const question = `query($usdc: Address!, $user: Address!, $away: Address!) {
      currency(chainId: ${solana}, address: $usdc) {
        symbol
        own: balance(user: $user)
        other: balance(user: $away)
      }
      unknown: currency(chainId: ${solana}, address: $away) { symbol }
    }`
    const variables = { usdc, user: accountOn(solana), away: accountOn(ethereum) }
    expect(await stack.query(question, variables)).toEqual({
      data: { currency: { symbol: 'USDC', own: '1000000000000', other: null }, unknown: null },
    })
  })

  it.each<[Place, Place, bigint]>([
    [['ETH', ethereum], ['SOL', solana], 10n ** 18n],
    [['USDC', ethereum], ['USDC', solana], 10n ** 9n],
    [['SOL', ethereum], ['SOL', solana], 10n ** 10n],
    [['SOL', solana], ['USDC', rollup], 10n ** 10n],
    [['USDC', solana], ['ETH', ethereum], 10n ** 9n],
    [['USDT', solana], ['BNB', 990003], 10n ** 9n],
  ])('prices %s into %s', async (from, to, amount) => {
    const [paid, received] = await dollarsOf(from, to, amount)
    expect(received).toBeLessThanOrEqual(paid)
    expect(received).toBeGreaterThan(0.99 * paid)
  })

  it('swaps nothing on the chain alone', async () => {
    const response = await fetch(`${stack.url}/price`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order(['SOL', solana], ['USDC', solana], 10n ** 9n)),
    })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errorCode: 'NO_SWAP_ROUTES_FOUND' },
    ])
  })
})
