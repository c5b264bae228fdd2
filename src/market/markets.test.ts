import { expect, test, vi } from 'vitest'
import type { AppError } from '#src/core/errors.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import {
  breakSequencerFeed,
  sequencerFeedAddress,
  setSequencer,
} from '#test/support/chains/sequencerFeed.ts'
import {
  messagesOf,
  patience,
  useMarketChain,
  verifiedAlways,
} from '#test/support/chains/useMarketChain.ts'

const rig = useMarketChain()

test('reports a chain without a market, or with a stale one', async () => {
  const { timestamp } = await rig.chain.anvil.getBlock()
  let time = Number(timestamp) * 1000
  const { market, chainId, status } = rig.start(
    { blockSeconds: 1, maxMarketAgeSeconds: undefined },
    { time: () => time },
  )
  expect(() => market.snapshot([chainId])).toThrow(
    expect.objectContaining({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The market of Devnet Ethereum is not ready yet',
    }),
  )
  await market.ready()
  expect(market.snapshot([chainId]).chains.has(chainId)).toBe(true)
  expect(() => market.snapshot([chainId, toChainId(5)])).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_CHAIN', data: { chainId: 5 } }),
  )
  time += 15_001
  const message =
    'The newest block of Devnet Ethereum is 15 s old: prices need a block that is at most 15 s old'
  expect(() => market.snapshot([chainId])).toThrow(
    expect.objectContaining({
      code: 'STALE_MARKET',
      message,
      data: expect.objectContaining({ chainId, ageSeconds: 15, maxAgeSeconds: 15, lagBlocks: 0 }),
    }),
  )
  expect(status().head).toMatchObject({ ageSeconds: 15.001, staleReason: message })
  expect(market.snapshot([]).chains.has(chainId)).toBe(true)
})

test('reports the number of announced blocks that the market lacks', async () => {
  const { market, status, atHead } = rig.start({}, { timeoutSeconds: 3_600 })
  await market.ready()
  expect(status().head?.lagBlocks).toBe(0n)
  const { promise, resolve } = Promise.withResolvers<void>()
  rig.proxy.behave({
    before: ({ method }) => (method === 'eth_getLogs' ? promise : Promise.resolve()),
  })
  for (let blocks = 0; blocks < 3; blocks++) await rig.chain.churn()
  await vi.waitUntil(() => (status().head?.lagBlocks ?? 0n) > 0n, patience)
  rig.proxy.behave('pass')
  resolve()
  await atHead()
  expect(status().head?.lagBlocks).toBe(0n)
})

test('refuses a currency that charges a fee on transfers, with the reason', async () => {
  const { market, chainId } = rig.start()
  await market.ready()
  const taxed = rig.chain.deployed.currencies.find(({ contract }) => contract === 'taxed')
  expect([...(market.latest(chainId)?.refusedCurrencies ?? [])]).toEqual([
    [taxed?.address, 'FERN takes a fee on transfers, or transfers another amount than requested'],
  ])
})

test('refuses a currency while it cannot be transferred out of its pools', async () => {
  const { market, chainId, pools, atHead } = rig.start(verifiedAlways)
  await market.ready()
  const { anvil, deployed } = rig.chain
  const { address } = deployed.currencies.find(({ symbol }) => symbol === 'ELM') ?? {}
  if (address === undefined) throw new Error('No ELM here')
  const refusal = () => market.latest(chainId)?.refusedCurrencies.get(address)
  const isRouted = () =>
    pools()?.some(({ currency0, currency1 }) => currency0 === address || currency1 === address)
  const code = (await anvil.getCode({ address })) ?? '0x'
  expect(refusal()).toBeUndefined()
  expect(isRouted()).toBe(true)

  await anvil.setCode({ address, bytecode: '0x5f5ffd' })
  await anvil.mine({ blocks: 1 })
  await atHead()
  await vi.waitFor(
    () => expect(refusal()).toContain('cannot be transferred out of its pools'),
    patience,
  )
  expect(isRouted()).toBe(false)

  await anvil.setCode({ address, bytecode: code })
  await anvil.mine({ blocks: 1 })
  await atHead()
  await vi.waitFor(() => expect(refusal()).toBeUndefined(), patience)
  expect(isRouted()).toBe(true)
})

test('routes only listed currencies if the RPC does not support state overrides', async () => {
  rig.proxy.behave({
    change: ({ method, params }, answer) =>
      method === 'eth_call' && params.length > 2 ? { result: '0x' } : answer,
  })
  const { market, chainId, lines } = rig.start()
  await market.ready()
  const unlisted = rig.chain.deployed.currencies.find(({ isListed }) => !isListed)
  expect([...(market.latest(chainId)?.refusedCurrencies ?? [])]).toEqual([
    [
      unlisted?.address,
      "ELM is not on the token list, and this chain's RPC cannot simulate its transfers",
    ],
  ])
  expect(
    messagesOf(lines).filter((message) =>
      message.startsWith('The RPC does not support state overrides'),
    ),
  ).toHaveLength(1)
})

test('a snapshot costs no RPC call, a block one eth_call and one eth_feeHistory', async () => {
  const { market, chainId, client, atHead } = rig.start({ verifyEverySeconds: 86_400 })
  await market.ready()
  const before = new Map(client.requests())
  await rig.chain.anvil.mine({ blocks: 1 })
  await atHead()
  const count = (method: string) => (client.requests().get(method) ?? 0) - (before.get(method) ?? 0)
  market.snapshot([chainId])
  expect(count('eth_feeHistory')).toBe(1)
  expect(count('eth_call')).toBe(1)
})

test('has no prices while the sequencer is down, came back a moment ago, or its feed is broken', async () => {
  const { anvil } = rig.chain
  const graceSeconds = 600
  const sequencerFeed = { address: sequencerFeedAddress, graceSeconds }
  const { timestamp } = await anvil.getBlock()
  await setSequencer(anvil, { answer: 0n, startedAt: timestamp - 86_400n })
  const { market, client, chainId, atHead } = rig.start({
    sequencerFeed,
    verifyEverySeconds: 86_400,
  })
  await market.ready()
  await atHead()
  expect(market.snapshot([chainId]).chains.get(chainId)?.sequencer).toEqual({ status: 'up' })

  const refusalOf = () => {
    try {
      market.snapshot([chainId])
      return undefined
    } catch (error) {
      const { code, message, data } = error as AppError
      return { code, message, data }
    }
  }
  const mineAt = async (time: bigint) => {
    await anvil.setNextBlockTimestamp({ timestamp: time })
    await anvil.mine({ blocks: 1 })
    await atHead()
  }
  const downAt = timestamp + 100n
  await setSequencer(anvil, { answer: 1n, startedAt: downAt })
  const callsOf = () => client.requests().get('eth_call') ?? 0
  const before = callsOf()
  await mineAt(downAt)
  expect(callsOf() - before).toBe(1)
  expect(refusalOf()).toEqual({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The sequencer of Devnet Ethereum is down: its prices are not trusted.',
    data: { chainId, sequencer: 'down' },
  })
  // Others of the market go on, and its chain is still followed.
  expect(market.snapshot([]).chains.has(chainId)).toBe(true)
  expect(market.status()[0]?.head?.staleReason).toBeUndefined()

  const upAt = downAt + 50n
  const trustedAt = upAt + BigInt(graceSeconds)
  await setSequencer(anvil, { answer: 0n, startedAt: upAt })
  await mineAt(trustedAt - 1n)
  const time = new Date(Number(trustedAt) * 1000).toISOString()
  expect(refusalOf()).toEqual({
    code: 'SERVICE_UNAVAILABLE',
    message: `The sequencer of Devnet Ethereum was down: its prices are trusted again from ${time} on.`,
    data: { chainId, sequencer: 'recovering', trustedAt: Number(trustedAt) },
  })
  await mineAt(trustedAt)
  expect(refusalOf()).toBeUndefined()

  await breakSequencerFeed(anvil)
  await mineAt(trustedAt + 1n)
  expect(refusalOf()?.message).toBe(
    'The uptime feed of the sequencer of Devnet Ethereum gives no usable answer: its prices are not trusted.',
  )
  await setSequencer(anvil, { answer: 300_000_000_000n, startedAt: upAt })
  await mineAt(trustedAt + 2n)
  expect(refusalOf()?.data).toEqual({ chainId, sequencer: 'down' })
})
