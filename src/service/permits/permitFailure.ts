import { AppError } from '#src/core/errors.ts'
import type { CallOutcome, TransactionSimulator } from '#src/market/reads/transactionSimulator.ts'
import type { PayingPermit, Permit } from '#src/protocol/permits/permit.ts'
import { allowanceRead, amountIn, balanceRead } from '#src/protocol/permits/permitReads.ts'
import { revertReason } from '#src/protocol/permits/revertReason.ts'

/** A signature is refused. Nothing was sent, and the request still waits. */
export class PermitFailedError extends AppError {
  constructor(reason: string, requestId: string) {
    super('PERMIT_FAILED', `Permit signature validation failed: ${reason}.`, { requestId })
  }
}

/** The user's balance is below the signed payment. */
class InsufficientFundsError extends AppError {
  constructor({ payer, currency, chainId, amount }: PayingPermit, balance: bigint) {
    super(
      'INSUFFICIENT_FUNDS',
      `${payer} holds ${balance} of ${currency} on chain ${chainId}, less than the ${amount} that the signature pays.`,
      { chainId, balance: `${balance}`, amount: `${amount}` },
    )
  }
}

type Reads = Readonly<{ simulator: Pick<TransactionSimulator, 'tryCall'> }>

/** The error for a payment that would revert. */
export async function paymentError(
  { simulator }: Reads,
  permit: PayingPermit,
  { outcome, requestId }: Readonly<{ outcome: CallOutcome; requestId: string }>,
): Promise<AppError> {
  const balance = await readAmount({ simulator }, permit, balanceRead)
  if (balance !== undefined && balance < permit.amount)
    return new InsufficientFundsError(permit, balance)
  return new PermitFailedError(revertReason(outcome), requestId)
}

/** Amount that Permit2 may transfer now; `undefined` if the read fails. */
export const readAllowance = (deps: Reads, permit: Permit): Promise<bigint | undefined> =>
  readAmount(deps, permit, allowanceRead)

async function readAmount(
  { simulator }: Reads,
  permit: Permit,
  read: typeof balanceRead,
): Promise<bigint | undefined> {
  const { chainId, payer: from } = permit
  const { succeeds, data } = await simulator.tryCall({ chainId, from, ...read(permit) })
  return succeeds ? amountIn(data) : undefined
}
