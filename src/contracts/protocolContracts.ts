import type { Address } from '#src/units/address.ts'

/** Our contracts on one chain. */
export type ProtocolContracts = Readonly<{
  depository: Address
  router: Address
  /** Users approve it to transfer their currencies to the router. */
  approvalProxy: Address
}>
