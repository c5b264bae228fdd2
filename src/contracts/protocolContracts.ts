import type { Address } from '#src/units/address.ts'

/** Our contracts on one chain. */
export type ProtocolContracts = Readonly<{
  depository: Address
  router: Address
  /** What users let spend their currencies where the router is to have them. */
  approvalProxy: Address
}>
