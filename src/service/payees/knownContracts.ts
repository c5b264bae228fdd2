import type { ChainConfig } from '#src/config/config.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { configuredContracts } from '#src/market/contracts/configuredContracts.ts'
import type { Markets } from '#src/market/markets.ts'
import { permit2Address } from '#src/protocol/contracts/permit2.ts'

/** Describes a contract that is no wallet, for users. Undefined for any other address. Reads nothing. */
export type KnownContract = (chainId: ChainId, address: Address) => string | undefined

/** Contracts with the same address on every chain. */
const shared: ReadonlyMap<Address, string> = new Map([
  [permit2Address, 'the Permit2 contract'],
  [toAddress('0xca11bde05977b3631167028862be2a173976ca11'), 'the Multicall3 contract'],
  [toAddress('0x4e59b44847b379578588920ca78fbf26c0b4956c'), 'the deployer of contracts'],
  [toAddress('0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789'), 'an entry point of ERC-4337'],
  [toAddress('0x0000000071727de22e5e9d8baf0edac6f37da032'), 'an entry point of ERC-4337'],
])

/** Covers Ethereum's precompiles, P256VERIFY at 0x100, and Arbitrum's. */
const lastPrecompile = 0x1ffn
/** @source OP stack, predeploys: https://specs.optimism.io/protocol/predeploys.html */
const firstPredeploy = 0x4200000000000000000000000000000000000000n
const lastPredeploy = firstPredeploy + 0x7ffn

/** The contracts of the configuration, the pools of the market, and the contracts that every chain has. */
export function createKnownContracts(
  chains: readonly ChainConfig[],
  latest: Markets['latest'],
): KnownContract {
  const configured = new Map(
    chains.map((chain) => [
      chain.id,
      {
        isOpStack: chain.l1DataFee === 'opStack',
        ours: new Set(Object.values(chain.contracts ?? {})),
        all: new Set(configuredContracts(chain).map(({ address }) => address)),
      },
    ]),
  )
  return (chainId, address) => {
    const place = BigInt(address)
    if (place <= lastPrecompile) return 'a precompile'
    const chain = configured.get(chainId)
    if (chain?.ours.has(address)) return `a contract of this gateway on chain ${chainId}`
    if (chain?.all.has(address)) return `a contract that this gateway uses on chain ${chainId}`
    if (latest(chainId)?.graph.topology.poolNumbers.has(address))
      return `a pool on chain ${chainId}`
    if (chain?.isOpStack && place >= firstPredeploy && place <= lastPredeploy)
      return `a system contract of chain ${chainId}`
    return shared.get(address)
  }
}
