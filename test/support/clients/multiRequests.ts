import type { TransactionReceipt } from 'viem'
import { expect, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import { graphql } from '#test/generated/gql.ts'
import type { MultiInputQuoteInput } from '#test/generated/graphql.ts'
import { newAccount } from '#test/support/chains/newAccount.ts'
import type {
  Face,
  MultiQuote,
  PaidIn,
  Place,
  useQuotes,
} from '#test/support/gateways/useQuotes.ts'

const multiStatus = graphql(`
  query MultiStatus($requestId: RequestId!) {
    requestStatus(requestId: $requestId) {
      status
      failReason
      refundFailReason
      inTxHashes
      txHashes
      steps { id items { status transaction { chainId hash } } }
      fill { status transaction { chainId hash } }
      refund { status }
      deposits { chainId txHash depositor amount status reason refund { status transaction { chainId } } }
    }
  }
`)

export const patience = { timeout: 100_000, interval: 200 }

/** An origin with the user of the devnet who pays it in. */
export type Origin = PaidIn & Readonly<{ user: string; isLate?: boolean }>

export type Order = Readonly<{
  title: string
  origins: readonly Origin[]
  to: Place
  face: Face
  change?: Partial<MultiInputQuoteInput>
}>

/** Quoted, with what was sent of it. */
export type Made = Order &
  Readonly<{
    quote: MultiQuote
    requestId: `0x${string}`
    /** Nobody else pays it: what it holds is what it was paid. */
    recipient: string
    minimum: bigint
    /** Of what was sent, by the place of its step. */
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

/** One that is paid in once all others are and its time is up. */
export const lateOrigin = (from: Place, amount: string, user: string): Origin => ({
  ...origin(from, amount, user),
  isLate: true,
})

/** Hashes of the deposits that were made, in order of their own. */
export const depositHashes = (
  { quote, receipts }: Made,
  isAsked: (step: Step) => boolean = () => true,
): readonly string[] =>
  quote.steps
    .flatMap((step, at) =>
      step.id === 'deposit' && isAsked(step) ? (receipts.get(at)?.transactionHash ?? []) : [],
    )
    .sort()

export const dataOf = ({ items: [item] }: Step) => {
  if (item === undefined) throw new Error('A step of nothing')
  return item.data
}

/** The origin that a step pays in, of an order that names none of a chain and user twice. */
export const originOf = ({ origins }: Order, step: Step): Origin => {
  const { chainId, from } = dataOf(step)
  const found = origins.find((each) => each.from[0] === chainId && each.user === from)
  if (found === undefined) throw new Error(`No origin of ${from} on chain ${chainId}`)
  return found
}

/** Has requests of several deposits quoted, paid for and followed. */
export function createMultiRequests({
  stack,
  multiQuoteOf,
  executeEach,
}: Pick<ReturnType<typeof useQuotes>, 'stack' | 'multiQuoteOf' | 'executeEach'>) {
  const statusOf = async ({ requestId }: Made) => {
    const { data, errors } = await stack().query(multiStatus, { requestId })
    if (data == null) throw new Error(JSON.stringify(errors))
    return data.requestStatus
  }

  /** Waits until nothing changes any of the requests any more. */
  async function ended(all: readonly Made[]): Promise<ReadonlyMap<string, StoredRequest>> {
    const found = new Map<string, StoredRequest>()
    await vi.waitFor(async () => {
      for (const each of await stack().store.findAll(all.map(({ requestId }) => requestId)))
        found.set(each.requestId, each)
      expect([...found.values()].filter(({ state }) => !isTerminal(state.status))).toEqual([])
    }, patience)
    return found
  }

  return {
    quote: async (order: Order): Promise<Made> => {
      const recipient = newAccount()
      const change = { user: first, recipient, ...order.change }
      const quote = await multiQuoteOf(order.face, order.origins, order.to, change)
      const requestId = quote.steps[0]?.requestId as `0x${string}`
      const minimum = BigInt(quote.details.currencyOut.minimumAmount)
      return { ...order, quote, requestId, recipient, minimum, receipts: new Map() }
    },
    /** Has each user send those of its steps that are due, in their order. */
    execute: async (made: Made, isDue: (step: Step) => boolean = () => true): Promise<void> => {
      for (const [at, step] of made.quote.steps.entries()) {
        if (!isDue(step)) continue
        const [receipt, ...more] = await executeEach([step])
        expect([made.title, at, receipt?.status, more]).toEqual([made.title, at, 'success', []])
        if (receipt !== undefined) made.receipts.set(at, receipt)
      }
    },
    statusOf,
    ended,
    /** Transactions of the solver's that paid, or are to. */
    paymentsOf: async ({ requestId }: Made, wanted: 'fill' | 'refund') =>
      (await stack().store.transactionsOf(requestId)).filter(
        ({ purpose, status }) => purpose === wanted && status !== 'reverted',
      ),
  }
}
