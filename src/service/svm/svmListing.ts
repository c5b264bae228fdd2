import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import { svmNative } from '#src/core/units/svm/pubkey.ts'

/** A Solana chain in listings. It has no pools, and nothing wraps its native currency. */
export const svmListing = (chain: SvmChainConfig) => ({
  vmType: 'svm' as const,
  id: chain.id,
  name: chain.name,
  displayName: chain.displayName,
  explorerUrl: chain.explorerUrl,
  iconUrl: chain.iconUrl,
  disabled: chain.disabled,
  native: svmNative,
  wrappedNative: svmNative,
  publicRpcUrl: chain.publicRpcUrl,
  publicWsUrl: chain.publicWsUrl,
  contracts: chain.program === undefined ? undefined : { depository: chain.program },
  multicall3: undefined,
  blockSeconds: chain.blockSeconds,
  swapSources: [],
})
