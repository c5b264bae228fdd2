import fc from 'fast-check'
import { encodeFunctionData, erc20Abi } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { SolidlyPool } from '#src/core/pools/solidly/swapSolidly.ts'
import type { Address } from '#src/core/units/address.ts'
import { placeMulticall3 } from '#src/devnet/deployment/deployChain.ts'
import { parsePoolCreations } from '#src/market/pools/discovery/poolCreations.ts'
import { readPools } from '#src/market/pools/readPools.ts'
import { magnitude } from '#test/support/arbitraries/poolArbitrary.ts'
import {
  solidlyFactoryCode,
  solidlyPoolCode,
  solidlyTestAbi,
} from '#test/support/fixtures/solidlyCode.ts'
import { type Exchange, pairsOf } from './exchange.ts'

/** A factory of Solidly pools with two pools of each pair of currencies. */
export type SolidlyPools = Readonly<{
  factory: Address
  /** Discovers and reads the pools like the market, at the newest block. */
  read: (client: ChainClient) => Promise<readonly SolidlyPool[]>
  call: <Name extends 'setCustomFee' | 'setFee' | 'setPauseState'>(
    functionName: Name,
    args: readonly unknown[],
  ) => void
  /** Gives a pool `amount` of its currency0, which joins its reserves. */
  gift: (pool: string, amount: bigint) => void
}>

type Reserves = Readonly<{
  /** Whole units of a currency in a pool, in millionths. */
  size: fc.Arbitrary<bigint>
  /** Excess of the other currency, in thousandths. */
  ratio: fc.Arbitrary<bigint>
}>

/** From little to very much, and from balanced to nearly one-sided. */
const anyReserves: Reserves = {
  size: magnitude(8, 55),
  ratio: fc.oneof(fc.bigInt(950n, 1_050n), magnitude(5, 24)),
}

export async function createSolidlyPools(
  exchange: Exchange,
  { size, ratio }: Reserves = anyReserves,
): Promise<SolidlyPools> {
  const { client: anvil, queue, chainId, currencies, unitOf } = exchange
  await placeMulticall3(anvil)
  const factory = queue.deploy(solidlyFactoryCode(queue.deploy(solidlyPoolCode)))
  for (const [one, other] of pairsOf(currencies))
    for (const stable of [false, true]) {
      const args = [one, other, stable] as const
      const data = encodeFunctionData({ abi: solidlyTestAbi, functionName: 'createPool', args })
      queue.send({ to: factory, data })
    }
  await queue.flush()

  const discover = async () => {
    const logs = await anvil.getLogs({ address: factory, fromBlock: 0n })
    const source = 'aerodrome'
    return parsePoolCreations({ kind: 'solidly', source, factory, fromBlock: 0n, pairs: [] }, logs)
  }
  const pay = (currency: Address, to: Address, amount: bigint) => {
    const args = [to, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    queue.send({ to: currency, data })
  }
  const sync = encodeFunctionData({ abi: solidlyTestAbi, functionName: 'sync' })
  const found = await discover()
  found.forEach(({ address, currency0, currency1 }, seed) => {
    const [whole = 1n, more = 1n] = fc.sample(fc.tuple(size, ratio), { numRuns: 1, seed })[0] ?? []
    const [unit0, unit1] = [unitOf(currency0), unitOf(currency1)]
    // The first deposit in a stable pool is balanced. Reserves are then set to anything by gifts.
    const parts = unit0 === unit1 && unit0 > 10n ** 9n ? 100n : 1n
    pay(currency0, address, unit0 / parts)
    pay(currency1, address, unit1 / parts)
    const mint = { abi: solidlyTestAbi, functionName: 'mint', args: [queue.account] } as const
    queue.send({ to: address, data: encodeFunctionData(mint) })
    pay(currency0, address, (whole * unit0) / 1_000_000n)
    pay(currency1, address, (whole * more * unit1) / 1_000_000_000n)
    queue.send({ to: address, data: sync })
    if (seed % 3 === 0) {
      const args = [address, [420n, 1n, 300n, 17n][seed % 4] ?? 1n] as const
      const data = encodeFunctionData({ abi: solidlyTestAbi, functionName: 'setCustomFee', args })
      queue.send({ to: factory, data })
    }
  })
  await queue.flush()

  return {
    factory,
    read: async (client) => {
      const { hash } = await anvil.getBlock()
      const states = await readPools({ client, chainId }, await discover(), hash)
      return states.filter((pool) => pool.kind === 'solidly')
    },
    call: (functionName, args) => {
      const data = encodeFunctionData({ abi: solidlyTestAbi, functionName, args } as never)
      queue.send({ to: factory, data })
    },
    gift(pool, amount) {
      const given = found.find(({ address }) => address === pool)
      if (given === undefined) throw new Error(`There is no pool ${pool}`)
      pay(given.currency0, given.address, amount)
      queue.send({ to: given.address, data: sync })
    },
  }
}
