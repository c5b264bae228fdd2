import type { TransactionReceipt } from 'viem'
import { expect, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import { graphql } from '#test/generated/gql.ts'
import type { MultiInputQuoteInput } from '#test/generated/graphql.ts'
import type {
  Api,
  MultiQuote,
  OriginAmount,
  Place,
  useQuotes,
} from '#test/support/gateways/useQuotes.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

const multiStatus = graphql(`
  query MultiStatus($requestId: RequestId!) {
    requestStatus(requestId: $requestId) {
      status
      failReason
      refundFailReason
      inTxHashes
      txHashes
      steps { name items { status transaction { chainId hash } } }
      fill { status transaction { chainId hash } }
      refund { status }
      deposits { chainId txHash depositor amount status reason refund { status transaction { chainId } } }
    }
  }
`)

export const patience = { timeout: waitLimitMs, interval: 200 }

/** An origin, with the devnet user that deposits it. */
export type Origin = OriginAmount & Readonly<{ user: string; isLate?: boolean }>

export type Order = Readonly<{
  title: string
  origins: readonly Origin[]
  to: Place
  api: Api
  change?: Partial<MultiInputQuoteInput>
}>

/** An order with its quote and the transactions sent for it. */
export type QuotedOrder = Order &
  Readonly<{
    quote: MultiQuote
    requestId: `0x${string}`
    /** A new account, so that its balance is the payment of the fill. */
    recipient: string
    minimum: bigint
    /** Receipts of sent transactions, by index of their step. */
    receipts: Map<number, TransactionReceipt>
  }>

type Step = MultiQuote['steps'][number]

export const [first, second, third, fourth] = [
  users[0].address,
  users[1].address,
  users[2].address,
  users[3].address,
]

export const origin = (from: Place, amount: string, user: string): Origin => ({
  from,
  amount,
  user,
})

/** An origin whose deposit is sent after all others, when the deadline has passed. */
export const lateOrigin = (from: Place, amount: string, user: string): Origin => ({
  ...origin(from, amount, user),
  isLate: true,
})

/** Sorted transaction hashes of the deposits made. */
export const depositHashes = (
  { quote, receipts }: QuotedOrder,
  isAsked: (step: Step) => boolean = () => true,
): readonly string[] =>
  quote.steps
    .flatMap((step, at) =>
      step.name === 'DEPOSIT' && isAsked(step) ? (receipts.get(at)?.transactionHash ?? []) : [],
    )
    .sort()

export const dataOf = ({ items: [item] }: Step) => {
  if (item === undefined) throw new Error('A step of nothing')
  return item.data
}

/** The origin that a step deposits. No two origins of the order may have the same chain and user. */
export const originOf = ({ origins }: Order, step: Step): Origin => {
  const { chainId, from } = dataOf(step)
  const found = origins.find((each) => each.from[0] === chainId && each.user === from)
  if (found === undefined) throw new Error(`No origin of ${from} on chain ${chainId}`)
  return found
}

/** Functions to quote, deposit and follow requests with several inputs. */
export function createMultiRequests({
  stack,
  multiQuoteOf,
  executeEach,
}: Pick<ReturnType<typeof useQuotes>, 'stack' | 'multiQuoteOf' | 'executeEach'>) {
  const statusOf = async ({ requestId }: QuotedOrder) => {
    const { data, errors } = await stack().query(multiStatus, { requestId })
    if (!data?.requestStatus) throw new Error(JSON.stringify(errors))
    return data.requestStatus
  }

  /** Waits until all requests are in a terminal state. */
  async function ended(all: readonly QuotedOrder[]): Promise<ReadonlyMap<string, StoredRequest>> {
    const found = new Map<string, StoredRequest>()
    await vi.waitFor(async () => {
      for (const each of await stack().store.findAll(all.map(({ requestId }) => requestId)))
        found.set(each.requestId, each)
      expect([...found.values()].filter(({ state }) => !isTerminal(state.status))).toEqual([])
    }, patience)
    return found
  }

  return {
    quote: async (order: Order): Promise<QuotedOrder> => {
      const recipient = newAccount()
      const change = { user: first, recipient, ...order.change }
      const quote = await multiQuoteOf(order.api, order.origins, order.to, change)
      const requestId = quote.steps[0]?.requestId as `0x${string}`
      const minimum = BigInt(quote.details.currencyOut.minimumAmount)
      return { ...order, quote, requestId, recipient, minimum, receipts: new Map() }
    },
    /** Makes each user send the steps that are due, in order. */
    execute: async (
      made: QuotedOrder,
      isDue: (step: Step) => boolean = () => true,
    ): Promise<void> => {
      for (const [at, step] of made.quote.steps.entries()) {
        if (!isDue(step)) continue
        const [receipt, ...more] = await executeEach([step])
        expect([made.title, at, receipt?.status, more]).toEqual([made.title, at, 'success', []])
        if (receipt !== undefined) made.receipts.set(at, receipt)
      }
    },
    statusOf,
    ended,
    /** Transactions by which the solver paid or will pay. */
    paymentsOf: async ({ requestId }: QuotedOrder, wanted: 'fill' | 'refund') =>
      (await stack().store.transactionsOf(requestId)).filter(
        ({ purpose, status }) => purpose === wanted && status !== 'reverted',
      ),
  }
}
