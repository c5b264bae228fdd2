import type { Hash, Hex } from 'viem'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** The signatures that a user has given for a request, for the solver that sends their transaction. */
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
  /** The transaction that uses it, once there is one: there is never a second. */
  transactionId?: string
  /** When the solver next looks at it, in milliseconds since 1970. */
  dueAt: number
  /** 0 until it is stored. Each save adds 1 and fails if the stored version differs. */
  version: number
}>
