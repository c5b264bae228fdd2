import { toPubkey } from '#src/core/units/svm/pubkey.ts'

/** Programs that every cluster has. */
export const programIds = {
  system: toPubkey('11111111111111111111111111111111'),
  token: toPubkey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  token2022: toPubkey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
  associatedToken: toPubkey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
  computeBudget: toPubkey('ComputeBudget111111111111111111111111111111'),
  /** The third version, which every cluster and wallet knows. */
  memo: toPubkey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
  upgradeableLoader: toPubkey('BPFLoaderUpgradeab1e11111111111111111111111'),
} as const

export const sysvars = {
  clock: toPubkey('SysvarC1ock11111111111111111111111111111111'),
  recentBlockhashes: toPubkey('SysvarRecentB1ockHashes11111111111111111111'),
  rent: toPubkey('SysvarRent111111111111111111111111111111111'),
} as const
