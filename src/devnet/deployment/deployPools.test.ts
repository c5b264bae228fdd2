import { erc20Abi, getAddress, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainPlans, nativePrices, worth } from '#src/devnet/plan/chainPlan.ts'
import { type PlannedPool, sidesOf } from '#src/devnet/plan/poolPlan.ts'
import {
  aggregatorV3Abi,
  gasPriceOracleAbi,
  gasPriceOracleAddress,
  uniswapV2FactoryAbi,
  uniswapV2PairAbi,
  uniswapV3FactoryAbi,
  uniswapV3PoolAbi,
} from '#src/protocol/contracts/abis.ts'
import { type DeployedTestChain, startDeployedChain } from '#test/support/chains/deployedChain.ts'

const quoterAbi = parseAbi([
  'struct Quote { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Quote quote) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
])
const routerAbi = parseAbi([
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
])

type V3Pool = Extract<PlannedPool, { version: 3 }>
const isTradable = ({ state, depthUsd }: PlannedPool) => state === 'live' && depthUsd > 0n

describe.each(chainPlans)('$name', (plan) => {
  let chain: DeployedTestChain
  let pools: readonly PlannedPool[]
  beforeAll(async () => {
    chain = await startDeployedChain(plan)
    pools = chain.deployed.pools
  })
  afterAll(() => chain.stop())

  const v3Pools = (): V3Pool[] => pools.filter((pool) => pool.version === 3)

  const addressOf = (pool: PlannedPool): Promise<`0x${string}`> => {
    const { uniswapV2Factory, uniswapV3Factory } = chain.deployed.contracts
    const { currency0, currency1 } = sidesOf(pool, chain.deployed.currencies, 0)
    const pair = [currency0.address, currency1.address] as const
    return pool.version === 2
      ? chain.client.readContract({
          address: uniswapV2Factory,
          abi: uniswapV2FactoryAbi,
          functionName: 'getPair',
          args: pair,
        })
      : chain.client.readContract({
          address: uniswapV3Factory,
          abi: uniswapV3FactoryAbi,
          functionName: 'getPool',
          args: [...pair, pool.fee],
        })
  }

  async function quoteV3(pool: V3Pool, sellsCurrency0: boolean, dollars: bigint) {
    const { currency0, currency1 } = sidesOf(pool, chain.deployed.currencies, 0)
    const [sold, bought] = sellsCurrency0 ? [currency0, currency1] : [currency1, currency0]
    const { result } = await chain.client.simulateContract({
      address: chain.deployed.contracts.quoterV2,
      abi: quoterAbi,
      functionName: 'quoteExactInputSingle',
      args: [
        {
          tokenIn: sold.address,
          tokenOut: bought.address,
          amountIn: worth(dollars, sold),
          fee: pool.fee,
          sqrtPriceLimitX96: 0n,
        },
      ],
    })
    const [amountOut, , ticksCrossed] = result
    const share = Number(amountOut) / Number(worth(dollars, bought))
    return { share, ticksCrossed }
  }

  test('the factories know exactly the planned pools', async () => {
    const { uniswapV2Factory, uniswapV3Factory } = chain.deployed.contracts
    const pairs = await chain.client.readContract({
      address: uniswapV2Factory,
      abi: uniswapV2FactoryAbi,
      functionName: 'allPairsLength',
    })
    expect(Number(pairs)).toBe(pools.filter(({ version }) => version === 2).length)
    const created = await chain.client.getContractEvents({
      address: uniswapV3Factory,
      abi: uniswapV3FactoryAbi,
      eventName: 'PoolCreated',
      fromBlock: 0n,
    })
    const addresses = await Promise.all(v3Pools().map(addressOf))
    expect(created.map(({ args }) => getAddress(args.pool ?? '0x'))).toEqual(
      addresses.map((address) => getAddress(address)),
    )
    expect(created.map(({ args }) => args.fee)).toEqual(v3Pools().map(({ fee }) => fee))
  })

  test('the quoter pays near the planned price both ways in each v3 pool', async () => {
    for (const pool of v3Pools().filter(isTradable))
      for (const sellsCurrency0 of [true, false]) {
        const { share } = await quoteV3(pool, sellsCurrency0, 100n)
        // At most the fee, a third of it that the pool starts off its price, and some impact.
        const maxDeviation = (pool.fee / 1_000_000) * (4 / 3) + 0.002
        expect(Math.abs(1 - share), pool.pair.join()).toBeLessThan(maxDeviation)
      }
  })

  test('a twentieth of a main pool crosses many ticks, either way', async () => {
    const stables = ['USDC', 'USDT', 'DAI']
    const fine = v3Pools().filter(
      ({ fee, depthUsd, pair }) =>
        fee <= 500 && depthUsd >= 1_000_000n && !pair.every((each) => stables.includes(each)),
    )
    expect(fine.length).toBeGreaterThanOrEqual(5)
    for (const pool of fine)
      for (const sellsCurrency0 of [true, false]) {
        const { ticksCrossed } = await quoteV3(pool, sellsCurrency0, pool.depthUsd / 20n)
        expect(ticksCrossed, `${pool.pair} ${pool.fee}`).toBeGreaterThanOrEqual(4)
      }
  })

  test('the v2 router pays near the planned price both ways in each v2 pool', async () => {
    for (const pool of pools.filter(({ version }) => version === 2).filter(isTradable)) {
      // Its liquidity was taxed on the way in.
      if (pool.pair.includes('FERN')) continue
      const { currency0, currency1 } = sidesOf(pool, chain.deployed.currencies, 0)
      for (const [sold, bought] of [
        [currency0, currency1],
        [currency1, currency0],
      ] as const) {
        const [, amountOut = 0n] = await chain.client.readContract({
          address: chain.deployed.contracts.uniswapV2Router02,
          abi: routerAbi,
          functionName: 'getAmountsOut',
          args: [worth(10n, sold), [sold.address, bought.address]],
        })
        const share = Number(amountOut) / Number(worth(10n, bought))
        expect(Math.abs(1 - share), pool.pair.join()).toBeLessThan(0.006)
      }
    }
  })

  test('one v3 pool was drained after trades, one never had liquidity, one v2 pool is all but empty', async () => {
    const stateOf = async (pool: PlannedPool) => {
      const contract = { address: await addressOf(pool), abi: uniswapV3PoolAbi } as const
      const [liquidity, [sqrtPriceX96], swaps] = await Promise.all([
        chain.client.readContract({ ...contract, functionName: 'liquidity' }),
        chain.client.readContract({ ...contract, functionName: 'slot0' }),
        chain.client.getContractEvents({ ...contract, eventName: 'Swap', fromBlock: 0n }),
      ])
      return { liquidity, isInitialised: sqrtPriceX96 > 0n, swaps: swaps.length }
    }
    const idle = v3Pools().filter((pool) => !isTradable(pool))
    expect(await Promise.all(idle.map(stateOf))).toEqual([
      { liquidity: 0n, isInitialised: true, swaps: 2 },
      { liquidity: 0n, isInitialised: true, swaps: 0 },
    ])

    const [empty] = pools.filter(({ version, state }) => version === 2 && state === 'drained')
    if (empty === undefined) throw new Error('No v2 pool is drained')
    const { currency0, currency1 } = sidesOf(empty, chain.deployed.currencies, 0)
    const [reserve0, reserve1] = await chain.client.readContract({
      address: await addressOf(empty),
      abi: uniswapV2PairAbi,
      functionName: 'getReserves',
    })
    expect(reserve0).toBeLessThan(worth(1n, currency0))
    expect(reserve1).toBeLessThan(worth(1n, currency1))
  })

  test('the pool of the taxed currency holds the amount that arrived', async () => {
    const [taxed] = pools.filter(({ pair }) => pair.includes('FERN'))
    if (taxed === undefined) throw new Error('FERN has no pool')
    const address = await addressOf(taxed)
    const fern = chain.currency('FERN')
    const held = await chain.client.readContract({
      address: fern.address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
    })
    const sides = sidesOf(taxed, chain.deployed.currencies, pools.indexOf(taxed))
    const sent = sides.currency0 === fern ? sides.amount0 : sides.amount1
    expect(held).toBe(sent - (sent * 200n) / 10_000n)
  })

  test('the feeds report the planned prices as of the latest block, for all currencies but the long tail', async () => {
    const { client, deployed } = chain
    const { timestamp } = await client.getBlock()
    const planned = new Map([
      ['0x0000000000000000000000000000000000000000', nativePrices[plan.native]],
      ...deployed.currencies.map(({ address, price }) => [address, price] as const),
    ])
    for (const { currency, aggregator } of deployed.feeds) {
      const contract = { address: aggregator, abi: aggregatorV3Abi } as const
      const [, answer, , updatedAt] = await client.readContract({
        ...contract,
        functionName: 'latestRoundData',
      })
      expect(await client.readContract({ ...contract, functionName: 'decimals' })).toBe(8)
      expect(answer * 10n ** 10n).toBe(planned.get(currency))
      expect(Number(updatedAt - timestamp)).toBeLessThan(5)
    }
    expect(deployed.feeds).toHaveLength(plan.native === 'BNB' ? 6 : 5)
  })

  test('only the rollup has an oracle for the fee of its data', async () => {
    const address = gasPriceOracleAddress
    const code = await chain.client.getCode({ address })
    expect(code === undefined).toBe(plan.l1DataFee === 'none')
    if (plan.l1DataFee === 'none') return
    const read = (
      functionName: 'l1BaseFee' | 'blobBaseFee' | 'baseFeeScalar' | 'blobBaseFeeScalar',
    ) => chain.client.readContract({ address, abi: gasPriceOracleAbi, functionName })
    const perByte =
      BigInt(await read('baseFeeScalar')) * 16n * BigInt(await read('l1BaseFee')) +
      BigInt(await read('blobBaseFeeScalar')) * BigInt(await read('blobBaseFee'))
    const feeOf = (size: bigint) =>
      chain.client.readContract({
        address,
        abi: gasPriceOracleAbi,
        functionName: 'getL1FeeUpperBound',
        args: [size],
      })
    // Fjord charges no transaction for less than 100 bytes.
    expect(await feeOf(0n)).toBe((100_000_000n * perByte) / 10n ** 12n)
    expect(await feeOf(1000n)).toBe(
      ((836_500n * (1068n + 4n + 16n) - 42_585_600n) * perByte) / 10n ** 12n,
    )
  })
})
