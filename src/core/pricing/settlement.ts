import { AppError } from '#src/core/errors.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import {
  type Currency,
  describeAmount,
  type Limit,
  limitHint,
  maxAmountData,
} from '#src/core/units/currency.ts'
import type { ChainMarket, SettlementState, SettlementStop } from './market.ts'

/**
 * Hours of the outflow limit that the unsettled deposits of a currency may need at most. A fill is sent at least seven
 * days before its deposits can exit. A day of settlements and a pause of three days leave three days to spare.
 */
const maxBacklogHours = 24n

const none = toAmount(0n)

/** Why a deposit may not be filled: the depository might not pay it to the solver in time. */
export type SettlementFault =
  | Readonly<{ kind: 'stopped'; cause: SettlementStop }>
  /** The deposit alone is above the outflow limit. */
  | Readonly<{ kind: 'aboveLimit'; limit: Amount }>
  /** The deposit fits, but not with the unsettled ones. */
  | Readonly<{ kind: 'backlog'; unsettled: bigint; max: bigint }>

/**
 * @param amount of one deposit
 * @param added further deposits that come before it
 * @returns undefined if the deposit can be settled in time
 */
export function settlementFault(
  { stopped, outflowLimits, unsettled }: SettlementState,
  currency: Account,
  amount: bigint,
  added = 0n,
): SettlementFault | undefined {
  if (stopped !== undefined) return { kind: 'stopped', cause: stopped }
  const limit = outflowLimits.get(currency) ?? none
  if (amount > limit) return { kind: 'aboveLimit', limit }
  const max = maxBacklogHours * limit
  const before = (unsettled.get(currency) ?? none) + added
  return before + amount > max ? { kind: 'backlog', unsettled: before, max } : undefined
}

/** The largest deposit that the depository pays out in time; `undefined` on a chain without contracts. */
export function maxDeposit({ settlement }: ChainMarket, { address }: Currency): Amount | undefined {
  if (settlement === undefined) return undefined
  const limit = settlement.outflowLimits.get(address) ?? none
  const left = maxBacklogHours * limit - (settlement.unsettled.get(address) ?? none)
  if (left < 0n) return none
  return left < limit ? toAmount(left) : limit
}

type SettlementTerms = Readonly<{
  /** Further deposits that come before it. */
  added?: bigint
  /** The amount of the order whose deposit is as large as possible. Absent, or undefined: unknown. */
  largest?: () => Limit | undefined
}>

/**
 * Refuses a deposit that the depository might not pay to the solver in time. A chain without contracts refuses nothing
 * here: it has no deposits.
 * @throws AppError
 */
export function checkSettlement(
  { settlement }: ChainMarket,
  currency: Currency,
  amount: Amount,
  { added = 0n, largest = () => undefined }: SettlementTerms = {},
): void {
  const fault = settlement && settlementFault(settlement, currency.address, amount, added)
  if (fault === undefined) return
  const { chainId, address } = currency
  const facts = { chainId, currency: address, deposit: amount.toString() }
  const deposit = `the deposit of ${describeAmount(amount, currency)} on chain ${chainId}`
  const limit = fault.kind === 'stopped' ? undefined : largest()
  const hint = limitHint(limit)
  const limitData = limit && maxAmountData(limit.amount, limit.currency)
  switch (fault.kind) {
    case 'stopped':
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        `${capitalized(deposit)} cannot be settled at the moment: ${stopTexts[fault.cause]}.`,
        { ...facts, cause: fault.cause },
      )
    case 'aboveLimit':
      throw new AppError(
        'SOLVER_CAPACITY_EXCEEDED',
        `The solver cannot take ${deposit}: the largest one is ${describeAmount(fault.limit, currency)}.${hint}`,
        { ...facts, ...limitData, largestDeposit: fault.limit.toString() },
      )
    case 'backlog': {
      const { unsettled, max } = fault
      throw new AppError(
        'SOLVER_CAPACITY_EXCEEDED',
        `The solver cannot take ${deposit} at the moment: ${describeAmount(unsettled, currency)} of at most ${describeAmount(max, currency)} wait for their settlement.${hint}`,
        { ...facts, ...limitData, unsettled: unsettled.toString(), maxUnsettled: max.toString() },
      )
    }
  }
}

const stopTexts = {
  paused: 'the depository is paused',
  otherAllocator: 'the depository has another allocator',
  notAPayee: 'the solver is no payee of the depository',
  otherName: 'the depository has another name of the chain',
  unread: 'the depository does not answer',
} as const satisfies Record<SettlementStop, string>

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
