import type { Address } from '#src/core/units/address.ts'

/** Our contracts on one chain. */
export type ProtocolContracts = Readonly<{
  depository: Address
  router: Address
  /** Users approve it to transfer their currencies to the router. */
  approvalProxy: Address
  /** Deploys deposit addresses. Absent: the chain offers none. */
  depositAddressFactory?: Address
}>

/** Seconds from a deposit until its depositor can take it back: longer than orders last, by a week for the solver. */
export const exitSeconds = 14 * 86_400
