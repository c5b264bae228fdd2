import { erc20Abi, type TransactionReceipt } from 'viem'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { ConfigInput } from '#src/config/config.ts'
import type { Role } from '#src/config/environment.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { users } from '#src/devnet/accounts.ts'
import { graphql } from '#test/generated/gql.ts'
import type {
  MultiInputQuoteInput,
  MultiToExecuteQuery,
  QuoteInput,
  ToExecuteQuery,
  TradeType,
} from '#test/generated/graphql.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { patience } from '#test/support/patience.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'
import { type Stack, startStack } from './stack.ts'

const toExecute = graphql(`
  query ToExecute($input: QuoteInput!) {
    quote(input: $input) {
      requestId
      steps {
        name
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

type Quote = NonNullable<ToExecuteQuery['quote']>

const multiToExecute = graphql(`
  query MultiToExecute($input: MultiInputQuoteInput!) {
    multiInputQuote(input: $input) {
      depositDeadline
      steps {
        name
        requestId
        items {
          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }
          check { endpoint method }
        }
      }
      details { currencyOut { amount minimumAmount } }
    }
  }
`)

/** The fields that REST and GraphQL have in common. */
export type MultiQuote = NonNullable<MultiToExecuteQuery['multiInputQuote']>

/** A REST answer with the steps named as in GraphQL. */
function namedSteps(answer: unknown): object {
  const { steps, ...rest } = answer as { steps: { id: string }[] }
  return { ...rest, steps: steps.map(({ id, ...step }) => ({ ...step, name: id.toUpperCase() })) }
}

/** A currency by its symbol on a chain. */
export type Place = readonly [chainId: number, symbol: string]

export type Api = 'REST' | 'GraphQL'

/** An origin of a multi-input quote. Its user defaults to the quote’s. */
export type OriginAmount = Readonly<{ from: Place; amount: string; user?: string }>

export const [ethereum, rollup, bnb] = [990001, 990002, 990003] as const
export const tradeTypes: readonly TradeType[] = ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT']

/** Converts whole units to the smallest unit. */
export const units = (whole: string, decimals: number): string =>
  `${BigInt(whole) * 10n ** BigInt(decimals)}`

/** Starts the whole stack for the tests of a file, with wallets on its devnet. Takes the arguments of `startStack`. */
export function useQuotes({
  roles,
  change = {},
}: Readonly<{ roles?: readonly Role[]; change?: Partial<ConfigInput> }> = {}) {
  let stack: Stack
  let wallet: Wallet
  let rest: RestClient
  beforeAll(async () => {
    stack = await startStack(change, roles)
    rest = await createRestClient(stack.url)
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

  /** Waits until the market has processed all mined blocks. */
  const settled = () =>
    vi.waitFor(async () => {
      for (const { id } of stack.devnet.description.chains)
        expect(stack.market.latest(toChainId(id))?.block.number).toBeGreaterThanOrEqual(
          await wallet.clientOn(id).getBlockNumber(),
        )
    }, patience)

  /** The balance at a block height, by default at the head. */
  const balanceOf = async (
    [chainId, symbol]: Place,
    account: string,
    height?: bigint,
  ): Promise<bigint> => {
    const client = wallet.clientOn(chainId)
    const address = stack.currencyOn(chainId, symbol) as `0x${string}`
    const args = [account as `0x${string}`] as const
    const at = height === undefined ? {} : { blockNumber: height }
    return chainOf(chainId).nativeCurrency.symbol === symbol
      ? client.getBalance({ address: args[0], ...at })
      : client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args, ...at })
  }

  /** The symbols of all currencies of a chain, the native one first. */
  const symbolsOn = (chainId: number): readonly string[] => {
    const { nativeCurrency, currencies } = chainOf(chainId)
    return [nativeCurrency.symbol, ...currencies.map(({ symbol }) => symbol)]
  }

  const multiInputOf = (
    origins: readonly OriginAmount[],
    to: Place,
    change: Partial<MultiInputQuoteInput> = {},
  ): MultiInputQuoteInput => ({
    user: wallet.address,
    origins: origins.map(({ from, amount, user }) => ({
      chainId: from[0],
      currency: stack.currencyOn(...from),
      amount,
      ...(user !== undefined && { user }),
    })),
    destinationChainId: to[0],
    destinationCurrency: stack.currencyOn(...to),
    tradeType: 'EXACT_INPUT',
    ...change,
  })

  return {
    stack: () => stack,
    wallet: () => wallet,
    /** A wallet of the devnet’s second user. */
    rival: () => createWallet(stack.devnet.description, users[1]),
    /** Executes all items in order, each sent by its own devnet user. Returns the receipts. */
    executeEach: async (steps: MultiQuote['steps']): Promise<readonly TransactionReceipt[]> => {
      const receipts: TransactionReceipt[] = []
      for (const step of steps) {
        const account = users.find(({ address }) => address === step.items[0]?.data.from)
        if (account === undefined) throw new Error('Nobody of the devnet is asked to sign')
        const own = createWallet(stack.devnet.description, account)
        receipts.push(...(await own.execute([step])))
      }
      return receipts
    },
    settled,
    balanceOf,
    symbolsOn,
    isNative: ([chainId, symbol]: Place) => chainOf(chainId).nativeCurrency.symbol === symbol,
    symbolOf: (chainId: number, address: string): string => {
      const { currencies, nativeCurrency } = chainOf(chainId)
      return currencies.find((each) => each.address === address)?.symbol ?? nativeCurrency.symbol
    },
    /** The router’s non-zero balances on a chain. There must be none, because anyone could take them. */
    routerBalances: async (chainId: number): Promise<readonly string[]> => {
      const { router } = stack.contractsOn(chainId)
      const symbols = symbolsOn(chainId)
      const held = await Promise.all(symbols.map((symbol) => balanceOf([chainId, symbol], router)))
      return symbols.filter((_, at) => held[at] !== 0n)
    },
    rest: () => rest,
    multiInputOf,
    /** Requests a multi-input quote by REST or GraphQL. */
    multiQuoteOf: async (
      api: Api,
      origins: readonly OriginAmount[],
      to: Place,
      change: Partial<MultiInputQuoteInput>,
    ): Promise<MultiQuote> => {
      await settled()
      const input = multiInputOf(origins, to, change)
      if (api === 'REST')
        return namedSteps(await rest.post('/execute/swap/multi-input', input)) as MultiQuote
      const { data, errors } = await stack.query(multiToExecute, { input })
      if (!data?.multiInputQuote) throw new Error(`To ${to}: ${JSON.stringify(errors)}`)
      return data.multiInputQuote
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
      if (!data?.quote) throw new Error(`${from} to ${to}: ${JSON.stringify(errors)}`)
      return data.quote
    },
  }
}
