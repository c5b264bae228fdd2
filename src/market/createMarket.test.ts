import { expect, test, vi } from 'vitest'
import { toChainId } from '#src/units/chainId.ts'
import { messagesOf, patience, useMarketChain } from '#test/support/chains/useMarketChain.ts'

const rig = useMarketChain()

test('says which chain has no market, or an old one', async () => {
  let clock = 0
  const { market, chainId } = rig.start({ blockSeconds: 1 }, { now: () => clock })
  expect(() => market.snapshot([chainId])).toThrow(
    expect.objectContaining({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The market of Devnet Ethereum is still being read',
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
      message: 'No block of Devnet Ethereum has come for 15 s',
    }),
  )
  expect(market.snapshot([]).chains.has(chainId)).toBe(true)
})

test('what is held of a currency that takes a fee is refused, with the reason', async () => {
  const { market, chainId } = rig.start()
  await market.ready()
  const taxed = rig.chain.deployed.currencies.find(({ contract }) => contract === 'taxed')
  expect([...(market.latest(chainId)?.refusedCurrencies ?? [])]).toEqual([
    [
      taxed?.address,
      'FERN takes a fee on transfers, or otherwise moves another amount than it is told to',
    ],
  ])
})

test('a currency whose transfers begin to fail is refused until they work again', async () => {
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
  await vi.waitFor(() => expect(refusal()).toContain('its transfers fail'), patience)
  expect(isRouted()).toBe(false)

  await anvil.setCode({ address, bytecode: code })
  await anvil.mine({ blocks: 1 })
  await atHead()
  await vi.waitFor(() => expect(refusal()).toBeUndefined(), patience)
  expect(isRouted()).toBe(true)
})

test('where the RPC knows no state overrides, only listed currencies are routed', async () => {
  rig.proxy.behave({
    change: ({ method, params }, answer) =>
      method === 'eth_call' && params.length > 2 ? { result: '0x' } : answer,
  })
  const { market, chainId, lines } = rig.start()
  await market.ready()
  const unlisted = rig.chain.deployed.currencies.find(({ isListed }) => !isListed)
  expect([...(market.latest(chainId)?.refusedCurrencies ?? [])]).toEqual([
    [unlisted?.address, 'ELM is on no token list, and its transfers cannot be tried out here'],
  ])
  expect(
    messagesOf(lines).filter((message) => message.startsWith('No state overrides')),
  ).toHaveLength(1)
})

test('one snapshot costs no call, one block a handful', async () => {
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
