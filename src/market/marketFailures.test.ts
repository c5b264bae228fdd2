import { encodePacked, pad } from 'viem'
import { expect, test, vi } from 'vitest'
import {
  messagesOf,
  patience,
  useMarketChain,
  verifiedAlways,
} from '#test/support/chains/useMarketChain.ts'
import { type Behaviour, changeResult, type RpcAnswer } from '#test/support/nodes/rpcProxy.ts'

const rig = useMarketChain()

test.each(['cut', 'hang'] as const)(
  'survives an interrupted connection (%s)',
  async (behaviour) => {
    const { market, pools, atHead, status } = rig.start()
    await market.ready()
    rig.proxy.behave(behaviour)
    for (let blocks = 0; blocks < 5; blocks++) await rig.chain.churn()
    rig.proxy.behave('pass')
    await atHead()
    expect(pools()).toEqual(await rig.routablePools())
    expect(status()).toMatchObject({ differences: 0, resyncs: 0 })
  },
)

test('goes on with the first read after a failure, without a restart', async () => {
  rig.proxy.behave(changeResult('eth_call', () => null))
  const { market, pools, lines, atHead, status } = rig.start()
  await vi.waitFor(
    () =>
      expect(messagesOf(lines)).toContain(
        'Could not read the market yet; will resume where it stopped',
      ),
    patience,
  )
  await rig.chain.churn()
  rig.proxy.behave('pass')
  await market.ready()
  await atHead()
  expect(pools()).toEqual(await rig.routablePools())
  expect(status().resyncs).toBe(0)
})

/** The answer with every hex digit replaced by 0. */
const zeroed = (answer: RpcAnswer): RpcAnswer =>
  JSON.parse(
    JSON.stringify(answer).replaceAll(
      /0x[0-9a-f]+/g,
      (text) => `0x${text.slice(2).replaceAll(/./g, '0')}`,
    ),
  )

const nonsense: readonly (readonly [string, Behaviour])[] = [
  ['pages of HTML', { body: '<html>Bad gateway</html>', contentType: 'text/html', status: 502 }],
  ['nothing', { change: () => ({ result: '0x' }) }],
  ['zeros', { change: (_, answer) => zeroed(answer) }],
  ['errors', { change: () => ({ error: { code: -32_000, message: 'internal error' } }) }],
]

test.each(nonsense)('survives an RPC that answers %s for a while', async (_, behaviour) => {
  const { market, pools, atHead } = rig.start(verifiedAlways)
  await market.ready()
  await rig.chain.churn()
  const before = rig.proxy.calls.length
  rig.proxy.behave(behaviour)
  await rig.chain.churn()
  await vi.waitFor(() => expect(rig.proxy.calls.length).toBeGreaterThan(before + 2), patience)
  rig.proxy.behave('pass')
  await rig.chain.churn()
  await atHead()
  await vi.waitFor(async () => expect(pools()).toEqual(await rig.routablePools()), patience)
})

test('detects an RPC that hides logs, and reads the pools again', async () => {
  const { market, pools, atHead, status, lines } = rig.start(verifiedAlways)
  await market.ready()
  rig.proxy.behave({
    change: ({ method }, answer) =>
      method === 'eth_getLogs' ? { result: [] } : withoutBloom(answer),
  })
  for (let blocks = 0; blocks < 4; blocks++) await rig.chain.churn()
  await atHead()
  rig.proxy.behave('pass')
  for (let blocks = 0; blocks < 3; blocks++) await rig.chain.churn()
  await atHead()
  await vi.waitFor(async () => expect(pools()).toEqual(await rig.routablePools()), patience)
  expect(status().differences).toBeGreaterThan(0)
  expect(messagesOf(lines)).toContain('A pool differs from the chain')
})

const withoutBloom = (answer: RpcAnswer): RpcAnswer =>
  JSON.parse(
    JSON.stringify(answer).replace(
      /"logsBloom":"0x[0-9a-f]*"/,
      `"logsBloom":"0x${'0'.repeat(512)}"`,
    ),
  )

test('detects a pool whose state changes without a log within one verification round', async () => {
  const { market, pools, atHead, status, lines } = rig.start(verifiedAlways)
  await market.ready()
  const pair = pools()?.find(({ kind }) => kind === 'constantProduct')
  if (pair?.kind !== 'constantProduct') throw new Error('No pair is routed')
  const before = await rig.chain.anvil.snapshot()
  // Storage slot 8 of UniswapV2Pair: both reserves and the time of the last change.
  const value = pad(
    encodePacked(['uint32', 'uint112', 'uint112'], [0, pair.reserve1, pair.reserve0 - 1n]),
  )
  await rig.chain.anvil.setStorageAt({ address: pair.address, index: 8, value })
  for (let blocks = 0; blocks < 3; blocks++) await rig.chain.anvil.mine({ blocks: 1 })
  await atHead()
  const expected = await rig.routablePools()
  await vi.waitFor(() => expect(pools()).toEqual(expected), patience)
  expect(status().differences).toBe(1)
  expect(lines.find(({ msg }) => msg === 'A pool differs from the chain')).toMatchObject({
    pool: pair.address,
    difference: { reserve0: `${pair.reserve0} here, ${pair.reserve0 - 1n} on chain` },
  })
  await rig.chain.anvil.revert({ id: before })
})
