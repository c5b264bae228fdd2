import {
  type Abi,
  type AbiFunction,
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  parseAbi,
  stringToHex,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import {
  uniswapV2FactoryAbi,
  uniswapV2PairAbi,
  uniswapV3FactoryAbi,
  uniswapV3PoolAbi,
} from '#src/protocol/contracts/abis.ts'
import type { SimulatedPool, SimulatedState, SimulatedToken } from './simulatedState.ts'

/** The return data of a call. Undefined if it reverts. A call to an address without code returns `0x`. */
export function answerCall(state: SimulatedState, to: Address, data: Hex): Hex | undefined {
  const pool = state.pools.get(to)
  if (pool !== undefined) return 'slot' in pool ? answerPool(pool, data) : answerPair(pool, data)
  const token = state.tokens.get(to)
  if (token !== undefined) return answerToken(token, data)
  const answers = state.answers.get(to)
  if (answers !== undefined) return answers.get(data)
  return answerFactory(state, to, data) ?? '0x'
}

type Outputs = Readonly<Record<string, (...args: readonly never[]) => unknown>>

/** Calls the function of the calldata's selector, and encodes its result. */
function answerWith(abi: Abi, outputs: Outputs, data: Hex): Hex | undefined {
  const known = functionsOf(abi).get(data.slice(0, 10))
  if (known === undefined) return undefined
  const output = outputs[known.name]
  if (output === undefined) return undefined
  const { args = [] } = decodeFunctionData({ abi: [known], data })
  const result = output(...(args as readonly never[]))
  return encodeFunctionResult({ abi: [known], functionName: known.name, result } as never)
}

const selectors = new WeakMap<Abi, ReadonlyMap<string, AbiFunction>>()

function functionsOf(abi: Abi): ReadonlyMap<string, AbiFunction> {
  const known = selectors.get(abi)
  if (known !== undefined) return known
  const functions = abi.filter((item) => item.type === 'function')
  const made = new Map(functions.map((item) => [toFunctionSelector(item), item] as const))
  selectors.set(abi, made)
  return made
}

type Pair = Extract<SimulatedPool, { blockTimestampLast: number }>
type ConcentratedOne = Exclude<SimulatedPool, Pair>

const answerPair = ({ pool, blockTimestampLast }: Pair, data: Hex) =>
  answerWith(
    uniswapV2PairAbi,
    {
      token0: () => pool.currency0,
      token1: () => pool.currency1,
      getReserves: () => [pool.reserve0, pool.reserve1, blockTimestampLast],
    },
    data,
  )

function answerPool({ pool, slot }: ConcentratedOne, data: Hex): Hex | undefined {
  const outputs = {
    token0: () => pool.currency0,
    token1: () => pool.currency1,
    fee: () => Number(pool.fee),
    tickSpacing: () => pool.tickSpacing,
    slot0: () => [pool.sqrtPriceX96, pool.tick, ...slot],
    liquidity: () => pool.liquidity,
    tickBitmap: (word: number) =>
      pool.ticks.ticks
        .map(({ index }) => index / pool.tickSpacing)
        .filter((place) => place >> 8 === word)
        .reduce((bits, place) => bits | (1n << BigInt(place & 255)), 0n),
  }
  return answerWith(uniswapV3PoolAbi, outputs, data)
}

const answerToken = (
  { symbol, name, decimals, hasBytes32Texts, balances }: SimulatedToken,
  data: Hex,
) =>
  answerWith(
    hasBytes32Texts ? bytes32Abi : erc20Abi,
    {
      symbol: () => (hasBytes32Texts ? stringToHex(symbol, { size: 32 }) : symbol),
      name: () => (hasBytes32Texts ? stringToHex(name, { size: 32 }) : name),
      decimals: () => decimals,
      balanceOf: (holder: Hex) => balances.get(toAddress(holder)) ?? 0n,
      allowance: () => 0n,
    },
    data,
  )

/** If two functions have the same selector, the later one counts. */
const bytes32Abi = [
  ...erc20Abi,
  ...parseAbi([
    'function symbol() view returns (bytes32)',
    'function name() view returns (bytes32)',
  ]),
]

/** The pools of each factory by their currencies and fee, computed once for each state. */
const pairsOf = new WeakMap<SimulatedState['pools'], ReadonlyMap<Address, Factory>>()

type Factory = Readonly<{ kind: SimulatedPool['pool']['kind']; pools: Map<string, Address> }>

function factoriesOf({ pools }: SimulatedState): ReadonlyMap<Address, Factory> {
  const known = pairsOf.get(pools)
  if (known !== undefined) return known
  const factories = new Map<Address, Factory>()
  for (const { factory, pool } of pools.values()) {
    const { kind, currency0, currency1, fee, address } = pool
    const entry = factories.get(factory) ?? { kind, pools: new Map() }
    entry.pools.set(`${currency0} ${currency1} ${kind === 'concentrated' ? fee : ''}`, address)
    factories.set(factory, entry)
  }
  pairsOf.set(pools, factories)
  return factories
}

/** Undefined for an address that is not the factory of a pool. */
function answerFactory(state: SimulatedState, to: Address, data: Hex): Hex | undefined {
  const factory = factoriesOf(state).get(to)
  if (factory === undefined) return undefined
  const addressOf = (one: Hex, other: Hex, fee: number | string = '') => {
    const sides = [toAddress(one), toAddress(other)].sort()
    return factory.pools.get(`${sides.join(' ')} ${fee}`) ?? zeroAddress
  }
  return factory.kind === 'concentrated'
    ? answerWith(uniswapV3FactoryAbi, { getPool: addressOf }, data)
    : answerWith(uniswapV2FactoryAbi, { getPair: addressOf }, data)
}
