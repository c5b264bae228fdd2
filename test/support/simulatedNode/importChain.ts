import { encodeFunctionData, erc20Abi, type Hex, numberToHex, size } from 'viem'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import {
  aggregatorV3Abi,
  uniswapV2PairAbi,
  uniswapV3PoolAbi,
} from '#src/protocol/contracts/abis.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { MarketChain } from '#test/support/chains/marketChain.ts'
import { readChainPools } from '#test/support/chains/readChainPools.ts'
import type { BlockFields, LogFields, SimulatedChain } from './simulatedChain.ts'
import type { SimulatedPool, SimulatedState, SimulatedToken } from './simulatedState.ts'

/**
 * Adds the missing blocks of an anvil chain to the simulated one, all with the state at anvil's head: pools,
 * tokens, feeds, and the balances of one account. They are read call by call, without the market's code.
 */
export async function importChain(
  chain: SimulatedChain,
  { anvil, deployed }: MarketChain,
  account: Address,
): Promise<void> {
  const state = await readState({ anvil, deployed }, account)
  const head = Number(await anvil.getBlockNumber())
  const isKnown = chain.withHash((await anvil.getBlock({ blockNumber: 0n })).hash) !== undefined
  for (let height = isKnown ? chain.head().number + 1 : 0; height <= head; height += 1) {
    const at = numberToHex(height)
    const request = anvil.request as (call: object) => Promise<unknown>
    const fields = await request({ method: 'eth_getBlockByNumber', params: [at, false] })
    const logs = await request({ method: 'eth_getLogs', params: [{ fromBlock: at, toBlock: at }] })
    chain.append({ fields: fields as BlockFields, logs: logs as readonly LogFields[], state })
  }
}

type Source = Pick<MarketChain, 'anvil' | 'deployed'>

async function readState({ anvil, deployed }: Source, account: Address): Promise<SimulatedState> {
  const pools = await readChainPools(anvil, deployed)
  const tokens = deployed.currencies.map(
    async ({ address, symbol, name }): Promise<[Address, SimulatedToken]> => {
      const token = { address, abi: erc20Abi } as const
      const [decimals, balance, text] = await Promise.all([
        anvil.readContract({ ...token, functionName: 'decimals' }),
        anvil.readContract({ ...token, functionName: 'balanceOf', args: [account] }),
        anvil.call({ to: address, data: encodeFunctionData({ ...token, functionName: 'symbol' }) }),
      ])
      const hasBytes32Texts = size(text.data ?? '0x') === 32
      const balances = new Map([[account, balance]])
      return [address, { symbol, name, decimals, hasBytes32Texts, balances }]
    },
  )
  const feeds = deployed.feeds.map(async ({ aggregator }) => {
    const names = ['decimals', 'description', 'latestRoundData'] as const
    const calls = names.map((functionName) =>
      encodeFunctionData({ abi: aggregatorV3Abi, functionName }),
    )
    return answersOf(anvil, toAddress(aggregator), calls)
  })
  const { depository } = deployed.contracts
  const read = await Promise.all(pools.map((pool) => withSlot({ anvil, deployed }, pool)))
  return {
    pools: new Map(read.map((each) => [each.pool.address, each])),
    tokens: new Map(await Promise.all(tokens)),
    balances: new Map([[account, await anvil.getBalance({ address: account })]]),
    answers: new Map([
      ...(await Promise.all(feeds)),
      await answersOf(anvil, depository, depositoryCalls(deployed, account)),
    ]),
  }
}

/** The contract's answers to these calls, by their calldata. */
async function answersOf(
  anvil: MarketChain['anvil'],
  to: Address,
  calls: readonly Hex[],
): Promise<readonly [Address, ReadonlyMap<Hex, Hex>]> {
  const answers = calls.map(async (data): Promise<[Hex, Hex]> => {
    return [data, (await anvil.call({ to, data })).data ?? '0x']
  })
  return [to, new Map(await Promise.all(answers))]
}

/** What a market reads of the depository that pays to `account`. */
function depositoryCalls({ currencies }: Source['deployed'], account: Address): readonly Hex[] {
  const { abi } = depositoryArtifact
  const all = [nativeAddress, ...currencies.map(({ address }) => address)]
  return [
    ...(['allocator', 'pausedUntil', 'chainNameHash'] as const).map((functionName) =>
      encodeFunctionData({ abi, functionName }),
    ),
    encodeFunctionData({ abi, functionName: 'payeeSince', args: [account] }),
    ...all.map((currency) =>
      encodeFunctionData({ abi, functionName: 'outflowLimit', args: [currency] }),
    ),
  ]
}

async function withSlot(
  { anvil, deployed }: Source,
  pool: SimulatedPool['pool'],
): Promise<SimulatedPool> {
  const { address } = pool
  if (pool.kind === 'constantProduct') {
    const abi = uniswapV2PairAbi
    const [, , blockTimestampLast] = await anvil.readContract({
      address,
      abi,
      functionName: 'getReserves',
    })
    return { factory: deployed.contracts.uniswapV2Factory, pool, blockTimestampLast }
  }
  const abi = uniswapV3PoolAbi
  const [, , ...slot] = await anvil.readContract({ address, abi, functionName: 'slot0' })
  return { factory: deployed.contracts.uniswapV3Factory, pool, slot }
}
