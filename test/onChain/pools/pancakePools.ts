import { createRequire } from 'node:module'
import fc from 'fast-check'
import { encodeDeployData, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { getSqrtRatioAtTick } from '#src/core/pools/concentrated/tickMap.ts'
import type { Address } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import { parsePoolCreations } from '#src/market/pools/discovery/poolCreations.ts'
import { readPools } from '#src/market/pools/readPools.ts'
import { positions } from '#test/support/arbitraries/poolArbitrary.ts'
import { pancakePools } from '#test/support/artifacts/pancakePools.ts'
import { anyTick, type Exchange, pairsOf, type StartTick } from './exchange.ts'

const { abi } = pancakePools

/** The published code of the pools that PancakeSwap has deployed. */
const code: Hex = createRequire(import.meta.url)(
  '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json',
).bytecode

const tiers = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 2500, tickSpacing: 50 },
  { fee: 10000, tickSpacing: 200 },
] as const

/** A factory with a pool for each two currencies and each tier, which also provides and trades their liquidity. */
export type PancakeExchange = Readonly<{
  factory: Address
  /** Discovers and reads the pools like the market, at the newest block. */
  read: () => Promise<readonly ConcentratedPool[]>
}>

export async function startPancakePools(
  { client: anvil, queue, currencies, chainId }: Exchange,
  client: ChainClient,
  startTick: StartTick = anyTick,
): Promise<PancakeExchange> {
  const factory = queue.deploy(encodeDeployData(pancakePools))
  for (const currency of currencies) {
    const args = [factory, 1n << 248n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    queue.send({ to: currency, data })
  }
  const minted = pairsOf(currencies)
    .flatMap((pair) => tiers.map((tier) => ({ pair, ...tier })))
    .map(({ pair, fee, tickSpacing }, seed) => {
      const tick = startTick(pair, seed)
      const price = getSqrtRatioAtTick(tick) + 1n
      const args = [code, ...pair, fee, tickSpacing, price] as const
      queue.send({ to: factory, data: encodeFunctionData({ abi, functionName: 'create', args }) })
      return fc.sample(positions(tickSpacing, tick), { numRuns: 1, seed })[0] ?? []
    })
  await queue.flush()

  async function discover() {
    const logs = await anvil.getLogs({ address: factory, fromBlock: 0n })
    const feeTiers = tiers.map(({ fee }) => toPips(fee))
    const source = 'pancakeswap-v3'
    return parsePoolCreations(
      { kind: 'concentrated', source, factory, feeTiers, fromBlock: 0n, pairs: [] },
      logs,
    )
  }

  for (const [at, { address }] of (await discover()).entries())
    for (const { tickLower, tickUpper, liquidity } of minted[at] ?? []) {
      // A tick holds at most about 2^107 of liquidity.
      const args = [address, tickLower, tickUpper, (liquidity >> 24n) + 1_000n] as const
      queue.send({ to: factory, data: encodeFunctionData({ abi, functionName: 'mint', args }) })
    }
  await queue.flush()
  return {
    factory,
    read: async () => {
      const { hash } = await anvil.getBlock()
      const states = await readPools({ client, chainId }, await discover(), hash)
      return states.filter((pool) => pool.kind === 'concentrated')
    },
  }
}
