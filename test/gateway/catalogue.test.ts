import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { RequestFilter } from '#src/requests/requestList.ts'
import type { ChainSummary } from '#src/service/chains.ts'
import { usdc } from '#test/support/canned/cannedCurrencies.ts'
import { cannedOperations, crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { serveGateway } from '#test/support/gateways/serveGateway.ts'

const asked: RequestFilter[] = []
const hints: object[] = []
const explorerUrl = 'https://scan.example/'
const gateway = await serveGateway({
  refusal: (_, address) => (address === usdc.address ? 'It takes a fee on transfers' : undefined),
  knownUsdPrice: (chainId, address) =>
    address === usdc.address ? undefined : cannedOperations.knownUsdPrice(chainId, address),
  balance: async ({ address }) =>
    address === usdc.address
      ? undefined
      : await cannedOperations.loaders().balance({} as never, '' as never, '0x'),
  requests: async (filter) => {
    asked.push(filter)
    return cannedOperations.requests(filter)
  },
  indexTransaction: async (hint) => void hints.push(hint),
  chain: (id) => ({ ...(cannedOperations.chain(id) as ChainSummary), explorerUrl }),
  prices: async () => [new AppError('INSUFFICIENT_LIQUIDITY', 'Too much', { maxAmount: '7' })],
})
afterAll(async () => {
  expect(gateway.logged).toEqual([])
  await gateway.close()
})
beforeEach(() => {
  asked.length = 0
  hints.length = 0
})

type Pages = Readonly<{
  currencies: { edges: { node: { address: string; explorerUrl: string | null } }[] }
  requests: {
    edges: {
      node: { steps: { items: { transaction: { hash: string; explorerUrl: string } | null }[] }[] }
    }[]
  }
}>

/** The same answer from Yoga and from the compiled executor. */
async function answerTo(query: string, variables: object = {}) {
  const [first, ...others] = [
    await gateway.query(query, variables),
    await gateway.query(query, variables),
    await gateway.query(query, variables),
    await gateway.query(query, variables),
  ]
  for (const other of others) expect(other).toEqual(first)
  return first
}

const user = `0x${'11'.repeat(20)}`
const hash = `0x${'ab'.repeat(32)}`

describe('GraphQL offers what REST does', () => {
  it('for currencies: prices, refusals and balances', async () => {
    expect(
      await answerTo(`{ currencies(chainIds: [990001]) { edges { node {
        symbol priceUsd refusal balance(user: "${user}")
      } } } }`),
    ).toMatchInlineSnapshot(`
      {
        "data": {
          "currencies": {
            "edges": [
              {
                "node": {
                  "balance": "5",
                  "priceUsd": "1.0",
                  "refusal": null,
                  "symbol": "ETH",
                },
              },
              {
                "node": {
                  "balance": null,
                  "priceUsd": null,
                  "refusal": "It takes a fee on transfers",
                  "symbol": "USDC",
                },
              },
            ],
          },
        },
      }
    `)
  })

  it('for currencies by their addresses', async () => {
    const refused = await answerTo(
      `{ currencies(addresses: [${Array.from({ length: 101 }, () => `"${user}"`).join(' ')}]) { totalCount } }`,
    )
    expect(refused?.errors?.[0]?.extensions['code']).toBe('INVALID_REQUEST')
  })

  it('for chains: endpoints and contracts', async () => {
    expect(
      await answerTo(
        '{ chain(chainId: 990001) { rpcUrl wsUrl explorerUrl contracts { depository router approvalProxy multicall3 } } }',
      ),
    ).toMatchInlineSnapshot(`
      {
        "data": {
          "chain": {
            "contracts": {
              "approvalProxy": "0xe3e3e3e3e3e3e3e3e3e3e3e3e3e3e3e3e3e3e3e3",
              "depository": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
              "multicall3": "0xe4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4",
              "router": "0xe2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2",
            },
            "explorerUrl": "https://scan.example/",
            "rpcUrl": null,
            "wsUrl": null,
          },
        },
      }
    `)
  })

  it('for requests: filters and their number', async () => {
    const answer = await answerTo(
      `query R($from: SafeInt) { requests(chainId: 990001, txHash: "${hash.toUpperCase().replace('X', 'x')}", createdFromMs: $from, createdUntilMs: 20) {
        totalCount edges { node { requestId deposits { txHash } } }
      } }`,
      { from: 10 },
    )
    expect(answer?.data).toMatchObject({ requests: { totalCount: 2 } })
    expect(asked[0]).toEqual({
      chainId: 990001,
      txHash: hash,
      createdFrom: 10,
      createdUntil: 20,
      first: 20,
    })
  })

  it('for requests: quotes that expired without a payment only if they are asked for', async () => {
    const list = (args: string) => gateway.query(`{ requests(${args}) { edges { cursor } } }`)
    for (const args of [`user: "${user}"`, 'first: 2', `user: "${user}", status: [pending]`])
      await list(args)
    const expired = { withoutExpiredAt: expect.any(Number) }
    expect(asked).toEqual(asked.map((each) => ({ ...each, ...expired })))
    asked.length = 0
    await list(`user: "${user}", includeUnpaid: true`)
    await list('status: [waiting]')
    await list(`depositAddress: "${user}"`)
    expect(asked.map(({ withoutExpiredAt }) => withoutExpiredAt)).toEqual(Array(3).fill(undefined))
    await list('status: [waiting], includeUnpaid: false')
    expect(asked[3]).toMatchObject(expired)
  })

  it('for currencies: their order', async () => {
    const listed = async (args: string) => {
      const answer = await gateway.query(
        `{ currencies(first: 10, orderBy: ${args}) { edges { node { chainId symbol } } } }`,
      )
      const { data } = answer as { data: { currencies: { edges: { node: object }[] } } }
      return data.currencies.edges.map(({ node }) => Object.values(node).join(' '))
    }
    const [bought, next] = ['990002 USDC', '990001 ETH']
    expect((await listed('VOLUME')).slice(0, 2)).toEqual([bought, next])
    expect((await listed('SOLVER')).slice(0, 3)).toEqual([next, '990002 ETH', bought])
    // No node tells of the USDC on the first chain.
    const user = '0x1111111111111111111111111111111111111111'
    expect(await listed(`HELD, user: "${user}"`)).toEqual([
      bought,
      next,
      '990002 ETH',
      '990001 USDC',
    ])
    const wrong = async (args: string) => {
      const { errors } = await gateway.query(`{ currencies(${args}) { totalCount } }`)
      return errors?.[0]?.extensions['issues']
    }
    expect(await wrong('orderBy: HELD')).toEqual([
      expect.objectContaining({
        path: ['user'],
        message: 'Required for HELD: the account that holds them',
      }),
    ])
    expect(await wrong(`orderBy: NAME, user: "${user}"`)).toEqual([
      expect.objectContaining({ path: ['user'], message: 'Only for HELD' }),
    ])
    expect(await listed('NAME')).toEqual([next, '990002 ETH', '990001 USDC', bought])
  })

  it('for block explorers: pages of transactions and currencies', async () => {
    const { data } = (await answerTo(`{
      currencies(chainIds: [990001]) { edges { node { address explorerUrl } } }
      requests { edges { node { steps { items { transaction { hash explorerUrl } } } } } }
    }`)) as { data: Pages }
    const [native, token] = data.currencies.edges.map(({ node }) => node)
    expect(native?.explorerUrl).toBeNull()
    expect(token?.explorerUrl).toBe(`https://scan.example/address/${token?.address}`)
    const shown = data.requests.edges[0]?.node.steps[0]?.items[0]?.transaction
    expect(shown?.explorerUrl).toBe(`https://scan.example/tx/${shown?.hash}`)
  })

  it('for failures: the values in the message', async () => {
    const answer = await answerTo(
      'query ($inputs: [PriceInput!]!) { prices(inputs: $inputs) { ... on Failure { code data } } }',
      { inputs: [crossChainInput] },
    )
    expect(answer?.data).toEqual({
      prices: [{ code: 'INSUFFICIENT_LIQUIDITY', data: { maxAmount: '7' } }],
    })
  })

  it('for transactions: hints to the tracker', async () => {
    const answer = await answerTo(
      `mutation { indexTransaction(chainId: 990001, txHash: "${hash}") }`,
    )
    expect(answer).toEqual({ data: { indexTransaction: true } })
    expect(hints[0]).toEqual({ chainId: 990001, txHash: hash })
    expect(hints).toHaveLength(4)
    const get = await fetch(
      `${gateway.url}/graphql?query=${encodeURIComponent(`mutation { indexTransaction(chainId: 990001, txHash: "${hash}") }`)}`,
    )
    expect([get.status, hints.length]).toEqual([405, 4])
  })
})
