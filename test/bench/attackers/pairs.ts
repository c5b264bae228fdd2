import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { uniswapV2FactoryAbi, uniswapV2PairAbi } from '#src/protocol/contracts/abis.ts'
import type { Actor } from './actor.ts'
import type { Place } from './trade.ts'
import type { World } from './world.ts'

/** A pair of Uniswap v2, which actors trade with directly. */
export async function openPair(
  world: World,
  [chainId, ...symbols]: readonly [number, string, string],
) {
  const chain = world.devnet.description.chains.find(({ id }) => id === chainId)
  if (chain === undefined) throw new Error(`The devnet has no chain ${chainId}`)
  const client = world.on(chainId)
  const sides = symbols.map((symbol) => world.currencyOn(chainId, symbol)) as [Address, Address]
  const found = await client.readContract({
    address: chain.contracts.uniswapV2Factory,
    abi: uniswapV2FactoryAbi,
    functionName: 'getPair',
    args: sides,
  })
  const address = toAddress(found.toLowerCase())
  const isFirst = (currency: Address) => currency === sides.toSorted()[0]

  /** The reserve of this currency, and of the other one. */
  async function reserves(currency: Address): Promise<readonly [bigint, bigint]> {
    const [one, other] = await client.readContract({
      address,
      abi: uniswapV2PairAbi,
      functionName: 'getReserves',
    })
    return isFirst(currency) ? [one, other] : [other, one]
  }

  async function call(actor: Actor, to: Address, data: Hex): Promise<void> {
    const { status } = await actor.send(chainId, { to, data })
    if (status !== 'success') throw new Error('The trade with the pair reverted')
  }

  return {
    address,
    reserves,
    /** Sells this amount to the pair. Returns the output, less the fee of 0.3 %. */
    async sell(actor: Actor, symbol: string, amount: bigint): Promise<bigint> {
      const place: Place = [chainId, symbol]
      const currency = world.currencyOn(...place)
      const [held, other] = await reserves(currency)
      const output = (amount * 997n * other) / (held * 1000n + amount * 997n)
      await call(actor, currency, transferTo(address, amount))
      const outputs = isFirst(currency) ? ([0n, output] as const) : ([output, 0n] as const)
      const args = [...outputs, actor.address, '0x'] as const
      await call(
        actor,
        address,
        encodeFunctionData({ abi: uniswapV2PairAbi, functionName: 'swap', args }),
      )
      return output
    },
  }
}

export type Pair = Awaited<ReturnType<typeof openPair>>

const transferTo = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
