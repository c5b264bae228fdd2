import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { createTracker } from '#src/requests/tracker/tracker.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  // The fill stays unconfirmed, so that the request is open throughout the test.
  rig = await startBridgingRig({ fillConfirmations: 1000 })
})
afterAll(() => rig.stop())

const ending = new AbortController()
const running: Promise<void>[] = []
afterAll(async () => {
  ending.abort()
  await Promise.all(running)
})

/** Starts a tracker of one chain. */
function track(chainId: ChainId, client = rig.clientOn(chainId), isDevnet = true) {
  const stopping = new AbortController()
  const tracker = createTracker(
    { ...rig, client, now: Date.now },
    { chain: rig.chainOf(chainId), depositCurrencies: new Set(), isDevnet },
  )
  const done = tracker.run(AbortSignal.any([stopping.signal, ending.signal]))
  running.push(done)
  const stop = async () => {
    stopping.abort()
    await done
  }
  return { ...tracker, stop }
}

/** A client whose node answers with another block 0 the first `times` times. */
function lying(client: ChainClient, times: number): ChainClient {
  let lies = times
  const ask: ChainClient['ask'] = (request, parse, signal) => {
    const [height] = (request.params ?? []) as readonly unknown[]
    const isGenesis = request.method === 'eth_getBlockByNumber' && height === '0x0'
    if (!isGenesis || lies === 0) return client.ask(request, parse, signal)
    lies -= 1
    const hash = `0x${'b'.repeat(64)}`
    return client.ask(request, (answer) => parse({ ...(answer as object), hash }), signal)
  }
  return { ...client, ask }
}

it('does not refund a filled deposit if a node answers with another genesis block once', async () => {
  const first = track(ethereum)
  track(rollup)
  for (const chainId of [ethereum, rollup]) rig.solve(chainId)
  const [recipient, refundTo] = [newAccount(), newAccount()]
  const order = { amount: 10n ** 17n, recipient, refundTo, disableOriginSwaps: true }
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], order)
  await rig.deposit(quoted)
  const filled = () => rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)
  const refunded = () => rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refundTo)
  await vi.waitUntil(async () => (await filled()) > 0n, patience)
  await first.stop()

  const second = track(ethereum, lying(rig.clientOn(ethereum), 1))
  await vi.waitUntil(async () => {
    const { status } = (await rig.find(quoted.requestId)).state
    const isKept = second.status().head !== undefined && status === 'submitted'
    return isKept || (await refunded()) > 0n
  }, patience)
  const gained = await refunded()
  expect(gained, `the user gained ${gained} wei beside the fill`).toBe(0n)
  await second.stop()

  const other = lying(rig.clientOn(ethereum), Number.POSITIVE_INFINITY)
  const ask: ChainClient['ask'] = (request, ...rest) =>
    request.method === 'eth_getBlockByHash'
      ? Promise.resolve(undefined)
      : other.ask(request, ...rest)
  const third = track(ethereum, { ...other, ask }, false)
  await vi.waitUntil(() => third.status().hasWrongGenesis, patience)
  expect(third.status().head).toBeUndefined()
  expect(await rig.store.depositsOf(quoted.requestId)).toHaveLength(1)
})
