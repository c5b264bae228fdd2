import { LRUCache } from 'lru-cache'
import { type Hash, type Hex, parseAbi, size } from 'viem'
import { callContracts } from '#src/chains/read/callContracts.ts'
import { encodeCall } from '#src/chains/read/callData.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type CallGates, createGatedAsk } from '#src/market/reads/gatedAsk.ts'

/** A kind of contract that keeps what is paid to it, or lets anybody take it. */
export type ContractKind = 'currency' | 'pool' | 'router' | 'factory'

export type ContractKinds = Readonly<{
  /**
   * The kinds of contracts at one block, in the order of `addresses`; undefined for wallets and for unknown contracts.
   * Takes one eth_call at most.
   * @throws AppError RPC_HTTP_ERROR if no node answers; OVERLOADED.
   */
  read: (
    chainId: ChainId,
    addresses: readonly Address[],
    blockHash: Hash,
  ) => Promise<readonly (ContractKind | undefined)[]>
}>

/** Functions without arguments that wallets lack. `isWallet` is no function of any contract. */
const views = parseAbi([
  'function isWallet() view returns (uint256)',
  'function decimals() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function factory() view returns (address)',
  'function WETH() view returns (address)',
  'function WETH9() view returns (address)',
  'function poolManager() view returns (address)',
  'function allPairsLength() view returns (uint256)',
  'function allPoolsLength() view returns (uint256)',
])

type View = (typeof views)[number]['name']

const names = views.map(({ name }) => name)
const calls = names.map((functionName) => encodeCall({ abi: views, functionName }))

/** The functions by which a kind is recognized: all of one list. */
const marks: readonly (readonly [ContractKind, readonly View[]])[] = [
  ['pool', ['token0', 'token1']],
  ['currency', ['decimals', 'totalSupply']],
  ['router', ['factory', 'WETH']],
  ['router', ['factory', 'WETH9']],
  ['router', ['poolManager']],
  ['factory', ['allPairsLength']],
  ['factory', ['allPoolsLength']],
]

const maxCached = 10_000
/** An address without code may get some. */
const ttlMs = 600_000
const deadlineSeconds = 4

export function createContractKinds(
  clients: ReadonlyMap<ChainId, ChainClient>,
  gates: CallGates,
): ContractKinds {
  const ask = createGatedAsk(clients, gates, deadlineSeconds)
  const cached = new LRUCache<string, Readonly<{ kind: ContractKind | undefined }>>({
    max: maxCached,
    ttl: ttlMs,
  })
  return {
    async read(chainId, addresses, blockHash) {
      const keyOf = (address: Address) => `${chainId}:${address}`
      const unknown = [...new Set(addresses)].filter((each) => !cached.has(keyOf(each)))
      const found = new Map<Address, ContractKind | undefined>()
      if (unknown.length > 0) {
        const all = unknown.flatMap((to) => calls.map((data) => ({ to, data })))
        const answers = await ask(chainId, 'reads', (client) =>
          callContracts(client, all, blockHash),
        )
        for (const [at, address] of unknown.entries()) {
          const kind = kindOf(answers.slice(at * calls.length, (at + 1) * calls.length))
          found.set(address, kind)
          cached.set(keyOf(address), { kind })
        }
      }
      return addresses.map((each) => found.get(each) ?? cached.get(keyOf(each))?.kind)
    },
  }
}

function kindOf(answers: readonly (Hex | undefined)[]): ContractKind | undefined {
  const answered = new Set(names.filter((_, at) => isWord(answers[at])))
  // Such a contract answers any call.
  if (answered.has('isWallet')) return undefined
  return marks.find(([, functions]) => functions.every((name) => answered.has(name)))?.[0]
}

const isWord = (answer: Hex | undefined): boolean => answer !== undefined && size(answer) === 32

/** An address of the configuration that must hold a contract. */
export type NamedContract = Readonly<{ name: string; address: Address }>

type Named =
  | 'wrappedNative'
  | 'multicall3'
  | 'factories'
  | 'priceFeeds'
  | 'sequencerFeed'
  | 'contracts'

/** The contracts that a chain's configuration names. */
export const configuredContracts = (chain: Pick<ChainConfig, Named>): readonly NamedContract[] => [
  { name: 'multicall3', address: chain.multicall3 },
  { name: 'wrappedNative', address: chain.wrappedNative },
  ...chain.factories.map((each, at) => ({ name: factoryName(each, at), address: each.factory })),
  ...chain.priceFeeds.map(({ aggregator }, at) => ({
    name: `priceFeeds.${at}`,
    address: aggregator,
  })),
  ...(chain.sequencerFeed ? [{ name: 'sequencerFeed', address: chain.sequencerFeed.address }] : []),
  ...Object.entries(chain.contracts ?? {}).flatMap(([name, address]) =>
    address === undefined ? [] : [{ name: `contracts.${name}`, address }],
  ),
]

export const factoryName = ({ source }: ChainConfig['factories'][number], at: number): string =>
  `factories.${at} (${source})`
