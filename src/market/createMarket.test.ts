import { expect, test, vi } from 'vitest'
import { toChainId } from '#src/units/chainId.ts'
import { messagesOf, patience, useMarketChain } from '#test/support/chains/useMarketChain.ts'

const rig = useMarketChain()

test('reports a chain without a market, or with a stale one', async () => {
  let clock = 0
  const { market, chainId } = rig.start({ blockSeconds: 1 }, { now: () => clock })
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
  clock += 15_001
  expect(() => market.snapshot([chainId])).toThrow(
    expect.objectContaining({
      code: 'STALE_MARKET',
      message: 'The last block of Devnet Ethereum arrived 15 s ago',
    }),
  )
  expect(market.snapshot([]).chains.has(chainId)).toBe(true)
})

test('refuses a currency that takes a fee on transfers, with the reason', async () => {
  const { market, chainId } = rig.start()
  await market.ready()
  const taxed = rig.chain.deployed.currencies.find(({ contract }) => contract === 'taxed')
  expect([...(market.latest(chainId)?.refusedCurrencies ?? [])]).toEqual([
    [taxed?.address, 'FERN takes a fee on transfers, or transfers another amount than requested'],
  ])
})

test('refuses a currency while cannot be transferred out of its pools', async () => {
  const { market, chainId, pools, atHead } = rig.start({ verifyEveryBlocks: 1 })
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
  const { market, chainId, client, atHead } = rig.start({ verifyEveryBlocks: 100_000 })
  await market.ready()
  const before = new Map(client.requests())
  await rig.chain.anvil.mine({ blocks: 1 })
  await atHead()
  const count = (method: string) => (client.requests().get(method) ?? 0) - (before.get(method) ?? 0)
  market.snapshot([chainId])
  expect(count('eth_feeHistory')).toBe(1)
  expect(count('eth_call')).toBe(1)
})
