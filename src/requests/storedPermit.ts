import type { Hash, Hex } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** A user's signatures for a request. The solver sends the transaction that uses them. */
export type StoredPermit = Readonly<{
  requestId: Hash
  /** The chain that the user pays on. */
  chainId: ChainId
  /** The only account that may send the transaction. */
  relayer: Address
  /** Lets Permit2 transfer the currency. */
  allowanceSignature?: Hex
  /** Pays. Absent while only the allowance is signed: then nothing is sent. */
  signature?: Hex
  /** Id of the transaction that uses the signatures, once it exists. A permit never gets a second transaction. */
  transactionId?: string
  /** Time of the solver's next check, Unix milliseconds. */
  dueAt: number
  /** 0 until it is stored. Each save adds 1 and fails if the stored version differs. */
  version: number
}>
