import { encodeFunctionData, maxUint256, parseEventLogs } from 'viem'
import {
  applyConstantProductEvent,
  type ConstantProductPool,
} from '#src/core/pools/constantProduct/constantProduct.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import { uniswapV2RouterAbi } from '#src/devnet/deployment/deployUniswap.ts'
import { uniswapV2FactoryAbi, uniswapV2PairAbi } from '#src/protocol/contracts/abis.ts'
import { type Exchange, pairsOf } from './exchange.ts'

/** Creates a pool of each two currencies. */
export async function createV2Pools(
  exchange: Exchange,
  reservesOf: (pair: readonly [Address, Address], at: number) => readonly [bigint, bigint],
): Promise<ConstantProductPool[]> {
  const { chainId, client, queue, currencies, uniswapV2 } = exchange
  const pairs = pairsOf(currencies)
  pairs.forEach((pair, at) => {
    const data = encodeFunctionData({
      abi: uniswapV2RouterAbi,
      functionName: 'addLiquidity',
      args: [...pair, ...reservesOf(pair, at), 0n, 0n, queue.account, maxUint256],
    })
    queue.send({ to: uniswapV2.uniswapV2Router02, data })
  })
  await queue.flush()
  const factory = { address: uniswapV2.uniswapV2Factory, abi: uniswapV2FactoryAbi } as const
  return Promise.all(
    pairs.map(async ([currency0, currency1]) => {
      const args = [currency0, currency1] as const
      const address = await client.readContract({ ...factory, functionName: 'getPair', args })
      const created: ConstantProductPool = {
        kind: 'constantProduct',
        chainId,
        address: toAddress(address),
        source: 'uniswap-v2',
        currency0,
        currency1,
        fee: toPips(3000),
        reserve0: 0n,
        reserve1: 0n,
      }
      return followV2Pool(exchange, created)
    }),
  )
}

/** Applies all events that the pool has logged. */
export async function followV2Pool(
  { client }: Exchange,
  pool: ConstantProductPool,
): Promise<ConstantProductPool> {
  const logs = await client.getLogs({ address: pool.address, fromBlock: 0n })
  return parseEventLogs({ abi: uniswapV2PairAbi, eventName: 'Sync', logs }).reduce(
    applyConstantProductEvent,
    pool,
  )
}
