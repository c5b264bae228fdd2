import type { ChainConfig, Config } from '#src/config/config.ts'
import { type Account, nativeAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { svmListing } from './svm/svmListing.ts'

/** What a listing says about a configured chain. */
export type ListedChain = Readonly<{
  vmType: 'evm' | 'svm'
  id: ChainId
  name: string
  displayName: string
  explorerUrl: string | undefined
  iconUrl: string | undefined
  /** Whether orders from and to this chain are refused. */
  disabled: boolean
  /** Its native currency. */
  native: Account
  /** Where nothing wraps the native currency: the native currency itself. */
  wrappedNative: Account
  /** Public RPC endpoints for wallets; `undefined` if none is configured. */
  publicRpcUrl: string | undefined
  publicWsUrl: string | undefined
  /** `undefined` if they are not deployed: orders on this chain can then be priced but not quoted. */
  contracts: ListedContracts | undefined
  /** `undefined` where nothing batches reads. */
  multicall3: Account | undefined
  /** Average time between blocks. */
  blockSeconds: number
  /** Names of the AMM deployments that routes on this chain can use. */
  swapSources: readonly string[]
}>

/** The accounts of the gateway on a chain. An svm chain has one program, which is its depository. */
type ListedContracts = Readonly<{ depository: Account }> &
  Partial<Readonly<Record<Exclude<keyof ProtocolContracts, 'depository'>, Account>>>

/** All configured chains: EVM chains first, each kind in the order of the configuration. */
export const listedChains = ({
  chains,
  svmChains,
}: Pick<Config, 'chains' | 'svmChains'>): readonly ListedChain[] => [
  ...chains.map(evmListing),
  ...svmChains.map(svmListing),
]

const evmListing = (chain: ChainConfig): ListedChain => ({
  vmType: 'evm',
  id: chain.id,
  name: chain.name,
  displayName: chain.displayName,
  explorerUrl: chain.explorerUrl,
  iconUrl: chain.iconUrl,
  disabled: chain.disabled,
  native: nativeAddress,
  wrappedNative: chain.wrappedNative,
  publicRpcUrl: chain.publicRpcUrl,
  publicWsUrl: chain.publicWsUrl,
  contracts: chain.contracts,
  multicall3: chain.multicall3,
  blockSeconds: chain.blockSeconds,
  swapSources: [...new Set(chain.factories.map(({ source }) => source))].sort(),
})
