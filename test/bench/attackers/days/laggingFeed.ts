import { setTimeout as pause } from 'node:timers/promises'
import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { uniswapV2FactoryAbi, uniswapV2PairAbi } from '#src/protocol/contracts/abis.ts'
import type { Actor } from '#test/bench/attackers/actor.ts'
import type { Attack, Day } from '#test/bench/attackers/attack.ts'
import { bnb, ethereum, rollup, type World } from '#test/bench/attackers/world.ts'
import { etherPrice, quotesOf, setEther } from './etherFeeds.ts'

/** Ether costs a tenth more than its feeds say, or the feeds are out of date and only a pool has a price. */
export const laggingFeed: Day = {
  name: 'feeds that lag',
  moves: [{ asset: 'ETH', factor: 1.1 }],
  isSequential: true,
  strategies: [
    { name: 'gas top-ups at the price of a feed that lags', run: topUps },
    { name: 'gas top-ups at the price of a pool of its own', run: topUpsByPool },
  ],
}

async function topUps(attack: Attack, count: number): Promise<void> {
  const usdc = 6_000n * 10n ** 6n
  const trades = await quotesOf(count, async () => {
    const quote = (dollars: string, amount: bigint) =>
      attack.quote([ethereum, 'USDC'], [rollup, 'USDC'], amount, {
        topupGas: true,
        topupGasAmount: dollars,
      })
    return (await quote('4500000000', usdc)) ?? quote('10000000', usdc / 20n)
  })
  for (const trade of trades) await attack.deposit(trade)
}

/** Ether seems to cost a quarter of its price. */
const pool = { ether: 60n * 10n ** 18n, usdc: 45_000n * 10n ** 6n }
const patienceSeconds = 30

async function topUpsByPool(attack: Attack, count: number): Promise<void> {
  const { actor, trading, world } = attack
  await setEther(world, etherPrice, 1n)
  const owned = await openPool(world, actor)
  await pause(2_000)
  const trades = await quotesOf(count, () =>
    attack.quote([bnb, 'USDC'], [rollup, 'USDC'], 100n * 10n ** 6n, {
      topupGas: true,
      topupGasAmount: '10000000',
    }),
  )
  for (const trade of trades) await attack.deposit(trade)
  await Promise.all(trades.map((trade) => trading.ended(trade, patienceSeconds)))
  await closePool(actor, owned)
  await setEther(world, etherPrice)
}

const wrappedAbi = parseAbi(['function deposit() payable'])

/** Opens a pool that belongs to the actor alone, so that nothing is lost by its wrong price. Returns its address. */
async function openPool(world: World, actor: Actor): Promise<Address> {
  const chain = world.devnet.description.chains.find(({ id }) => id === rollup)
  if (chain === undefined) throw new Error('The devnet has no rollup')
  const { wrappedNative, uniswapV2Factory } = chain.contracts
  const usdc = world.currencyOn(rollup, 'USDC')
  const sides = [wrappedNative, usdc] as const
  const args = [...sides] as const
  await call(actor, uniswapV2Factory, {
    data: encodeFunctionData({ abi: uniswapV2FactoryAbi, functionName: 'createPair', args }),
  })
  const found = await world.on(rollup).readContract({
    address: uniswapV2Factory,
    abi: uniswapV2FactoryAbi,
    functionName: 'getPair',
    args,
  })
  const pair = toAddress(found.toLowerCase())
  const wrap = encodeFunctionData({ abi: wrappedAbi, functionName: 'deposit' })
  await call(actor, wrappedNative, { data: wrap, value: pool.ether })
  await call(actor, wrappedNative, { data: transferTo(pair, pool.ether) })
  await call(actor, usdc, { data: transferTo(pair, pool.usdc) })
  const mint = { abi: uniswapV2PairAbi, functionName: 'mint', args: [actor.address] } as const
  await call(actor, pair, { data: encodeFunctionData(mint) })
  return pair
}

/** Takes back all but the thousand units of liquidity that Uniswap keeps. */
async function closePool(actor: Actor, pair: Address): Promise<void> {
  const liquidity = sqrt(pool.ether * pool.usdc) - 1_000n
  await call(actor, pair, { data: transferTo(pair, liquidity) })
  const burn = { abi: uniswapV2PairAbi, functionName: 'burn', args: [actor.address] } as const
  await call(actor, pair, { data: encodeFunctionData(burn) })
}

const transferTo = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

async function call(
  actor: Actor,
  to: Address,
  rest: Readonly<{ data: Hex; value?: bigint }>,
): Promise<void> {
  const { status, transactionHash } = await actor.send(rollup, { to, gas: 5_000_000n, ...rest })
  if (status !== 'success') throw new Error(`The transaction ${transactionHash} reverted`)
}

/** Rounded down. */
function sqrt(value: bigint): bigint {
  let root = value
  for (let next = (value + 1n) / 2n; next < root; next = (root + value / root) / 2n) root = next
  return root
}
