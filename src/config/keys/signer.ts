import type { Hex, LocalAccount, TransactionSerializable } from 'viem'

/** Signs for one account. The key is in this process or in a remote signer. An account of viem is also a signer. */
export type Signer = Readonly<{
  address: `0x${string}`
  signTransaction: (transaction: TransactionSerializable) => Promise<Hex>
  /** EIP-712. */
  signTypedData: LocalAccount['signTypedData']
}>
