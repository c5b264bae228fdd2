import type { Hex } from 'viem'
import type { Address } from '#src/units/address.ts'

/** What a transaction calls, with what value in wei. */
export type TransactionCall = Readonly<{ to: Address; data: Hex; value: bigint }>
