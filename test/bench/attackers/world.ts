import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { reconcileNonces } from '#src/cli/reconcile/reconcile.ts'
import { type ConfigInput, parseConfig } from '#src/config/config.ts'
import { readEnvironment } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { type AnvilClient, createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import type { PlannedPool } from '#src/devnet/plan/poolPlan.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import { readTokenLists } from '#src/market/currencies/tokenList.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { limitsOf } from '#src/system/gatewayLimits.ts'
import { startSystem } from '#src/system/startSystem.ts'
import { createChainClock } from '#test/support/chains/chainClock.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { waitFor } from './waitFor.ts'

export const [ethereum, rollup, bnb] = [990001, 990002, 990003] as const

export type ConfigChange = (config: ConfigInput) => ConfigInput

/** No pool has the price of ether, so that a pool of an attacker is the deepest. Only attackers and their victims swap. */
const pools: readonly PlannedPool[] = [
  { version: 2, pair: ['USDC', 'USDT'], depthUsd: 1_000_000n, state: 'live' },
  // So small that an attacker can move them.
  { version: 2, pair: ['USDC', 'WBTC'], depthUsd: 40_000n, state: 'live' },
  { version: 2, pair: ['USDC', 'ACORN'], depthUsd: 40_000n, state: 'live' },
]

/**
 * The devnet, and Crossquote on it with all its roles. Each chain has two endpoints: the first is a proxy that an
 * attacker may control, the second is the node itself.
 * @param hasLimits whether the gateway has the default limits of its clients: all share one address, honest users have a key.
 */
export async function startWorld(change: ConfigChange, hasLimits: boolean) {
  const directory = mkdtempSync(join(tmpdir(), 'attackers-'))
  const storeDirectory = join(directory, 'store')
  const log = createLog('silent')
  const devnet = await startDevnet({ log, directory, firstPort: 0, minesOnDemand: true, pools })
  const proxies = new Map<number, RpcProxy>()
  for (const { id, rpcUrl } of devnet.description.chains)
    proxies.set(id, await startRpcProxy(rpcUrl))
  const config = parseConfig(change(guarded(behindProxies(devnet, proxies))), 'the devnet')
  const listed = readTokenLists(
    log,
    config.tokenList ?? [],
    new Set(config.chains.map(({ id }) => id)),
  )
  const account = privateKeyToAccount(devnet.description.solver.privateKey)
  const clients = new Map(
    devnet.description.chains.map(({ id, rpcUrl }) => [id, createAnvilClient(rpcUrl)]),
  )
  const on = (chainId: number): AnvilClient => {
    const client = clients.get(chainId)
    if (client === undefined) throw new Error(`The devnet has no chain ${chainId}`)
    return client
  }

  const contractsOn = (chainId: number) => {
    const contracts = config.chains.find(({ id }) => id === chainId)?.contracts
    if (contracts === undefined) throw new Error(`No contracts on chain ${chainId}`)
    return contracts
  }

  async function startCrossquote(wrap: (store: RequestStore) => RequestStore = (each) => each) {
    const bus = createLocalBus()
    const store = await openRequestStore({ log, bus }, { directory: storeDirectory })
    const now = () => performance.now()
    const time = createChainClock(() => system.market, now)
    const system = startSystem(
      { log, store: wrap(store), bus, now, time },
      {
        config,
        listed,
        account,
        roles: new Set(['gateway', 'tracker', 'solver'] as const),
        ...(hasLimits && { limits: limitsOf(readEnvironment({})) }),
      },
    )
    await new Promise<void>((resolve) => system.server.listen(0, '127.0.0.1', resolve))
    await system.market?.ready()
    return {
      store,
      url: `http://127.0.0.1:${(system.server.address() as AddressInfo).port}`,
      stop: async () => {
        await system.stop()
        await store.close()
      },
    }
  }
  let crossquote = await startCrossquote()

  return {
    devnet,
    config,
    on,
    /** Asks the GraphQL API, as a frontend with its key or as nobody, from a network if one is given. */
    query: <Result>(
      document: string,
      variables: object,
      by: 'frontend' | 'anonymous',
      network?: string,
    ) =>
      createGraphqlClient(crossquote.url).query<Result, object>(document, variables, {
        ...(by === 'frontend' && { 'x-api-key': frontendKey }),
        ...(network !== undefined && { 'x-forwarded-for': network }),
      }),
    /** Calls a depository as its owner. */
    asOwner: async (chainId: number, data: Hex): Promise<void> => {
      const client = on(chainId)
      const { depository: to } = contractsOn(chainId)
      const owner = await client.readContract({
        address: to,
        abi: depository.abi,
        functionName: 'owner',
      })
      await client.setBalance({ address: owner, value: 10n ** 18n })
      await client.impersonateAccount({ address: owner })
      const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 8n, gas: 1_000_000n }
      const hash = await client.sendTransaction({ account: owner, chain: null, to, data, ...fees })
      const isMined = () => client.getTransactionReceipt({ hash }).catch(() => undefined)
      await waitFor(async () => (await isMined()) !== undefined, 30)
      if ((await isMined())?.status !== 'success') throw new Error('The call of the owner failed')
    },
    proxyOf: (chainId: number): RpcProxy => {
      const proxy = proxies.get(chainId)
      if (proxy === undefined) throw new Error(`No proxy for chain ${chainId}`)
      return proxy
    },
    contractsOn,
    currencyOn: (chainId: number, symbol: string): Address => {
      const chain = devnet.description.chains.find(({ id }) => id === chainId)
      if (chain?.nativeCurrency.symbol === symbol) return nativeAddress
      const currency = chain?.currencies.find((each) => each.symbol === symbol)
      if (currency === undefined) throw new Error(`No ${symbol} on chain ${chainId}`)
      return currency.address
    },
    /** The lines of `/metrics` that begin with this name. */
    metric: async (name: string): Promise<readonly string[]> => {
      const text = await (await fetch(`${crossquote.url}/metrics`)).text()
      return text.split('\n').filter((line) => line.startsWith(name))
    },
    /** Stops Crossquote and starts it again, on the same database or on a `wrap` of it. */
    restart: async (wrap?: (store: RequestStore) => RequestStore): Promise<void> => {
      await crossquote.stop()
      crossquote = await startCrossquote(wrap)
    },
    /** Like `npm run reconcile`: accepts the transactions that the database does not have. */
    reconcile: async (chainId: number): Promise<void> => {
      const id = toChainId(chainId)
      const { store } = crossquote
      const count = (block: 'latest' | 'pending') =>
        on(chainId).getTransactionCount({ address: account.address, blockTag: block })
      await reconcileNonces(
        { store, countAt: count, now: Date.now },
        { chainId: id, account: config.solver.address, accept: await count('latest') },
      )
    },
    stop: async () => {
      await crossquote.stop()
      for (const proxy of proxies.values()) await proxy.stop()
      await devnet.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>

/** API key of the frontend that the honest users trade through. Attackers are anonymous. */
const frontendKey = 'a frontend of honest users'

/** Most that a reorg of a chain may cost, in US dollars. */
export const ceilingUsd = 25_000

/** The devnet is configured to fill at once: here it guards its money as a real operator's would. */
const guarded = (config: ConfigInput): ConfigInput => ({
  ...config,
  apiKeys: [{ name: 'frontend', key: frontendKey }],
  proxies: 1,
  solver: { ...config.solver, openPriceSeconds: 60 },
  chains: config.chains.map((chain) => ({
    ...chain,
    // Deeper than the reorgs of the week. The default waits longer, and would hide what attackers add to it.
    depositTiers: [{ upToUsd: '1000', blocks: 4 }],
    agreeAboveUsd: '100',
    agreeingEndpoints: 2,
    maxUnfinalizedUsd: `${ceilingUsd}`,
  })),
})

const behindProxies = (
  { config, description }: Devnet,
  proxies: ReadonlyMap<number, RpcProxy>,
): ConfigInput => ({
  ...config,
  chains: config.chains.map((chain) => {
    const own = description.chains.find(({ id }) => id === chain.id)?.rpcUrl ?? ''
    return { ...chain, rpcUrls: [proxies.get(chain.id)?.url ?? own, own] }
  }),
})

/** Replaces the last blocks: `first` takes the place of the dropped transactions, the others stay in their order. */
export async function replaceBlocks(
  client: AnvilClient,
  depth: number,
  dropped: ReadonlySet<Hex>,
  first: readonly Hex[],
): Promise<void> {
  const head = await client.getBlockNumber()
  const kept: [Hex, number][] = first.map((raw) => [raw, 0])
  for (let at = 0; at < depth; at += 1) {
    const { transactions } = await client.getBlock({
      blockNumber: head - BigInt(depth - 1 - at),
    })
    for (const hash of transactions) {
      if (dropped.has(hash)) continue
      const raw = await client.request<RawTransaction>({
        method: 'eth_getRawTransactionByHash',
        params: [hash],
      })
      kept.push([raw, at])
    }
  }
  await client.request<AnvilReorg>({ method: 'anvil_reorg', params: [depth, kept] })
}

type RawTransaction = { Method: 'eth_getRawTransactionByHash'; Parameters: [Hex]; ReturnType: Hex }
type AnvilReorg = {
  Method: 'anvil_reorg'
  Parameters: [depth: number, transactions: [raw: Hex, block: number][]]
  ReturnType: null
}
