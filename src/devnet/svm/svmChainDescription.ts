import type { Blockhash } from '#src/core/units/svm/blockhash.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmAccount } from './svmAccounts.ts'

/** What the chain has, for people with a wallet and for scripts. */
export type SvmChainDescription = Readonly<{
  vmType: 'svm'
  id: number
  /** Name of the chain in orders, in lower case. */
  name: string
  displayName: string
  rpcUrl: string
  wsUrl: string
  genesisHash: Blockhash
  nativeCurrency: Readonly<{ symbol: string; name: string; decimals: number }>
  /** The depository. */
  programId: Pubkey
  mints: readonly Readonly<{ address: Pubkey; symbol: string; name: string; decimals: number }>[]
  keys: Readonly<{
    /** Accounts for people. They hold every currency. */
    users: readonly SvmAccount[]
    solver: SvmAccount
    /** Signs payouts of the depository. */
    allocator: SvmAccount
    /** Owns the depository, and can mint. */
    owner: SvmAccount
  }>
}>
