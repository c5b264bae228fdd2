import type { Hex } from 'viem'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'
import { fillMarkerAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import {
  type DepositoryRecord,
  decodeDepositoryRecord,
} from '#src/protocol/svm/depository/depositoryState.ts'
import type { PayoutCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { parseSvmDepositId } from '#src/requests/state/svm/svmDepositId.ts'
import type { SvmSolverChain } from './svmPorts.ts'

/** What the depository says at `finalized`. Each throws what the RPC throws. */
export type SvmRecords = Readonly<{
  /** Whether the solver has filled the order. */
  isFilled: (orderId: Hex) => Promise<boolean>
  /** The payout of all that a deposit is owed; undefined if the depository owes nothing for it. */
  payoutOf: (deposit: Deposit) => Promise<PayoutCall | undefined>
}>

export function createSvmRecords(
  client: Pick<SvmClient, 'getAccounts'>,
  { program, solver, allocator }: Omit<SvmSolverChain, 'chain'>,
): SvmRecords {
  async function read(account: Pubkey) {
    const { accounts } = await client.getAccounts([account], 'finalized')
    return accounts[0]
  }
  return {
    // Anyone can send lamports to its address: only the program makes it its own.
    isFilled: async (orderId) =>
      (await read(fillMarkerAddress(program, { solver, id: orderId })))?.owner === program,
    async payoutOf({ depositId, orderId, depositor, currency, amount }) {
      const { record, slot, sender, nonce } = parseSvmDepositId(depositId)
      const account = await read(record)
      const found: DepositoryRecord | undefined =
        account && decodeDepositoryRecord(program, account)
      // A record that was closed and made again belongs to a later deposit.
      if (found === undefined || found.slot !== slot || found.owed < amount) return undefined
      return {
        id: orderId,
        depositor: toPubkey(depositor),
        currency: toPubkey(currency),
        sender,
        nonce,
        allocator,
        payee: solver,
        rentPayer: found.rentPayer,
        owed: found.owed,
        slot,
      }
    },
  }
}
