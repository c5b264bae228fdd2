import type { TransactionReceipt } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { Actor } from './actor.ts'
import type { Ledger, Move } from './ledger.ts'
import { type Place, QuoteRefused, type Trade, type Trading } from './trade.ts'
import type { World } from './world.ts'

/** The means of one attacker: its own key, the public API, and the accounts that gain for it. */
export function createAttack(world: World, trading: Trading, ledger: Ledger, actor: Actor) {
  const addresses = new Set<Address>([actor.address])
  /** Accounts that refuse payments, which they can then claim. */
  const creditors = new Set<Address>()
  const trades: Trade[] = []
  /** Depositories' balances that the attacker takes by an exit, a while after it was paid: only it deposits these. */
  const exits: Place[] = []
  let refusals = 0
  let harm = 0

  return {
    world,
    trading,
    ledger,
    actor,
    addresses,
    creditors,
    trades,
    exits,
    refusals: () => refusals,
    refused: (): void => {
      refusals += 1
    },
    harm: () => harm,
    /** Adds what honest users lose by the attack, or cannot trade because of it, in US dollars. */
    harmed: (dollars: number): void => {
      harm += dollars
    },

    /** A quote, or undefined if the API refuses it. */
    async quote(
      origin: Place,
      destination: Place,
      amount: bigint,
      change: Readonly<Record<string, unknown>> = {},
    ): Promise<Trade | undefined> {
      try {
        const trade = await trading.quote(actor.address, origin, destination, amount, change)
        addresses.add(trade.recipient).add(trade.refundTo)
        return trade
      } catch (error) {
        if (!(error instanceof QuoteRefused || error instanceof TypeError)) throw error
        refusals += 1
        return undefined
      }
    },

    /** The receipt, or undefined if the deposit reverts: a quote asks for no approval that an older one still seems to have. */
    async deposit(trade: Trade): Promise<TransactionReceipt | undefined> {
      const receipt = await trading.deposit(actor, trade)
      if (receipt.status !== 'success') {
        refusals += 1
        return undefined
      }
      trades.push(trade)
      return receipt
    },
  }
}

export type Attack = ReturnType<typeof createAttack>

/** One way to attack, tried `count` times. */
export type Strategy = Readonly<{
  name: string
  run: (attack: Attack, count: number) => Promise<void>
}>

/** Tries one after the other. */
export const inTurn =
  (attempt: (attack: Attack, at: number) => Promise<void>): Strategy['run'] =>
  async (attack, count) => {
    for (let at = 0; at < count; at += 1) await attempt(attack, at)
  }

/** A day of the week: honest requests and attacks at the same time. */
export type Day = Readonly<{
  name: string
  strategies: readonly Strategy[]
  /** Changes of prices until the end of the day: balances are valued after them. */
  moves?: readonly Move[]
  /** Honest users leave these currencies alone meanwhile. */
  avoided?: readonly Place[]
  /** Runs one strategy at a time: each needs the chains for itself. */
  isSequential?: boolean
  /** Brings the world back, once all balances are read. */
  end?: (world: World) => Promise<void>
}>
