import { setTimeout } from 'node:timers/promises'
import { nativeAddress } from '#src/core/units/address.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import type { Wallet } from '#test/support/wallets/wallet.ts'
import { subscribe } from './subscribers.ts'

export const [origin, destination] = [990001, 990002] as const

/** A request whose deposit is on the chain. */
export type Deposited = Readonly<{
  requestId: string
  recipient: `0x${string}`
  following: ReturnType<typeof subscribe>
}>

type Quoted = Readonly<{
  quote: Readonly<{ requestId: string; steps: Parameters<Wallet['execute']>[0] }>
}>

const quoteQuery = `query Quote($input: QuoteInput!) {
  quote(input: $input) {
    requestId
    steps { items { data { to data value chainId maxFeePerGas maxPriorityFeePerGas } } }
  }
}`

/** A quote that takes longer is requested again. */
const quoteLimitMs = 15_000
const pauseMs = 500

/** Deposits for one quote after the other. Every fourth deposit is refunded. Quotes that fail are asked for again. */
export function startDepositing(url: string, wallet: Wallet, isOver: () => boolean) {
  const deposited: Deposited[] = []
  let refused = 0
  let isStopped = false

  async function quote(at: number, recipient: string): Promise<Quoted['quote'] | undefined> {
    const input = {
      user: wallet.address,
      recipient,
      tradeType: 'EXACT_INPUT',
      originChainId: origin,
      originCurrency: nativeAddress,
      destinationChainId: destination,
      destinationCurrency: nativeAddress,
      amount: `${10n ** 16n + BigInt(at)}`,
      ...(at % 4 === 3 && { referrer: 'debug-force-refund' }),
    }
    try {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: quoteQuery, variables: { input } }),
        signal: AbortSignal.timeout(quoteLimitMs),
      })
      const { data } = (await response.json()) as { data?: { quote: Quoted['quote'] | null } }
      return data?.quote ?? undefined
    } catch {
      return undefined
    }
  }

  async function run(): Promise<void> {
    for (let at = 0; !isStopped; at += 1) {
      const recipient = newAccount()
      const quoted = await quote(at, recipient)
      if (quoted === undefined) refused += 1
      else {
        const { requestId, steps } = quoted
        deposited.push({ requestId, recipient, following: subscribe(url, requestId, isOver) })
        await wallet.execute(steps)
      }
      await setTimeout(pauseMs)
    }
  }

  const ended = run()
  // The caller that stops it sees the failure.
  ended.catch(() => undefined)
  return {
    deposited: deposited as readonly Deposited[],
    /** Quotes that failed. */
    refused: () => refused,
    /** Resolves once the last deposit is in a block. @throws what the chain throws */
    stop: async (): Promise<void> => {
      isStopped = true
      await ended
    },
  }
}
