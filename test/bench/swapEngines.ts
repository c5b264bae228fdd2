import { createRequire } from 'node:module'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { changeLiquidity, minTick, ticksOf } from '#src/core/pools/concentrated/tickMap.ts'
import { swapExactInput } from '#src/core/pools/pool.ts'
import type { Amount } from '#src/core/units/amount.ts'

/** `amountIn` of currency0, which the pool can accept completely. */
export type SwapCase = Readonly<{ pool: ConcentratedPool; amountIn: Amount }>

/** Executes the prepared swap and returns its output. */
export type Swap = () => bigint | Promise<bigint>

export type Engine = Readonly<{
  name: string
  /** Our target: how many times as fast as this engine. */
  target?: number
  prepare: (swapCase: SwapCase) => Swap
}>

export const crossquote: Engine = {
  name: 'Crossquote',
  prepare:
    ({ pool, amountIn }) =>
    () =>
      swapExactInput(pool, true, amountIn)?.amountOut ?? 0n,
}

/** Mints a position far from the price before each swap, so that the tick map is new and nothing is cached for it. */
export const crossquoteAfterMint: Engine = {
  name: 'Crossquote after a mint each time',
  prepare: ({ pool, amountIn }) => {
    const lowest = Math.ceil(minTick / pool.tickSpacing) * pool.tickSpacing
    const far = { tickLower: lowest, tickUpper: lowest + pool.tickSpacing }
    return () => {
      const ticks = changeLiquidity(pool.ticks, far, 1n)
      return swapExactInput({ ...pool, ticks }, true, amountIn)?.amountOut ?? 0n
    }
  },
}

const ownRequire = createRequire(import.meta.url)

/** The pool class that applications use. Its ES modules import directories, so Node needs the CommonJS build. */
export function createV3Sdk(): Engine {
  const { Pool, TickListDataProvider } = ownRequire(
    '@uniswap/v3-sdk',
  ) as typeof import('@uniswap/v3-sdk')
  const { CurrencyAmount, Token } = ownRequire(
    '@uniswap/sdk-core',
  ) as typeof import('@uniswap/sdk-core')
  return {
    name: '@uniswap/v3-sdk 3.31.5',
    target: 20,
    prepare: ({ pool, amountIn }) => {
      const token0 = new Token(1, pool.currency0, 18)
      const token1 = new Token(1, pool.currency1, 18)
      const ticks = ticksOf(pool.ticks).map(({ index, liquidityNet, liquidityGross }) => ({
        index,
        liquidityNet: `${liquidityNet}`,
        liquidityGross: `${liquidityGross}`,
      }))
      const theirs = new Pool(
        token0,
        token1,
        pool.fee,
        `${pool.sqrtPriceX96}`,
        `${pool.liquidity}`,
        pool.tick,
        new TickListDataProvider(ticks, pool.tickSpacing),
      )
      const paid = CurrencyAmount.fromRawAmount(token0, `${amountIn}`)
      return async () => BigInt((await theirs.getOutputAmount(paid))[0].quotient.toString())
    },
  }
}

/** The part of dex-lib’s pool state that a swap reads. */
type DexLibPool = Readonly<Record<string, unknown>>

type DexLibMath = Readonly<{
  queryOutputs: (
    pool: DexLibPool,
    amounts: readonly bigint[],
    zeroForOne: boolean,
    side: 'SELL',
  ) => Readonly<{ outputs: readonly bigint[] }>
}>

export function createDexLib(): Engine {
  const peers = createRequire(new URL('./peers/package.json', import.meta.url))
  const { uniswapV3Math } = peers(
    '@paraswap/dex-lib/build/dex/uniswap-v3/contract-math/uniswap-v3-math.js',
  ) as { uniswapV3Math: DexLibMath }
  return {
    name: '@paraswap/dex-lib 5.0.6',
    target: 4,
    prepare: ({ pool, amountIn }) => {
      const theirs = toDexLib(pool)
      return () => uniswapV3Math.queryOutputs(theirs, [amountIn], true, 'SELL').outputs[0] ?? 0n
    },
  }
}

function toDexLib(pool: ConcentratedPool): DexLibPool {
  const ticks = ticksOf(pool.ticks)
  const tickBitmap: Record<string, bigint> = {}
  for (const { index } of ticks) {
    const position = index / pool.tickSpacing
    const word = `${position >> 8}`
    tickBitmap[word] = (tickBitmap[word] ?? 0n) | (1n << BigInt(position & 255))
  }
  const blockTimestamp = 1_700_000_000n
  return {
    networkId: 1,
    pool: pool.address,
    blockTimestamp,
    tickSpacing: BigInt(pool.tickSpacing),
    fee: BigInt(pool.fee),
    liquidity: pool.liquidity,
    slot0: {
      sqrtPriceX96: pool.sqrtPriceX96,
      tick: BigInt(pool.tick),
      observationIndex: 0,
      observationCardinality: 1,
      observationCardinalityNext: 1,
      feeProtocol: 0n,
    },
    observations: {
      0: {
        blockTimestamp,
        tickCumulative: 0n,
        secondsPerLiquidityCumulativeX128: 0n,
        initialized: true,
      },
    },
    startTickBitmap: BigInt(Math.floor(pool.tick / pool.tickSpacing) >> 8),
    tickBitmap,
    ticks: Object.fromEntries(
      ticks.map(({ index, liquidityNet, liquidityGross }) => [
        index,
        { liquidityNet, liquidityGross, initialized: true },
      ]),
    ),
  }
}
