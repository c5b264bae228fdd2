import { createPublicClient, http, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transactionCost } from '#src/core/pricing/gas/gas.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { graphql } from '#test/generated/gql.ts'
import type { PriceInput } from '#test/generated/graphql.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { inTurns, isFast } from '#test/support/runs.ts'

const [ethereum, rollup, bnb] = [990001, 990002, 990003] as const

const outputOf = graphql(`
  query OutputOf($input: PriceInput!) {
    price(input: $input) {
      details { currencyOut { amount minimumAmount } }
      blocks { chainId number hash }
    }
  }
`)

const balanceOf = graphql(`
  query BalanceOf($one: PriceInput!, $other: PriceInput!, $third: PriceInput!) {
    one: price(input: $one) { details { userBalance } }
    other: price(input: $other) { details { userBalance } }
    third: price(input: $third) { details { userBalance } }
  }
`)

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  await stack.stop()
})

const user = () => stack.devnet.description.accounts[0]?.address ?? ''

/** An order for one unit (18 decimals) of a currency. Both currencies are given by chain and symbol. */
const order = (from: [number, string], to: [number, string], change: Partial<PriceInput> = {}) => ({
  user: user(),
  originChainId: from[0],
  originCurrency: stack.currencyOn(...from),
  destinationChainId: to[0],
  destinationCurrency: stack.currencyOn(...to),
  amount: (10n ** 18n).toString(),
  tradeType: 'EXACT_INPUT' as const,
  ...change,
})

const codeOf = async (input: PriceInput) => {
  const { errors } = await stack.query(outputOf, { input })
  return errors?.[0]?.extensions['code']
}

describe('price on the devnet', () => {
  it('exists for every pair of currencies, on one chain and across chains', async () => {
    const symbols = ['ETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'ACORN', 'BIRCH', 'CEDAR', 'ELM']
    const ways = [
      [ethereum, ethereum],
      [rollup, bnb],
    ] as const
    const pairs = symbols.flatMap((from) => symbols.map((to) => [from, to] as const))
    const unpriced: string[] = []
    for (const [[origin, destination], [from, to]] of inTurns(ways, pairs, !isFast)) {
      if (from === to && origin === destination) continue
      const input = order([origin, from], [destination, to], {
        tradeType: 'EXACT_OUTPUT',
        amount: '100000',
      })
      const { data, errors } = await stack.query(outputOf, { input })
      if (data?.price?.details.currencyOut.amount !== '100000')
        unpriced.push(`${from} on ${origin} to ${to} on ${destination}: ${errors?.[0]?.message}`)
    }
    expect(unpriced).toEqual([])
  })

  it('rejects a fee-on-transfer currency as input and as output', async () => {
    const [fern, ether] = [
      [ethereum, 'FERN'],
      [ethereum, 'ETH'],
    ] as [[number, string], [number, string]]
    expect(await codeOf(order(fern, ether))).toBe('UNSUPPORTED_CURRENCY')
    expect(await codeOf(order(ether, fern))).toBe('UNSUPPORTED_CURRENCY')
  })

  it('reports an unknown input currency and an unknown output currency with different codes', async () => {
    const nowhere = '0x00000000000000000000000000000000000c0de1'
    const input = order([ethereum, 'ETH'], [rollup, 'USDC'])
    expect(await codeOf({ ...input, originCurrency: nowhere })).toBe('INVALID_INPUT_CURRENCY')
    expect(await codeOf({ ...input, destinationCurrency: nowhere })).toBe('INVALID_OUTPUT_CURRENCY')
  })
})

describe('the L1 data fee of the rollup', () => {
  it('equals the result of its GasPriceOracle, to the wei', async () => {
    const { gas } = stack.market.latest(toChainId(rollup)) ?? {}
    const client = createPublicClient({
      transport: http(stack.devnet.description.chains.find(({ id }) => id === rollup)?.rpcUrl),
    })
    for (const unsigned of [0n, 100n, 420n, 3_000n, 70_000n]) {
      const upperBound = await client.readContract({
        address: '0x420000000000000000000000000000000000000F',
        abi: parseAbi(['function getL1FeeUpperBound(uint256) view returns (uint256)']),
        functionName: 'getL1FeeUpperBound',
        args: [unsigned],
      })
      // The oracle adds 68 bytes for the signature, and rounds down; we round up.
      const cost = gas && transactionCost(gas, { gas: 0n, bytes: unsigned + 68n })
      expect([upperBound, upperBound + 1n]).toContain(cost)
    }
  })
})

describe('RPC calls of a price while the chains are not followed', () => {
  beforeAll(async () => {
    await stack.market.close()
  })

  /** The number of RPC requests, by method, that `ask` causes. */
  async function requestsOf(ask: () => Promise<unknown>) {
    const before = stack.requests()
    await ask()
    const added = Object.entries(stack.requests()).map(
      ([method, count]) => [method, count - (before[method] ?? 0)] as const,
    )
    return Object.fromEntries(added.filter(([, count]) => count > 0))
  }

  it('are zero', async () => {
    const inputs = [
      order([ethereum, 'ETH'], [rollup, 'USDC']),
      order([bnb, 'BNB'], [ethereum, 'ACORN']),
      order([rollup, 'WETH'], [rollup, 'ETH']),
      order([ethereum, 'USDC'], [bnb, 'ELM'], { tradeType: 'EXACT_OUTPUT', amount: '1000' }),
    ]
    const answers: unknown[] = []
    const requests = await requestsOf(async () => {
      for (const input of inputs) answers.push((await stack.query(outputOf, { input })).errors)
    })
    expect(answers).toEqual(inputs.map(() => undefined))
    expect(requests).toEqual({})
  })

  it('are one multicall per chain for all balances of a document, and zero the second time', async () => {
    const variables = {
      one: order([ethereum, 'ETH'], [rollup, 'USDC']),
      other: order([ethereum, 'USDT'], [rollup, 'USDC'], { amount: '100000000' }),
      third: order([bnb, 'BNB'], [ethereum, 'ETH']),
    }
    // Prices with a known route end in one turn of the event loop, and balances of one turn share a call.
    for (const input of Object.values(variables)) await stack.query(outputOf, { input })
    const first = await requestsOf(async () => {
      const { data } = await stack.query(balanceOf, variables)
      for (const price of [data?.one, data?.other, data?.third])
        expect(BigInt(price?.details.userBalance ?? 0)).toBeGreaterThan(0n)
    })
    expect(first).toEqual({ eth_call: 2 })
    expect(await requestsOf(() => stack.query(balanceOf, variables))).toEqual({})
  })

  it('are one multicall per chain for all unknown currencies of a document', async () => {
    const dune = stack.currencyOn(ethereum, 'DUNE')
    const strangers = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`)
    const fields = [dune, ...strangers].map(
      (address, at) => `c${at}: currency(chainId: ${ethereum}, address: "${address}") { symbol }`,
    )
    const requests = await requestsOf(() => stack.query(`{ ${fields.join(' ')} }`))
    expect(requests).toEqual({ eth_call: 1 })
  })

  it('are not needed to repeat an answer for the same blocks', async () => {
    const input = order([ethereum, 'ETH'], [bnb, 'ELM'])
    const [one, other] = [
      await stack.query(outputOf, { input }),
      await stack.query(outputOf, { input }),
    ]
    expect(one.data?.price?.blocks).toHaveLength(2)
    expect(other).toEqual(one)
  })
})
