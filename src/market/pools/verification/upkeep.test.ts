import { encodePacked, keccak256, pad, toHex } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import {
  messagesOf,
  patience,
  useMarketChain,
  verifiedAlways,
} from '#test/support/chains/useMarketChain.ts'
import { changeResult, type RpcAnswer } from '#test/support/nodes/rpcProxy.ts'

const rig = useMarketChain()

type Gate = Readonly<{
  /** How many calls have come so far. */
  reached: () => number
  /** Lets those pass that have come so far. */
  release: () => void
  /** Lets all pass. */
  open: () => void
}>

const gates: Gate[] = []
afterEach(() => {
  for (const { open } of gates.splice(0)) open()
})

/** Reads of pools have this call in them. */
const reservesSelector = keccak256(toHex('getReserves()')).slice(2, 10)

/** Holds back the node's answers to all reads of pools. The node has computed them at once. */
function holdPoolReads(): Gate {
  const held: (() => void)[] = []
  let reached = 0
  rig.proxy.behave({
    change: async ({ method, params }, answer): Promise<RpcAnswer> => {
      if (method !== 'eth_call' || !JSON.stringify(params).includes(reservesSelector)) return answer
      reached += 1
      await new Promise<void>((resolve) => held.push(resolve))
      return answer
    },
  })
  const release = () => {
    for (const pass of held.splice(0)) pass()
  }
  const open = () => {
    rig.proxy.behave('pass')
    release()
  }
  const gate = { reached: () => reached, release, open }
  gates.push(gate)
  return gate
}

/** Changes the reserves of a pair without a log. */
const changeReserves = async ({ address, reserve0, reserve1 }: ConstantProductPool) => {
  // Storage slot 8 of UniswapV2Pair: both reserves and the time of the last change.
  const value = pad(encodePacked(['uint32', 'uint112', 'uint112'], [0, reserve1, reserve0 - 1n]))
  await rig.chain.anvil.setStorageAt({ address, index: 8, value })
}

const pairOf = (pools: ReturnType<ReturnType<typeof rig.start>['pools']>) => {
  const pair = pools?.find(({ kind }) => kind === 'constantProduct')
  if (pair?.kind !== 'constantProduct') throw new Error('No pair is routed')
  return pair
}

test('follows the blocks while a verification waits for its node', async () => {
  const { market, pools, atHead, status } = rig.start(verifiedAlways, { timeoutSeconds: 3_600 })
  await market.ready()
  const gate = holdPoolReads()
  await vi.waitUntil(() => gate.reached() > 0, patience)
  for (let blocks = 0; blocks < 3; blocks++) {
    await rig.chain.churn()
    await atHead()
  }
  expect(pools()).toEqual(await rig.routablePools())
  // It is compared with the state at the block that was read, although the pools have traded since then.
  const { verified } = status()
  gate.open()
  await vi.waitUntil(() => status().verified > verified, patience)
  expect(status()).toMatchObject({ differences: 0, resyncs: 0 })
  expect(pools()).toEqual(await rig.routablePools())
})

/** A market whose pools are due once the test moves its clock, and are then read at the next block. */
async function startOnCue() {
  const clock = { ms: 0 }
  const args = { timeoutSeconds: 3_600, now: () => clock.ms }
  const started = rig.start({ verifyEverySeconds: 1, verifyCallsPerSecond: 1000 }, args)
  await started.market.ready()
  return {
    ...started,
    /** Has all pools compared with the state of a new block. */
    verifyNext: async () => {
      clock.ms += 10_000
      await rig.chain.anvil.mine({ blocks: 1 })
    },
  }
}

test('brings a pool that differed to the head, although it traded while it was read', async () => {
  const before = await rig.chain.anvil.snapshot()
  const { pools, atHead, status, lines, verifyNext } = await startOnCue()
  const pair = pairOf(pools())
  const now = () => pools()?.find(({ address }) => address === pair.address)
  const gate = holdPoolReads()
  await changeReserves(pair)
  await verifyNext()
  await vi.waitUntil(() => gate.reached() > 0, patience)
  await vi.waitUntil(async () => {
    await rig.chain.churn()
    await atHead()
    return now() !== pair
  }, patience)
  gate.open()
  await vi.waitUntil(() => status().differences > 0, patience)
  // The next block is published with the state that was taken over.
  await rig.chain.anvil.mine({ blocks: 1 })
  await atHead()
  expect(pools()).toEqual(await rig.routablePools())
  expect(status()).toMatchObject({ differences: 1, resyncs: 0 })
  expect(lines.find(({ msg }) => msg === 'A pool differs from the chain')).toMatchObject({
    pool: pair.address,
    difference: { reserve0: `${pair.reserve0} here, ${pair.reserve0 - 1n} on chain` },
  })
  await rig.chain.anvil.revert({ id: before })
})

test('discards its read of a block that was orphaned meanwhile', async () => {
  const before = await rig.chain.anvil.snapshot()
  const { pools, atHead, status, verifyNext } = await startOnCue()
  const gate = holdPoolReads()
  const unchanged = await rig.chain.anvil.snapshot()
  // Only the block that is orphaned has the changed state.
  await changeReserves(pairOf(pools()))
  await verifyNext()
  await vi.waitUntil(() => gate.reached() === 1, patience)
  gate.release()
  // The second read, which confirms the first.
  await vi.waitUntil(() => gate.reached() === 2, patience)
  await rig.chain.anvil.revert({ id: unchanged })
  await rig.chain.anvil.mine({ blocks: 2 })
  await atHead()
  gate.open()
  await vi.waitUntil(async () => {
    await verifyNext()
    return status().verified > 0
  }, patience)
  expect(status()).toMatchObject({ differences: 0, resyncs: 0 })
  expect(pools()).toEqual(await rig.routablePools())
  await rig.chain.anvil.revert({ id: before })
})

test('publishes the states that a verification took over before it failed', async () => {
  const before = await rig.chain.anvil.snapshot()
  const { pools, atHead, status, lines, verifyNext } = await startOnCue()
  // The logs of the one pool that differs are asked for once its state has been taken over.
  rig.proxy.behave({
    change: ({ method, params }, answer) =>
      method === 'eth_getLogs' && JSON.stringify(params).includes('"address"')
        ? { error: { code: -32_000, message: 'internal error' } }
        : answer,
  })
  await changeReserves(pairOf(pools()))
  await verifyNext()
  await vi.waitUntil(() => messagesOf(lines).includes('Could not verify pools'), patience)
  expect(status().differences).toBe(1)
  await atHead()
  // No block comes that would be published with it.
  const expected = await rig.routablePools()
  await vi.waitFor(() => expect(pools()).toEqual(expected), patience)
  await rig.chain.anvil.revert({ id: before })
})

test('verifies again after a verification that failed', async () => {
  const { market, status, lines } = rig.start(verifiedAlways)
  await market.ready()
  rig.proxy.behave(changeResult('eth_call', () => null))
  const hasFailed = () => lines.some(({ msg }) => msg === 'Could not verify pools')
  await vi.waitUntil(hasFailed, patience)
  const { verified } = status()
  rig.proxy.behave('pass')
  await vi.waitUntil(() => status().verified > verified, patience)
})

test('keeps to its RPC budget, and to none of it while nothing is due', async () => {
  const slow = { verifyEverySeconds: 1, verifyCallsPerSecond: 5 }
  const clock = { ms: 0 }
  const { market, client, status, atHead } = rig.start(slow, { now: () => clock.ms })
  await market.ready()
  const reads = () => client.requests().get('eth_call') ?? 0
  const before = reads()
  expect(status().verified).toBe(0)
  // Thirty-three pools and eight currencies are due at once. One step is sent, and its cost is paid off first.
  clock.ms = 1_000
  await rig.chain.anvil.mine({ blocks: 1 })
  await atHead()
  await vi.waitUntil(() => status().verified > 0, patience)
  const first = status().verified
  for (let blocks = 0; blocks < 3; blocks++) {
    await rig.chain.anvil.mine({ blocks: 1 })
    await atHead()
  }
  expect(status().verified).toBe(first)
  expect(reads() - before).toBeLessThan(40)
  clock.ms = 60_000
  await rig.chain.anvil.mine({ blocks: 1 })
  await vi.waitUntil(() => status().verified > first, patience)
})

test('refuses a factory whose pools swap with an event that is not decoded, with the reason', async () => {
  const { anvil, deployed } = rig.chain
  const before = await anvil.snapshot()
  const { market, pools, status, lines } = rig.start(verifiedAlways)
  await market.ready()
  const concentrated = () => pools()?.filter(({ kind }) => kind === 'concentrated') ?? []
  const pairs = (pools()?.length ?? 0) - concentrated().length
  expect(concentrated().length).toBeGreaterThan(0)
  // The pools are those of Uniswap, but for the topic of their Swap event.
  const topic = keccak256(toHex('Swap(address,address,int256,int256,uint160,uint128,int24)')).slice(
    2,
  )
  const own = keccak256(toHex('Swap(address,address,int256,int256,uint160,uint128,int24,bytes)'))
  for (const { address } of concentrated()) {
    const code = (await anvil.getCode({ address })) ?? '0x'
    expect(code).toContain(topic)
    await anvil.setCode({
      address,
      bytecode: code.replaceAll(topic, own.slice(2)) as `0x${string}`,
    })
  }
  const tracked = status().head?.pools
  await vi.waitUntil(async () => {
    await rig.chain.churn()
    return status().refusedFactories.length > 0
  }, patience)
  const factory = deployed.contracts.uniswapV3Factory.toLowerCase()
  const [reason] = status().refusedFactories
  expect(reason).toMatch(
    new RegExp(
      `^The pools of uniswap-v3 \\(factory ${factory}\\) on Devnet Ethereum are not used: 0x[0-9a-f]{40} swaps with an event that is not decoded, ${own}$`,
    ),
  )
  expect(lines.filter(({ level, msg }) => level === 50 && msg === reason)).toHaveLength(1)
  await vi.waitUntil(() => concentrated().length === 0, patience)
  // The pairs of the other factory are routed as before, and all pools are tracked on.
  expect(pools()).toHaveLength(pairs)
  expect(status().head?.pools).toBe(tracked)
  await anvil.revert({ id: before })
})
