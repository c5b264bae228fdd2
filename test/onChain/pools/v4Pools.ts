import { createRequire } from 'node:module'
import fc from 'fast-check'
import {
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  parseEther,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { getSqrtRatioAtTick } from '#src/core/pools/concentrated/tickMap.ts'
import type { UniswapV4Pool } from '#src/core/pools/uniswapV4/uniswapV4.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import type { Factory } from '#src/market/kinds/kinds.ts'
import { findConfiguredPools } from '#src/market/pools/discovery/discoverPools.ts'
import { readPools } from '#src/market/pools/readPools.ts'
import { type Position, positions } from '#test/support/arbitraries/poolArbitrary.ts'
import { uniswapV4Pools } from '#test/support/artifacts/uniswapV4Pools.ts'
import { anyTick, type Exchange, pairsOf, type StartTick } from './exchange.ts'

const { abi } = uniswapV4Pools

/** The published code of the manager. */
const code: Hex = createRequire(import.meta.url)(
  '@uniswap/v4-core/out/PoolManager.sol/PoolManager.json',
).bytecode.object

export const v4Tiers = [
  { fee: toPips(0), tickSpacing: 1 },
  { fee: toPips(500), tickSpacing: 10 },
  { fee: toPips(3000), tickSpacing: 60 },
  { fee: toPips(123_456), tickSpacing: 200 },
  { fee: toPips(998_999), tickSpacing: 7 },
] as const

type Named = Readonly<
  Pick<UniswapV4Pool, 'currency0' | 'currency1' | 'fee' | 'tickSpacing'> & { hasNative?: true }
>

/** The key by which the manager is called for a pool. */
export const keyOf = ({ currency0, currency1, fee, tickSpacing, hasNative }: Named) => ({
  currency0: hasNative ? zeroAddress : currency0,
  currency1,
  fee,
  tickSpacing,
  hooks: zeroAddress,
})

/** A manager with pools for each two currencies and each tier, and a contract that provides and trades their liquidity. */
export type V4Exchange = Readonly<{
  trader: Address
  manager: Extract<Factory, { kind: 'uniswapV4' }>
  /** Finds and reads the pools like the market, at the newest block. */
  read: () => Promise<readonly UniswapV4Pool[]>
  /** Queues a call of the contract. */
  send: (
    functionName: 'swap' | 'mint' | 'donate' | 'setProtocolFee',
    args: readonly unknown[],
  ) => void
}>

/** Pools of the native currency too, and in part with fees of the protocol. */
export async function startV4Pools(
  exchange: Exchange,
  client: ChainClient,
  startTick: StartTick = anyTick,
): Promise<V4Exchange> {
  const { queue, currencies, wrappedNative, chainId } = exchange
  const trader = queue.deploy(encodeDeployData({ ...uniswapV4Pools, args: [code] }))
  for (const currency of currencies) {
    const args = [trader, 1n << 248n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    queue.send({ to: currency, data })
  }
  await queue.flush()
  await exchange.client.setBalance({ address: trader, value: parseEther('1') << 100n })
  const factory = toAddress(
    (
      await exchange.client.readContract({ address: trader, abi, functionName: 'manager' })
    ).toLowerCase(),
  )
  const natives = currencies.slice(0, 2).map((currency) => [wrappedNative, currency] as const)
  const pairs = [...pairsOf(currencies), ...natives].map(([one, other]): [Address, Address] => [
    one,
    other,
  ])
  const send: V4Exchange['send'] = (functionName, args) =>
    queue.send({
      to: trader,
      data: encodeFunctionData({ abi, functionName, args } as never),
    })
  const manager: V4Exchange['manager'] = {
    kind: 'uniswapV4',
    source: 'uniswap-v4',
    factory,
    fromBlock: 0n,
    pairs,
    wrappedNative,
    tiers: [...v4Tiers],
  }
  const created = pairs.flatMap(([one, other]) =>
    v4Tiers.map((tier) => {
      const hasNative = one === wrappedNative
      const [currency0, currency1] = hasNative || one < other ? [one, other] : [other, one]
      const pair = [currency0, currency1] as const
      return { pair, ...tier, ...(hasNative && { hasNative }) }
    }),
  )
  created.forEach(({ pair, ...named }, seed) => {
    const [currency0, currency1] = pair
    const key = keyOf({ currency0, currency1, ...named })
    const tick = startTick(pair, seed)
    const args = [key, getSqrtRatioAtTick(tick) + 1n] as const
    queue.send({ to: trader, data: encodeFunctionData({ abi, functionName: 'create', args }) })
    if (seed % 3 > 0) send('setProtocolFee', [key, seed % 3 === 1 ? 500 + (1000 << 12) : 1000])
    const [minted = []] = fc.sample(positions(key.tickSpacing, tick), { numRuns: 1, seed })
    for (const position of minted) send('mint', [key, positionOf(position)])
  })
  await queue.flush()
  return {
    trader,
    manager,
    send,
    read: async () => {
      const { hash } = await exchange.client.getBlock()
      const found = await findConfiguredPools(client, manager, hash)
      const states = await readPools({ client, chainId }, found, hash)
      return states.filter((pool) => pool.kind === 'uniswapV4')
    },
  }
}

/** A tick holds at most about 2^107 of liquidity. */
export const positionOf = ({ tickLower, tickUpper, liquidity }: Position, salt = 0) => ({
  tickLower,
  tickUpper,
  liquidityDelta: (liquidity >> 26n) + 1_000n,
  salt: salt === 0 ? zeroHash : numberToHex(salt, { size: 32 }),
})
