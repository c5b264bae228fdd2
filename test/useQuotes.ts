import { erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import type { Role } from '#src/environment.ts'
import { toChainId } from '#src/units/chainId.ts'
import { graphql } from './generated/gql.ts'
import type { QuoteInput, ToExecuteQuery, TradeType } from './generated/graphql.ts'
import { type Stack, startStack } from './stack.ts'
import { createWallet, type Wallet } from './wallet.ts'

const toExecute = graphql(`
  query ToExecute($input: QuoteInput!) {
    quote(input: $input) {
      requestId
      steps {
        id
        requestId
        items {
          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }
          check { endpoint method }
        }
      }
      fees { app { amount } relayer { amount } }
      details {
        operation
        currencyIn { amount }
        currencyOut { amount minimumAmount }
        route { origin { includedSwapSources outputCurrency { amount minimumAmount currency { address } } } }
      }
      protocol { v2 { orderId orderData paymentDetails { chainId depository currency amount } } }
    }
  }
`)

type Quote = ToExecuteQuery['quote']

/** A currency by its symbol, on a chain. */
export type Place = readonly [chainId: number, symbol: string]

export const [ethereum, rollup, bnb] = [990001, 990002, 990003] as const
export const tradeTypes: readonly TradeType[] = ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT']

/** So many whole units of a currency with `decimals`. */
export const units = (whole: string, decimals: number): string =>
  `${BigInt(whole) * 10n ** BigInt(decimals)}`

/** The whole stack for the tests of a file, with a wallet on its devnet; `roles` as `startStack` has them. */
export function useQuotes(roles?: readonly Role[]) {
  let stack: Stack
  let wallet: Wallet
  beforeAll(async () => {
    stack = await startStack({}, roles)
    wallet = createWallet(stack.devnet.description, users[0])
  })
  afterAll(async () => {
    await stack.stop()
  })

  const chainOf = (chainId: number) => {
    const chain = stack.devnet.description.chains.find(({ id }) => id === chainId)
    if (chain === undefined) throw new Error(`The devnet has no chain ${chainId}`)
    return chain
  }

  /** The market knows all that has been mined. */
  const settled = () =>
    vi.waitFor(async () => {
      for (const { id } of stack.devnet.description.chains)
        expect(stack.market.latest(toChainId(id))?.block.number).toBeGreaterThanOrEqual(
          await wallet.clientOn(id).getBlockNumber(),
        )
    }, 10_000)

  const balanceOf = async ([chainId, symbol]: Place, account: string): Promise<bigint> => {
    const client = wallet.clientOn(chainId)
    const address = stack.currencyOn(chainId, symbol) as `0x${string}`
    const args = [account as `0x${string}`] as const
    return chainOf(chainId).nativeCurrency.symbol === symbol
      ? client.getBalance({ address: args[0] })
      : client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args })
  }

  return {
    stack: () => stack,
    wallet: () => wallet,
    /** A wallet of the devnet's second user. */
    rival: () => createWallet(stack.devnet.description, users[1]),
    settled,
    balanceOf,
    isNative: ([chainId, symbol]: Place) => chainOf(chainId).nativeCurrency.symbol === symbol,
    symbolOf: (chainId: number, address: string): string => {
      const { currencies, nativeCurrency } = chainOf(chainId)
      return currencies.find((each) => each.address === address)?.symbol ?? nativeCurrency.symbol
    },
    /** What the router of a chain holds of anything: nothing, or anyone could take it. */
    routerHoldings: async (chainId: number): Promise<readonly string[]> => {
      const { router } = stack.contractsOn(chainId)
      const { nativeCurrency, currencies } = chainOf(chainId)
      const symbols = [nativeCurrency.symbol, ...currencies.map((each) => each.symbol)]
      const held = await Promise.all(symbols.map((symbol) => balanceOf([chainId, symbol], router)))
      return symbols.filter((_, at) => held[at] !== 0n)
    },
    quoteOf: async (from: Place, to: Place, change: Partial<QuoteInput>): Promise<Quote> => {
      await settled()
      const input: QuoteInput = {
        user: wallet.address,
        originChainId: from[0],
        originCurrency: stack.currencyOn(...from),
        destinationChainId: to[0],
        destinationCurrency: stack.currencyOn(...to),
        amount: '0',
        tradeType: 'EXACT_INPUT',
        ...change,
      }
      const { data, errors } = await stack.query(toExecute, { input })
      if (data == null) throw new Error(`${from} to ${to}: ${JSON.stringify(errors)}`)
      return data.quote
    },
  }
}
