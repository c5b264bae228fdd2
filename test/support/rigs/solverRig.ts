import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { erc20Abi } from 'viem'
import { expect, vi } from 'vitest'
import { type ChainClient, createChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import { createLog } from '#src/config/log.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { users } from '#src/devnet/accounts.ts'
import type { PlannedPool } from '#src/devnet/plan/poolPlan.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import { readTokenLists } from '#src/market/currencies/tokenList.ts'
import { createMarkets } from '#src/market/markets.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { isSolverRequest, type SolverRequest } from '#src/requests/state/solverRequest.ts'
import { createTracker } from '#src/requests/tracker/tracker.ts'
import { createWork } from '#src/service/limits/work.ts'
import { createChainClock } from '#test/support/chains/chainClock.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { mineAtUsualFee } from '#test/support/chains/sendUntilMined.ts'
import { plain } from '#test/support/orders/orders.ts'
import { overdueIntervalMs, waitLimitMs } from '#test/support/patience.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'
import { createWallet, toWalletStep, type Wallet } from '#test/support/wallets/wallet.ts'
import { createQuoting } from './createQuoting.ts'
import { type ChainChange, configureChains, sponsor } from './devnetConfig.ts'
import { createMining } from './rigMining.ts'
import { createRigSolvers, type SolverChanges } from './rigSolvers.ts'

export const [ethereum, rollup, bnb] = [990001, 990002, 990003].map(toChainId) as [
  ChainId,
  ChainId,
  ChainId,
]

/** A currency by its symbol, on a chain. */
export type Place = readonly [chainId: ChainId, symbol: string]

export const patience = { timeout: waitLimitMs, interval: 50 }

type Change = Omit<Partial<Order>, 'amount'> & {
  amount: bigint
  referrer?: string
  /** Whether the deposit address of the order takes any payment. */
  isOpen?: boolean
}

type RigChains = Readonly<{
  /** Absent: all of the devnet's. */
  chainIds?: readonly ChainId[]
  pools?: readonly PlannedPool[]
  finalityBlocks?: number
}>

/** Starts the rig with two chains without pools, for orders without swaps. Such chains mine faster. */
export const startBridgingRig = (
  change: ChainChange = {},
  chains: RigChains = {},
): Promise<SolverRig> =>
  startSolverRig(change, { chainIds: [ethereum, rollup], pools: [], ...chains })

/** Starts the devnet, a market and a store, but no tracker and no solver. `change`: of each chain's configuration. */
export async function startSolverRig(
  change: ChainChange = {},
  { chainIds, pools, finalityBlocks = testPace.finalityBlocks }: RigChains = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'devnet-'))
  const log = createLog('silent')
  const bus = createLocalBus()
  const [devnet, store] = await Promise.all([
    startDevnet({
      log,
      directory,
      firstPort: 0,
      ...testPace,
      finalityBlocks,
      ...(chainIds !== undefined && { chainIds }),
      ...(pools !== undefined && { pools }),
    }),
    openEmptyStore({ log, bus }),
  ])
  const config = await configureChains(devnet.config, change)
  const clients = new Map(config.chains.map((chain) => [chain.id, createChainClient(chain, log)]))
  const configured = new Set(config.chains.map(({ id }) => id))
  const listed = readTokenLists(log, config.tokenList ?? [], configured)
  const now = () => performance.now()
  const time = createChainClock(() => market, now)
  const market = createMarkets(
    { clients, log, now, time, stoppedAssets: store.stoppedAssets },
    { config, listed },
  )
  await market.ready()
  const [wallet, stranger] = [users[0], users[1]].map((each) =>
    createWallet(devnet.description, each),
  ) as [Wallet, Wallet]
  /** Milliseconds by which the trackers' clock is ahead. */
  let aheadMs = 0
  const trackers = new Map<ChainId, ReturnType<typeof createTracker>>()
  const ending = new AbortController()
  const running: Promise<void>[] = []
  const { pricing } = createWork(() => undefined)

  const solverOf = createRigSolvers({ clients, log, store, bus, market, pricing }, config)

  const chainOf = (chainId: ChainId): ChainConfig => {
    const chain = config.chains.find(({ id }) => id === chainId)
    if (chain === undefined) throw new Error(`No chain ${chainId}`)
    return chain
  }
  const contractsOn = (chainId: ChainId) => {
    const { contracts } = chainOf(chainId)
    if (contracts === undefined) throw new Error(`No contracts on ${chainId}`)
    return contracts
  }
  const clientOn = (chainId: ChainId) => {
    const client = clients.get(chainId)
    if (client === undefined) throw new Error(`No client of ${chainId}`)
    return client
  }
  const currencyOf = ([chainId, symbol]: Place): Currency => {
    const found = market.currencies
      .list()
      .find((each) => each.chainId === chainId && each.symbol === symbol)
    if (found === undefined) throw new Error(`No ${symbol} on ${chainId}`)
    return found
  }
  const balanceOf = ({ chainId, address }: Currency, holder: string): Promise<bigint> =>
    address === nativeAddress
      ? wallet.clientOn(chainId).getBalance({ address: holder as Address })
      : wallet.clientOn(chainId).readContract({
          address: evmAddress(address),
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [holder as Address],
        })

  /** Waits until the market has every mined block. */
  const settled = () =>
    vi.waitFor(async () => {
      for (const { id } of config.chains)
        expect(market.latest(id)?.block.number).toBeGreaterThanOrEqual(
          await wallet.clientOn(id).getBlockNumber(),
        )
    }, patience)

  async function find(requestId: string): Promise<SolverRequest> {
    const request = await store.find(requestId)
    if (request === undefined || !isSolverRequest(request)) throw new Error(`No ${requestId}`)
    return request
  }

  const quoting = createQuoting({ config, market, store, contractsOn })

  /** Quotes and stores an order. */
  async function put(from: Place, to: Place, change: Change): Promise<string> {
    await settled()
    const { amount, referrer, isOpen = false, ...rest } = change
    const { useDepositAddress, slippageTolerance, appFees, sponsorship } = rest
    const [origin, destination] = [currencyOf(from), currencyOf(to)]
    const [user] = users
    const order: Order = {
      ...plain,
      user: user.address,
      recipient: user.address,
      refundTo: user.address,
      origin,
      destination,
      amount: toAmount(amount),
      tradeType: 'EXACT_INPUT',
      ...rest,
    }
    const snapshot = market.snapshot([origin.chainId, destination.chainId])
    return quoting(priceSwap(order, snapshot), snapshot, {
      request: {
        referrer,
        useDepositAddress,
        strict: !isOpen,
        ...(slippageTolerance !== undefined && { slippageTolerance }),
        ...(appFees !== undefined && {
          appFees: appFees.map((each) => ({ ...each, recipient: evmAddress(each.recipient) })),
        }),
        ...(sponsorship !== undefined && {
          subsidizeFees: true,
          maxSubsidizationAmount: sponsorship.maxUsd,
        }),
      },
      caller: sponsorship && sponsor,
    })
  }

  /** Executes the steps. Returns the receipt of the deposit. */
  async function deposit({ steps }: Pick<SolverRequest, 'steps'>, by = wallet) {
    const receipts = await by.execute(steps.map(toWalletStep))
    const last = receipts.at(-1)
    if (last?.status !== 'success') throw new Error('The deposit reverted')
    return last
  }

  /** Deposits native currency for all of these requests in one block. */
  async function depositAll(requests: readonly SolverRequest[]): Promise<void> {
    const [chainId] = requests.flatMap(({ inputs }) => inputs.map((input) => input.chainId))
    if (chainId === undefined) return
    const steps = requests.flatMap((request) => request.steps.map(toWalletStep))
    const receipts = await wallet.executeAtOnce(chainId, steps)
    expect(receipts.map(({ status }) => status)).toEqual(requests.map(() => 'success'))
  }

  return {
    config,
    market,
    pricing,
    store,
    bus,
    log,
    wallet,
    /** Wallet of an account that has no part in the orders. */
    stranger,
    clientOn,
    chainOf,
    contractsOn,
    currencyOf,
    balanceOf,
    settled,
    quoting,
    find,
    solverAddress: config.solver.address,

    /** Quotes and stores an order that the solver fills. Returns the stored request. */
    quote: async (from: Place, to: Place, change: Change) => find(await put(from, to, change)),

    /** Executes a swap on one chain. */
    async swap(from: Place, to: Place, change: Change): Promise<void> {
      const request = await store.find(await put(from, to, change))
      if (request !== undefined) await deposit(request)
    },

    deposit,
    depositAll,

    /** Starts a tracker on each chain. `into` is the store of the trackers. `seen` wraps their clients. */
    track: (into: RequestStore = store, seen = (client: ChainClient) => client) => {
      for (const chain of config.chains) {
        const now = () => Date.now() + aheadMs
        const deps = { client: seen(clientOn(chain.id)), log, store: into, bus, now }
        const depositCurrencies = new Set(
          config.assets
            .flatMap(({ currencies }) => currencies)
            .filter(({ chainId, address }) => chainId === chain.id && address !== nativeAddress)
            .map(({ address }) => evmAddress(address)),
        )
        const tracker = createTracker(deps, { chain, depositCurrencies, isDevnet: true })
        trackers.set(chain.id, tracker)
        running.push(tracker.run(ending.signal))
      }
    },

    /** Runs a solver on a chain until its `stop` is called or the rig stops. */
    solve(chainId: ChainId, changes: SolverChanges = {}) {
      const stopping = new AbortController()
      const solver = solverOf(chainId, changes)
      const done = solver.run(AbortSignal.any([stopping.signal, ending.signal]))
      running.push(done)
      return {
        ...solver,
        stop: async () => {
          stopping.abort()
          await done
        },
      }
    },

    /** Waits for a terminal status. Returns the request. */
    outcome: (requestId: string): Promise<SolverRequest> =>
      vi.waitFor(async () => {
        const request = await find(requestId)
        expect(request.state.status).toMatch(/success|failure|refund/)
        return request
      }, patience),

    ...createMining(devnet, wallet, finalityBlocks),

    /** Mines this number of blocks at once, the first one at this timestamp. Trackers then expire overdue inputs. */
    mineAt: (chainId: ChainId, timestamp: bigint, blocks: number): Promise<void> =>
      devnet.suspendMining(chainId, async () => {
        const anvil = wallet.clientOn(chainId)
        await anvil.setNextBlockTimestamp({ timestamp })
        await mineAtUsualFee(anvil, blocks)
        const head = await anvil.getBlockNumber()
        const tracker = trackers.get(chainId)
        await vi.waitUntil(() => (tracker?.status().head ?? head) >= head, patience)
        aheadMs += overdueIntervalMs
      }),

    stop: async () => {
      ending.abort()
      await Promise.all(running)
      await store.close()
      await market.close()
      for (const client of clients.values()) client.close()
      await devnet.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

export type SolverRig = Awaited<ReturnType<typeof startSolverRig>>
