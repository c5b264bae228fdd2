import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { encodeDeployData, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { getSqrtRatioAtTick } from '#src/core/pools/concentrated/tickMap.ts'
import type { SlipstreamPool } from '#src/core/pools/slipstream/slipstream.ts'
import type { Factory } from '#src/market/kinds/kinds.ts'
import { parsePoolCreations } from '#src/market/pools/discovery/poolCreations.ts'
import { readPools } from '#src/market/pools/readPools.ts'
import { positions } from '#test/support/arbitraries/poolArbitrary.ts'
import { slipstreamPools } from '#test/support/artifacts/slipstreamPools.ts'
import { anyTick, type Exchange, pairsOf, type StartTick } from './exchange.ts'

const { abi } = slipstreamPools

/**
 * The creation code of Slipstream's CLPool, which is under the GPL, version 2 or later.
 * @source sphere-mezo-solidity-files 1.2.0 from npm, domains/aerodrome-slipstream/contracts, compiled by solc 0.7.6 with 200 runs
 * of the optimizer and without the hash of its metadata
 */
const code = readFileSync(
  new URL('../../support/bytecode/slipstreamPool.hex', import.meta.url),
  'utf8',
).trim() as Hex

const tiers = [
  { tickSpacing: 1, fee: 100 },
  { tickSpacing: 50, fee: 420 },
  { tickSpacing: 100, fee: 537 },
  { tickSpacing: 200, fee: 99_999 },
] as const

/** A factory with a pool for each two currencies and each tick spacing. */
export type SlipstreamExchange = Readonly<{
  factory: Extract<Factory, { kind: 'slipstream' }>
  /** Discovers and reads the pools like the market, at the newest block. */
  read: () => Promise<readonly SlipstreamPool[]>
  /** Queues a call of the factory. */
  send: (functionName: 'swap' | 'mint' | 'burn' | 'setFee', args: readonly unknown[]) => void
}>

export async function startSlipstreamPools(
  { client: anvil, queue, currencies, chainId }: Exchange,
  client: ChainClient,
  startTick: StartTick = anyTick,
): Promise<SlipstreamExchange> {
  const address = queue.deploy(encodeDeployData(slipstreamPools))
  const factory: SlipstreamExchange['factory'] = {
    kind: 'slipstream',
    source: 'slipstream',
    factory: address,
    fromBlock: 0n,
    pairs: [],
    tickSpacings: tiers.map(({ tickSpacing }) => tickSpacing),
  }
  for (const currency of currencies) {
    const args = [address, 1n << 248n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    queue.send({ to: currency, data })
  }
  const send: SlipstreamExchange['send'] = (functionName, args) =>
    queue.send({ to: address, data: encodeFunctionData({ abi, functionName, args } as never) })
  const minted = pairsOf(currencies)
    .flatMap((pair) => tiers.map((tier) => ({ pair, ...tier })))
    .map(({ pair, fee, tickSpacing }, seed) => {
      const tick = startTick(pair, seed)
      const args = [code, ...pair, tickSpacing, fee, getSqrtRatioAtTick(tick) + 1n] as const
      queue.send({ to: address, data: encodeFunctionData({ abi, functionName: 'create', args }) })
      return fc.sample(positions(tickSpacing, tick), { numRuns: 1, seed })[0] ?? []
    })
  await queue.flush()
  const discover = async () =>
    parsePoolCreations(factory, await anvil.getLogs({ address, fromBlock: 0n }))
  // A tick holds at most about 2^107 of liquidity.
  for (const [at, pool] of (await discover()).entries())
    for (const { tickLower, tickUpper, liquidity } of minted[at] ?? [])
      send('mint', [pool.address, tickLower, tickUpper, (liquidity >> 24n) + 1_000n])
  await queue.flush()
  return {
    factory,
    send,
    read: async () => {
      const { hash } = await anvil.getBlock()
      const states = await readPools({ client, chainId }, await discover(), hash)
      return states.filter((pool) => pool.kind === 'slipstream')
    },
  }
}
