import { erc20Abi } from 'viem'
import { expect, test, vi } from 'vitest'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import type { BlockHash } from '#src/core/units/txId.ts'
import { solver, users } from '#src/devnet/accounts.ts'
import { useMarketChain } from '#test/support/chains/useMarketChain.ts'
import { patience } from '#test/support/patience.ts'

const rig = useMarketChain()
const nobody = toAddress('0x0000000000000000000000000000000000003000')

test('loads in one turn cost one call, and cached amounts of the block none', async () => {
  const { market, client, chainId, atHead } = rig.start({ verifyEverySeconds: 86_400 })
  await market.ready()
  const hash = () => market.latest(chainId)?.block.hash ?? '0x'
  const accounts = [solver, ...users].map(({ address }) => address)
  const currencies = [nativeAddress, ...rig.chain.deployed.currencies.map(({ address }) => address)]
  const keysAt = (blockHash: BlockHash) =>
    accounts.flatMap((account) =>
      currencies.map((currency) => ({ chainId, currency, account, blockHash })),
    )
  const calls = () => client.requests().get('eth_call') ?? 0

  const before = calls()
  const keys = keysAt(hash())
  const loader = market.balanceLoader()
  const balances = await Promise.all(keys.map((key) => loader.load(key)))
  expect(calls() - before).toBe(1)
  const expected = keys.map(({ account, currency }) =>
    currency === nativeAddress
      ? rig.chain.anvil.getBalance({ address: account })
      : rig.chain.anvil.readContract({
          address: currency,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [account],
        }),
  )
  expect(balances).toEqual(await Promise.all(expected))

  expect(await market.balanceLoader().loadMany(keys)).toEqual(balances)
  expect(calls() - before).toBe(1)

  await rig.chain.anvil.setBalance({ address: users[0]?.address ?? nobody, value: 5n })
  await rig.chain.anvil.mine({ blocks: 1 })
  await atHead()
  expect(
    await market.balanceLoader().load({
      chainId,
      currency: nativeAddress,
      account: users[0]?.address ?? nobody,
      blockHash: hash(),
    }),
  ).toBe(5n)
})

test('requests share calls: loads in one turn, and loads that come during a call', async () => {
  const { market, client, chainId } = rig.start({ verifyEverySeconds: 86_400 })
  await market.ready()
  const blockHash = market.latest(chainId)?.block.hash ?? '0x'
  const calls = () => client.requests().get('eth_call') ?? 0
  const before = calls()
  const load = ({ address: account }: { address: Address }) =>
    market.balanceLoader().load({ chainId, currency: nativeAddress, account, blockHash })
  const [first, ...others] = [solver, ...users]

  const reading = load(first)
  await vi.waitUntil(() => calls() > before, { ...patience, interval: 1 })
  const [balance, ...balances] = await Promise.all([reading, ...others.map(load)])
  expect(calls() - before).toBe(2)
  const expected = [first, ...others].map(({ address }) => rig.chain.anvil.getBalance({ address }))
  expect([balance, ...balances]).toEqual(await Promise.all(expected))
})

test('a contract that reports no balance fails with UNSUPPORTED_CURRENCY', async () => {
  const { market, chainId } = rig.start()
  await market.ready()
  const blockHash = market.latest(chainId)?.block.hash ?? '0x'
  const key = { chainId, currency: nobody, account: nobody, blockHash }
  await expect(market.balanceLoader().load(key)).rejects.toMatchObject({
    code: 'UNSUPPORTED_CURRENCY',
    message: `${nobody} on chain ${chainId} does not report balances or allowances`,
  })
})

test('a failing RPC fails with RPC_HTTP_ERROR', async () => {
  const { market, chainId } = rig.start()
  await market.ready()
  const blockHash = market.latest(chainId)?.block.hash ?? '0x'
  rig.proxy.behave('cut')
  const key = { chainId, currency: nativeAddress, account: nobody, blockHash }
  await expect(market.balanceLoader().load(key)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
})

test('an allowance is read in the same call as the balances', async () => {
  const { market, client, chainId } = rig.start({ verifyEverySeconds: 86_400 })
  await market.ready()
  const blockHash = market.latest(chainId)?.block.hash ?? '0x'
  const usdc = rig.chain.deployed.currencies.find(({ symbol }) => symbol === 'USDC')
  const key = { chainId, currency: usdc?.address ?? nobody, account: users[0].address, blockHash }
  const calls = () => client.requests().get('eth_call') ?? 0
  const before = calls()
  const loader = market.balanceLoader()
  const read = await Promise.all([
    loader.load(key),
    loader.load({ ...key, spender: nobody }),
    loader.load({
      ...key,
      account: rig.chain.deployed.plan.deployer,
      spender: rig.chain.deployed.contracts.uniswapV2Router02,
    }),
  ])
  expect(calls() - before).toBe(1)
  const allowance = await rig.chain.anvil.readContract({
    address: key.currency,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [rig.chain.deployed.plan.deployer, rig.chain.deployed.contracts.uniswapV2Router02],
  })
  expect(read.slice(1)).toEqual([0n, allowance])
  expect(allowance).toBeGreaterThan(0n)
  expect(read[0]).toBeGreaterThan(0n)
})
