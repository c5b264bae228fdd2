import type { Hex, LocalAccount, TransactionSerializable } from 'viem'

/** Signs for one account. The key may be in this process or in a remote signer; an account of viem is a signer too. */
export type Signer = Readonly<{
  address: `0x${string}`
  signTransaction: (transaction: TransactionSerializable) => Promise<Hex>
  /** EIP-712. */
  signTypedData: LocalAccount['signTypedData']
}>
