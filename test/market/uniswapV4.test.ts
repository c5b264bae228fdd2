import { createRequire } from 'node:module'
import {
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { beforeAll, expect, test, vi } from 'vitest'
import { lowestSqrtPrice, maxTick } from '#src/core/pools/concentrated/tickMap.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { trader } from '#src/devnet/accounts.ts'
import { toJson } from '#src/market/kinds/wireValues.ts'
import { findConfiguredPools } from '#src/market/pools/discovery/discoverPools.ts'
import { readPools } from '#src/market/pools/readPools.ts'
import { applyPoolChange, poolChange, poolChangeOf } from '#src/market/replica/replicaChanges.ts'
import { checkChain } from '#src/system/check/checkChain.ts'
import { uniswapV4Pools } from '#test/support/artifacts/uniswapV4Pools.ts'
import { readTradedPools } from '#test/support/chains/readChainPools.ts'
import { patience, useMarketChain, verifiedAlways } from '#test/support/chains/useMarketChain.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

const { abi } = uniswapV4Pools
const code: Hex = createRequire(import.meta.url)(
  '@uniswap/v4-core/out/PoolManager.sol/PoolManager.json',
).bytecode.object

const rig = useMarketChain()
const pool = { fee: 500, tickSpacing: 10, hooks: zeroAddress }
const at: { pools?: Address; manager?: Address } = {}

const currency = (symbol: string): Address => {
  const found = rig.chain.deployed.currencies.find((each) => each.symbol === symbol)
  if (found === undefined) throw new Error(`The chain has no ${symbol}`)
  return found.address
}
const keyOf = (one: Address, other: Address) => ({
  currency0: one < other ? one : other,
  currency1: one < other ? other : one,
  ...pool,
})
const nativeKey = () => keyOf(zeroAddress as Address, currency('USDC'))
const stableKey = () => keyOf(currency('USDC'), currency('DAI'))

async function send(transaction: Readonly<{ to?: Address; data: Hex }>) {
  const { anvil } = rig.chain
  const sent = { account: trader.address, chain: null, gas: 15_000_000n }
  const hash = await anvil.sendTransaction({ ...sent, ...transaction })
  await anvil.mine({ blocks: 1 })
  const receipt = await anvil.getTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  return receipt
}

const call = (functionName: 'create' | 'mint' | 'swap' | 'setProtocolFee', ...args: unknown[]) =>
  send({
    to: at.pools as Address,
    data: encodeFunctionData({ abi, functionName, args } as never),
  })

/** The price of the devnet's pool of two currencies, with `one` as currency0. */
async function priceOf(one: Address, other: Address): Promise<bigint> {
  const pools = await readTradedPools(rig.chain.anvil, rig.chain.deployed)
  const found = pools.find(
    (each) =>
      each.kind === 'concentrated' &&
      each.liquidity > 0n &&
      [each.currency0, each.currency1].toSorted().join() === [one, other].toSorted().join(),
  )
  if (found?.kind !== 'concentrated') throw new Error('The devnet has no such pool')
  const { sqrtPriceX96 } = found
  return found.currency0 === one ? sqrtPriceX96 : (1n << 192n) / sqrtPriceX96
}

const widest = Math.floor(maxTick / pool.tickSpacing) * pool.tickSpacing
const everywhere = (liquidityDelta: bigint) => ({
  tickLower: -widest,
  tickUpper: widest,
  liquidityDelta,
  salt: zeroHash,
})

beforeAll(async () => {
  const { anvil } = rig.chain
  const deployed = await send({ data: encodeDeployData({ ...uniswapV4Pools, args: [code] }) })
  const address = toAddress((deployed.contractAddress ?? '0x').toLowerCase())
  const manager = await anvil.readContract({ address, abi, functionName: 'manager' })
  Object.assign(at, { pools: address, manager: toAddress(manager.toLowerCase()) })
  await anvil.setBalance({ address, value: 10n ** 24n })
  for (const [symbol, amount] of [
    ['USDC', 5n * 10n ** 12n],
    ['DAI', 5n * 10n ** 24n],
  ] as const)
    await send({
      to: currency(symbol),
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [address, amount],
      }),
    })
  await call('create', nativeKey(), await priceOf(currency('WETH'), currency('USDC')))
  await call('mint', nativeKey(), everywhere(10n ** 16n))
  const { currency0, currency1 } = stableKey()
  await call('create', stableKey(), await priceOf(currency0, currency1))
  await call('mint', stableKey(), everywhere(10n ** 18n))
})

/** The devnet's factories and the manager. */
function factories() {
  const { uniswapV2Factory, uniswapV3Factory } = rig.chain.deployed.contracts
  const pairs: [string, string][] = [
    [currency('WETH'), currency('USDC')],
    [currency('USDC'), currency('DAI')],
  ]
  return [
    { kind: 'constantProduct' as const, source: 'uniswap-v2', factory: uniswapV2Factory },
    { kind: 'concentrated' as const, source: 'uniswap-v3', factory: uniswapV3Factory },
    { kind: 'uniswapV4' as const, source: 'uniswap-v4', factory: at.manager ?? '', pairs },
  ]
}

function start(changes: Parameters<typeof rig.start>[0] = {}) {
  const started = rig.start({ factories: factories(), ...changes })
  const ofManager = () => started.pools()?.filter(({ id }) => id !== undefined) ?? []
  /** The state on the chain at its newest block. */
  const onChain = async () => {
    const { client, chainId, config } = started
    const { hash } = await rig.chain.anvil.getBlock()
    const factory = config.chains[0]?.factories[2]
    if (factory === undefined) throw new Error('No manager is configured')
    const found = await findConfiguredPools(client, factory, hash)
    const read = await readPools({ client, chainId }, found, hash)
    return read.toSorted((one, other) => ((one.id ?? '') < (other.id ?? '') ? -1 : 1))
  }
  return { ...started, ofManager, onChain }
}

const sell = (zeroForOne: boolean, amount: bigint) =>
  call('swap', nativeKey(), {
    zeroForOne,
    amountSpecified: -amount,
    sqrtPriceLimitX96: zeroForOne ? lowestSqrtPrice : 1n << 159n,
  })

test('follows the pools of a manager through swaps, fees, positions and reorgs', async () => {
  const { market, ofManager, onChain, atHead, status } = start()
  await market.ready()
  expect(ofManager()).toHaveLength(2)
  expect(ofManager()).toEqual(await onChain())
  expect(status()).toMatchObject({ head: { pools: 35, routedPools: 34 } })
  const [native] = ofManager().filter(({ hasNative }) => hasNative)
  expect(native).toMatchObject({ currency0: currency('WETH'), currency1: currency('USDC') })
  const begin = ofManager()
  await sell(true, 10n ** 18n)
  await call('setProtocolFee', nativeKey(), 1000 + (500 << 12))
  await sell(false, 5n * 10n ** 9n)
  await call('mint', stableKey(), { ...everywhere(10n ** 17n), tickLower: 0 })
  await atHead()
  const after = ofManager()
  expect(after).toEqual(await onChain())
  expect(after.map((each, place) => each === begin[place])).toEqual([false, false])
  await rig.chain.reorg(3)
  await atHead()
  expect(ofManager()).toEqual(await onChain())
  expect(ofManager()).not.toEqual(after)
  expect(status()).toMatchObject({ differences: 0, resyncs: 0 })

  const sent = (one: Pool, before?: Pool) =>
    poolChange.parse(JSON.parse(toJson(poolChangeOf(one, before))))
  for (const [place, one] of after.entries()) {
    expect(applyPoolChange(sent(one), undefined, one.chainId)).toEqual(one)
    const before = begin[place] as Pool
    expect(applyPoolChange(sent(one, before), before, one.chainId)).toEqual(one)
  }
})

test('tracks a pool from its creation, and drops it when the block is orphaned', async () => {
  const { market, ofManager, onChain, atHead, status } = start()
  await market.ready()
  const before = await rig.chain.anvil.snapshot()
  const key = { ...stableKey(), fee: 3000, tickSpacing: 60 }
  const foreign = { ...key, fee: 3001 }
  const price = await priceOf(key.currency0, key.currency1)
  for (const each of [foreign, key]) await call('create', each, price)
  const wide = Math.floor(maxTick / 60) * 60
  await call('mint', key, { ...everywhere(10n ** 15n), tickLower: -wide, tickUpper: wide })
  await vi.waitFor(() => expect(ofManager()).toHaveLength(3), patience)
  await atHead()
  expect(ofManager()).toEqual(await onChain())
  await rig.chain.anvil.revert({ id: before })
  for (let blocks = 0; blocks < 4; blocks++) await rig.chain.churn()
  await atHead()
  expect(ofManager()).toEqual(await onChain())
  expect(ofManager()).toHaveLength(2)
  expect(status()).toMatchObject({ differences: 0, resyncs: 0 })
})

test('finds a pool of a manager that differs from the chain', async () => {
  const { market, ofManager, onChain, atHead, status } = start(verifiedAlways)
  await market.ready()
  const { manager = '' } = at
  // The endpoint hides the logs of the manager.
  rig.proxy.behave({
    change: ({ method }, answer) => {
      const { result } = answer as { result?: unknown }
      if (method !== 'eth_getLogs' || !Array.isArray(result)) return answer
      const shown = result.filter(({ address }: { address: string }) => address !== manager)
      return { ...(answer as object), result: shown }
    },
  })
  await sell(true, 10n ** 17n)
  await atHead()
  await vi.waitFor(() => expect(status().differences).toBeGreaterThan(0), patience)
  rig.proxy.behave('pass')
  await rig.chain.anvil.mine({ blocks: 1 })
  await atHead()
  await vi.waitFor(async () => expect(ofManager()).toEqual(await onChain()), patience)
})

test('the check of the configuration distinguishes a manager from other contracts', async () => {
  const { config } = start()
  const [chain] = config.chains
  const factory = chain?.factories[2]
  if (chain === undefined || factory === undefined) throw new Error('No manager is configured')
  const wrongWith = async (address: Address) => {
    const factories = [{ ...factory, factory: address }]
    const { facts } = await checkChain(
      { log: silentLog, now: Date.now },
      { ...chain, factories },
      60,
    )
    return facts.filter(({ state }) => state === 'wrong').map(({ name }) => name)
  }
  await rig.chain.anvil.mine({ blocks: 1 })
  expect(await wrongWith(at.manager as Address)).toEqual([])
  expect(await wrongWith(currency('USDC'))).toEqual(['factories.0 (uniswap-v4) extsload'])
})
