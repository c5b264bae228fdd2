import type { Hex } from 'viem'
import { type Account, type Address, evmAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { claimCall } from '#src/protocol/calls/payout.ts'
import { type Deposit, refundOf } from '#src/requests/state/deposit.ts'
import {
  inputFundedBy,
  type Payment,
  type Progress,
  type RequestState,
} from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'

/** A deposit of a request, with the progress of its refund if one is sent. */
export type DepositWithRefund = Deposit &
  Readonly<{
    refund?: Progress
    /**
     * Amount of the refund in the deposit's currency, with what its recipient did not accept: as the chain shows it, or as
     * the solver sent it.
     */
    refundAmount?: Amount
    /** Amounts that their accounts did not accept, and can claim. */
    claims: readonly Claim[]
  }>

/** An amount of a deposit that an account can claim from the depository. */
export type Claim = Readonly<{
  account: Account
  amount: Amount
  /** The call that pays the amount to `recipient`. Only the account itself may name another recipient. */
  callTo: (recipient: Account) => Readonly<{ chainId: ChainId; to: Account; data: Hex }>
}>

function claimsOf(
  { chainId, currency, unpaid = [] }: Deposit,
  depositoryOn: DepositoryOn,
): readonly Claim[] {
  const depository = depositoryOn(chainId)
  if (depository === undefined) return []
  return unpaid.map(({ recipient: account, amount }) => ({
    account,
    amount,
    callTo: (recipient) => {
      const { to, data } = claimCall(depository, {
        currency: evmAddress(currency),
        account: evmAddress(account),
        recipient: evmAddress(recipient),
      })
      return { chainId, to, data }
    },
  }))
}

/** The depository of a chain; undefined if the chain is no longer configured. */
export type DepositoryOn = (chainId: ChainId) => Address | undefined

/**
 * Adds its refund to each deposit: a transaction of the solver, or someone else's transaction that the request shows.
 */
export function withRefunds(
  deposits: readonly Deposit[],
  transactions: readonly SolverTransaction[],
  state: RequestState,
  depositoryOn: DepositoryOn,
): readonly DepositWithRefund[] {
  return deposits.map((deposit) => {
    const own = transactions.find(
      ({ purpose, status, depositIds }) =>
        purpose === 'refund' && status !== 'reverted' && depositIds.includes(deposit.depositId),
    )
    const input = inputFundedBy({ state }, deposit.depositId)
    const shown = input === undefined ? undefined : state.refunds?.[input]
    const paid = refundOf(deposit)
    const refund = own === undefined ? shown : progressOf(own, paid)
    const refundAmount = paid
      ? toAmount(paid.amount + (paid.claimable ?? 0n))
      : own?.spends[0]?.amount
    return {
      ...deposit,
      ...(refund && { refund }),
      ...(refundAmount !== undefined && { refundAmount }),
      claims: claimsOf(deposit, depositoryOn),
    }
  })
}

function progressOf(
  { chainId, attempts, status, mined }: SolverTransaction,
  paid: Payment | undefined,
): Progress | undefined {
  if (mined !== undefined)
    return {
      status: status === 'final' ? 'confirmed' : 'seen',
      transaction: { chainId, ...mined, ...(paid && { paid }) },
    }
  const last = attempts.at(-1)
  return last && { status: 'sent', transaction: { chainId, hash: last.hash } }
}
