import { randomBytes } from 'node:crypto'
import { type Hash, type Hex, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, vi } from 'vitest'
import { createChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { users } from '#src/devnet/accounts.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import type { TransactionData } from '#src/protocol/step.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createTracker } from '#src/requests/tracker/tracker.ts'
import { type MarketChain, startMarketChain } from '#test/support/chains/marketChain.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import type { StoreHome } from '#test/support/store/storeHome.ts'
import { type Call, createUserCalls } from '#test/support/wallets/userCalls.ts'

export type Signed = Readonly<{ raw: Hex; hash: Hash }>

export const patience = { timeout: waitLimitMs, interval: 50 }
export const chainId = toChainId(chainPlans[0].id)
export const randomId = (): Hash => `0x${randomBytes(32).toString('hex')}`

const keyOf = { user: users[0].privateKey, other: users[1].privateKey } as const
type Who = keyof typeof keyOf

/** A request store and a bus. */
async function openHome(createHome: () => Promise<StoreHome>) {
  const bus = createLocalBus()
  const home = await createHome()
  return { bus, home, store: await home.open({ bus }) }
}

/** A chain that mines on request, a store, and trackers that follow the chain into the store. */
export async function startTrackerRig(createHome: () => Promise<StoreHome>) {
  const [chain, opened] = await Promise.all([
    startMarketChain(chainPlans[0], []),
    openHome(createHome),
  ])
  return createTrackerRig(chain, opened, chainId, async () => {
    await opened.store.close()
    await opened.home.remove()
  })
}

/** A rig on another chain with the same store. */
export async function startSecondRig({ bus, home, store }: TrackerRig) {
  const [, plan] = chainPlans
  return createTrackerRig(
    await startMarketChain(plan, []),
    { bus, home, store },
    toChainId(plan.id),
  )
}

async function createTrackerRig(
  chain: MarketChain,
  { bus, home, store }: Awaited<ReturnType<typeof openHome>>,
  chainId: ChainId,
  close = async () => {},
) {
  const { anvil, deployed } = chain
  const { contracts } = deployed
  const proxy = await startRpcProxy(chain.rpcUrl)
  const { chains } = chain.configure({
    depositConfirmations: 1,
    fillConfirmations: 2,
    rpcUrls: [proxy.url],
  })
  const [config] = chains
  if (config === undefined) throw new Error('No chain is configured')
  const { log, lines } = recordLog()
  const client = createChainClient(config, log, { timeoutSeconds: 2 })
  const running = new Set<() => Promise<void>>()
  let aheadMs = 0
  const currency = (symbol: string): Address => {
    const found = deployed.currencies.find((each) => each.symbol === symbol)
    if (found === undefined) throw new Error(`No ${symbol}`)
    return found.address
  }
  const usdc = currency('USDC')
  const accounts = {
    user: privateKeyToAccount(keyOf.user),
    other: privateKeyToAccount(keyOf.other),
  }
  const calls = createUserCalls({ contracts, usdc })

  /** Signs without sending, so that the same transaction can be sent again after a reorg. */
  async function sign(call: Call, who: Who = 'user', ahead = 0): Promise<Signed> {
    const nonce = await anvil.getTransactionCount({ address: accounts[who].address })
    const raw = await accounts[who].signTransaction({
      ...call,
      chainId,
      nonce: nonce + ahead,
      gas: 3_000_000n,
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      type: 'eip1559',
    })
    return { raw, hash: keccak256(raw) }
  }

  /** Mines a block with these transactions, then empty blocks. */
  async function mine(signed: readonly Signed[] = [], onTop = 0): Promise<void> {
    for (const { raw } of signed) await anvil.sendRawTransaction({ serializedTransaction: raw })
    await anvil.mine({ blocks: 1 })
    // Mines block by block, so that a tracker can process each one.
    for (let block = 0; block < onTop; block += 1) await anvil.mine({ blocks: 1 })
  }

  /** Signs a call and mines it in its own block. */
  async function send(call: Call, who: Who = 'user'): Promise<Signed> {
    const signed = await sign(call, who)
    await mine([signed])
    return signed
  }

  /** Starts a tracker on the rig's store or on a wrapper of it. */
  function track(over: RequestStore = store) {
    const ending = new AbortController()
    const tracker = createTracker(
      { client, log, store: over, bus, now: () => Date.now() + aheadMs },
      {
        chain: config as NonNullable<typeof config>,
        depositCurrencies: new Set([usdc]),
        isDevnet: true,
      },
    )
    const run = tracker.run(ending.signal)
    const stop = async () => {
      running.delete(stop)
      ending.abort()
      await run
    }
    running.add(stop)
    /** Mines a block and waits until the tracker has followed it. The tracker has then processed all earlier blocks. */
    const settled = async () => {
      await mine()
      const head = await anvil.getBlockNumber()
      await vi.waitFor(() => expect(tracker.status().head).toBe(head), patience)
    }
    return { stop, status: tracker.status, settled }
  }

  const stateOf = async (requestId: string) => {
    const found = await store.find(requestId)
    if (found === undefined) throw new Error(`No ${requestId}`)
    return found.state
  }

  return {
    chain,
    proxy,
    anvil,
    store,
    home,
    bus,
    lines,
    client,
    config,
    accounts,
    contracts,
    currency,
    usdc,
    sign,
    mine,
    send,
    track,
    stateOf,
    reorg: chain.reorg,

    /** Moves the trackers' clock forward. */
    skipMs: (milliseconds: number): void => {
      aheadMs += milliseconds
    },

    /** Waits until the request's state matches. */
    shows: (requestId: string, expected: object) =>
      vi.waitFor(async () => expect(await stateOf(requestId)).toMatchObject(expected), patience),

    /** Statuses of the request's changes in order. Checks that no seq is missing. */
    async statuses(requestId: string): Promise<readonly string[]> {
      const changes = await store.changesAfter(requestId, 0)
      expect(changes.map(({ state }) => state.seq)).toEqual(changes.map((_, at) => at + 1))
      return changes.map(({ state }) => state.status)
    },

    hint: (txHash: Hash, requestId?: Hash) =>
      store.addHint({ chainId, txHash, ...(requestId && { requestId }) }),

    /** Stores a solver request for a deposit of 1,000 units, by default of USDC on this chain. */
    async putSolverRequest(depositCurrency = usdc, of: ChainId = chainId) {
      const requestId = randomId()
      const quoted = quotedRequest(requestId)
      if (quoted.execution !== 'solver') throw new Error('Not what the solver fills')
      const least = { depositAmount: toAmount(1_000n), leastDeposit: toAmount(1_000n) }
      const request = {
        ...quoted,
        inputs: quoted.inputs.map((each) => ({ ...each, ...least, chainId: of, depositCurrency })),
        orderId: randomId(),
      }
      await store.put(request)
      return request
    },

    /** Stores a request that the user executes. Its last step is the call. */
    async putUserRequest(
      callOf: (requestId: Hash) => Call,
      {
        originCurrency,
        amountIn,
        approval,
      }: { originCurrency: Address; amountIn: bigint; approval?: Call },
    ) {
      const requestId = randomId()
      const { orderId, order, inputs, funding, fill, ...shared } = {
        ...quotedRequest(requestId),
      } as Extract<QuotedRequest, { execution: 'solver' }>
      const user = accounts.user.address.toLowerCase() as Address
      const dataOf = (call: Call): TransactionData => ({
        from: user,
        ...call,
        chainId,
        maxFeePerGas: 1n,
        maxPriorityFeePerGas: 1n,
        isFirst: true,
      })
      const [approve, deposit] = shared.steps
      if (approve === undefined || deposit === undefined) throw new Error('No steps')
      const request: QuotedRequest = {
        ...shared,
        execution: 'user',
        user,
        recipient: user,
        originCurrency,
        destinationChainId: chainId,
        amountIn: toAmount(amountIn),
        steps: [
          ...(approval === undefined
            ? []
            : [{ ...approve, items: [{ status: 'incomplete' as const, data: dataOf(approval) }] }]),
          {
            ...deposit,
            id: 'swap',
            items: [{ status: 'incomplete', data: dataOf(callOf(requestId)) }],
          },
        ],
      }
      await store.put(request)
      return request
    },

    calls,
    stopTrackers: () => Promise.all([...running].map((stop) => stop())),
    async stop() {
      await Promise.all([...running].map((stop) => stop()))
      client.close()
      await Promise.all([chain.stop(), proxy.stop()])
      await close()
    },
  }
}

export type TrackerRig = Awaited<ReturnType<typeof createTrackerRig>>
