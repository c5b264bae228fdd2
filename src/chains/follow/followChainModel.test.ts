import fc from 'fast-check'
import { pino } from 'pino'
import { type Hash, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ChainEvent } from '#src/chains/chainEvent.ts'
import {
  type CanonicalBlock,
  createTestClient,
  startTestChain,
  type TestChain,
  toCanonical,
} from '#test/support/chains/testChain.ts'
import {
  type Behaviour,
  changeResult,
  type RpcProxy,
  startRpcProxy,
} from '#test/support/nodes/rpcProxy.ts'
import { patience } from '#test/support/patience.ts'
import { runs } from '#test/support/runs.ts'
import { followChain } from './followChain.ts'

let chain: TestChain
let proxies: readonly RpcProxy[]
/** Makes every topic, and so every block, unique. */
let salt = 0

beforeAll(async () => {
  chain = await startTestChain()
  proxies = await Promise.all([startRpcProxy(chain.rpcUrl), startRpcProxy(chain.rpcUrl)])
})
afterAll(() => Promise.all([chain.stop(), ...proxies.map((proxy) => proxy.stop())]))

const troubles: Readonly<Record<string, Behaviour>> = {
  none: 'pass',
  cut: 'cut',
  hang: 'hang',
  html: { body: '<html>', contentType: 'text/html' },
  garbage: { body: '{"result":[' },
  noLogs: changeResult('eth_getLogs', () => []),
  noBlocks: changeResult('eth_getBlockByNumber', () => null),
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('emit' as const), logs: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mine' as const), blocks: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reorg' as const), depth: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('snapshot' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revert' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('trouble' as const),
      proxy: fc.nat(1),
      kind: fc.constantFrom(...Object.keys(troubles)),
    }),
  },
  // Waits until the follower has reached the head.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('see' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const freshTopic = (): Hash => {
  salt += 1
  return numberToHex(salt, { size: 32 })
}

/** Applies events to a stack of blocks, and checks that each event is allowed. */
function createStack(base: Readonly<{ number: bigint; hash: Hash }>) {
  const blocks: CanonicalBlock[] = []
  let final = -1n
  const top = () => blocks.at(-1) ?? base

  function apply(event: ChainEvent): void {
    if (event.type === 'block') {
      expect(event.block.number).toBe(top().number + 1n)
      expect(event.block.parentHash).toBe(top().hash)
      blocks.push(toCanonical(event.block))
    } else if (event.type === 'reorg') {
      expect(event.undone.length).toBeGreaterThan(0)
      expect(event.undone.map(toCanonical)).toEqual(blocks.splice(-event.undone.length).reverse())
      expect(top().number).toBeGreaterThanOrEqual(final)
    } else {
      expect(event.block.number).toBeGreaterThan(final)
      final = event.block.number
    }
  }

  return { blocks, top, apply }
}

/** Runs the steps on the chain, followed from its current head. */
async function runSteps(steps: readonly Step[], hasSocket: boolean): Promise<void> {
  const base = await chain.anvil.getBlock()
  const stack = createStack(base)
  const rpcUrls = proxies.map(({ url }) => url)
  const wsUrl = hasSocket ? { wsUrl: proxies[0]?.wsUrl ?? '' } : {}
  const log = pino({ level: 'silent' })
  const client = createTestClient({ rpcUrls, ...wsUrl }, log, 0.3)
  const stop = new AbortController()
  const following = (async () => {
    // The topics of all logs that this run may emit.
    const topics = Array.from({ length: 100 }, (_, at) => numberToHex(salt + at + 1, { size: 32 }))
    const args = { topics, pollSeconds: 0.01, finalityDepth: 200, signal: stop.signal }
    const from = { number: base.number, hash: base.hash }
    for await (const event of followChain({ client, log }, { ...args, from })) stack.apply(event)
  })()
  const hasFailed = following.then(() => false).catch(() => true)

  /** Waits until the follower has reached the head of the chain. */
  const see = async () => {
    for (const proxy of proxies) proxy.behave('pass')
    // A new unique block: the follower cannot distinguish a chain that only became shorter from a lagging node.
    await chain.emit(freshTopic())
    const { hash } = await chain.anvil.getBlock()
    const seen = vi.waitUntil(() => stack.top().hash === hash, { ...patience, interval: 5 })
    await Promise.race([seen, hasFailed])
  }

  try {
    await takeSteps(steps, base.number, see)
    await see()
  } finally {
    stop.abort()
    await following
    client.close()
  }
  expect(stack.blocks).toEqual(await chain.canonical(base.number + 1n))
}

async function takeSteps(
  steps: readonly Step[],
  floor: bigint,
  see: () => Promise<void>,
): Promise<void> {
  let snapshot: Readonly<{ id: Hash; height: bigint }> | undefined
  for (const step of steps) {
    switch (step.do) {
      case 'emit':
        await chain.emit(...Array.from({ length: step.logs }, freshTopic))
        break
      case 'mine':
        await chain.anvil.mine({ blocks: step.blocks })
        break
      case 'reorg': {
        const height = await chain.anvil.getBlockNumber()
        const depth = Math.min(step.depth, Number(height - floor))
        if (depth > 0) await chain.reorg(depth)
        // anvil cannot go back to a block that is no longer its own.
        if (snapshot && height - BigInt(depth) < snapshot.height) snapshot = undefined
        break
      }
      case 'snapshot':
        snapshot = {
          id: await chain.anvil.snapshot(),
          height: await chain.anvil.getBlockNumber(),
        }
        break
      case 'revert':
        if (snapshot !== undefined) await chain.anvil.revert(snapshot)
        snapshot = undefined
        break
      case 'trouble':
        proxies[step.proxy]?.behave(troubles[step.kind] ?? 'pass')
        break
      case 'see':
        await see()
        break
    }
  }
}

test('the events reproduce the chain through all reorgs and RPC failures', async () => {
  const steps = fc.array(step, { minLength: 5, maxLength: 25 })
  await fc.assert(fc.asyncProperty(steps, fc.boolean(), runSteps), { numRuns: runs(20, 6) })
})
