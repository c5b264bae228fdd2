import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from './actor.ts'
import type { Ledger } from './ledger.ts'
import { type Outcome, type Place, QuoteRefused, type Trade, type Trading } from './trade.ts'
import { bnb, ethereum, rollup } from './world.ts'

type Kind = Readonly<{ origin: Place; destination: Place; amount: bigint }>

/** About $300 each. Nothing is swapped, so that what the solver earns does not depend on pools. */
const kinds: readonly Kind[] = [
  { origin: [ethereum, 'ETH'], destination: [rollup, 'ETH'], amount: 10n ** 17n },
  { origin: [rollup, 'ETH'], destination: [ethereum, 'ETH'], amount: 10n ** 17n },
  { origin: [ethereum, 'USDC'], destination: [bnb, 'USDC'], amount: 300n * 10n ** 6n },
  { origin: [bnb, 'USDC'], destination: [rollup, 'USDC'], amount: 300n * 10n ** 6n },
  { origin: [rollup, 'ETH'], destination: [bnb, 'ETH'], amount: 10n ** 17n },
]

export type HonestResult = Readonly<{
  trade: Trade
  seconds: number
  outcome: Outcome
  /** Of the deposit, in US dollars. */
  value: number
  /** Output of the recipient, in smallest units. */
  received: bigint
}>

/** Maximum wait of an honest user for the fill or the refund. */
const patienceSeconds = 180

/**
 * Runs honest requests, one after the other for each actor. `seconds` is the time from the block of the deposit, as its
 * sender learns it, to the balance of the recipient or of the refund address.
 */
export async function runHonest(
  trading: Trading,
  actors: readonly Actor[],
  count: number,
  avoided: readonly Place[] = [],
): Promise<readonly HonestResult[]> {
  const results: HonestResult[] = []
  const isAvoided = ([chainId, symbol]: Place) =>
    avoided.some((place) => place[0] === chainId && place[1] === symbol)
  const allowed = kinds.filter(
    ({ origin, destination }) => !isAvoided(origin) && !isAvoided(destination),
  )
  let next = 0
  await Promise.all(
    actors.map(async (actor) => {
      while (next < count) {
        const kind = allowed[next++ % allowed.length]
        if (kind === undefined) return
        const trade = await patientDeposit(trading, actor, kind)
        const from = performance.now()
        await trading.ended(trade, patienceSeconds)
        const seconds = (performance.now() - from) / 1000
        results.push({ trade, seconds, outcome: 'neither', received: 0n, value: 0 })
      }
    }),
  )
  return results
}

/** Crossquote is being restarted. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError && error.message === 'fetch failed'

/** Quotes again if the deposit reverts, as a wallet would show before: an allowance may be used up meanwhile. */
async function patientDeposit(trading: Trading, actor: Actor, kind: Kind): Promise<Trade> {
  for (let tries = 0; tries < 5; tries += 1) {
    const trade = await patientQuote(trading, actor, kind)
    const { status } = await trading.deposit(actor, trade)
    if (status === 'success') return trade
  }
  throw new Error(`The deposits of ${actor.address} revert`)
}

/** Quotes are refused while prices are missing, the database fails or the solver's account is stopped. */
async function patientQuote(trading: Trading, actor: Actor, kind: Kind): Promise<Trade> {
  const until = performance.now() + patienceSeconds * 1000
  for (;;)
    try {
      return await trading.quote(actor.address, kind.origin, kind.destination, kind.amount, {
        by: 'frontend',
      })
    } catch (error) {
      const isTemporary = error instanceof QuoteRefused || isUnreachable(error)
      if (!isTemporary || performance.now() > until) throw error
      await pause(200)
    }
}

/** The outcomes that the chains show now: a second payment may have come later. */
export const readOutcomes = (
  trading: Trading,
  ledger: Ledger,
  results: readonly HonestResult[],
): Promise<readonly HonestResult[]> =>
  Promise.all(
    results.map(async (each) => ({
      ...each,
      outcome: await trading.outcome(each.trade),
      received: await trading.paid(each.trade),
      value: ledger.worthOf(...each.trade.origin, each.trade.amount),
    })),
  )
