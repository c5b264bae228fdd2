import {
  type Abi,
  decodeAbiParameters,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  slice,
} from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { currencyReader } from '#src/protocol/contracts/artifacts/currencyReader.ts'
import { tickReader } from '#src/protocol/contracts/artifacts/tickReader.ts'
import { transferProbe } from '#src/protocol/contracts/artifacts/transferProbe.ts'
import { answerCall } from './contractAnswers.ts'
import type { SimulatedState } from './simulatedState.ts'

export type EthCall = Readonly<{ to?: Hex; data?: Hex }>

const multicall3 = toAddress('0xca11bde05977b3631167028862be2a173976ca11')
const modexp = toAddress('0x0000000000000000000000000000000000000005')

/**
 * The return data of an eth_call: of a contract, of Multicall3, of one of our readers that the call itself creates, or
 * of a transfer probe at the address of a pool. Undefined if it reverts.
 */
export function answerEthCall(
  state: SimulatedState,
  { to, data = '0x' }: EthCall,
  overrides: object = {},
): Hex | undefined {
  if (to === undefined) return answerReader(state, data)
  const probed = new Set(Object.keys(overrides).map(toAddress))
  return answerAt({ state, probed }, toAddress(to), data)
}

/** `probed` are the addresses that have the code of a transfer probe. */
type Place = Readonly<{ state: SimulatedState; probed: ReadonlySet<Address> }>

function answerAt({ state, probed }: Place, to: Address, data: Hex): Hex | undefined {
  if (probed.has(to)) return answerProbe(state, data)
  return to === multicall3 ? answerMulticall({ state, probed }, data) : answerCall(state, to, data)
}

const decode = <const ContractAbi extends Abi>(abi: ContractAbi, data: Hex) =>
  decodeFunctionData({ abi, data }) as Readonly<{ functionName: string; args: readonly never[] }>

function answerMulticall(place: Place, data: Hex): Hex | undefined {
  const { functionName, args } = decode(multicall3Abi, data)
  if (functionName === 'getEthBalance') {
    const result = place.state.balances.get(toAddress(args[0] as unknown as Hex)) ?? 0n
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'getEthBalance', result })
  }
  if (functionName !== 'aggregate3') return undefined
  const calls = args[0] as unknown as readonly Readonly<{ target: Hex; callData: Hex }>[]
  const result = calls.map(({ target, callData }) => {
    const at = toAddress(target)
    const answer = at === modexp ? modexpAnswer(callData) : answerAt(place, at, callData)
    return { success: answer !== undefined, returnData: answer ?? '0x' }
  })
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
}

/** The precompile's answer has the length of its modulus. Without a modulus it consists of zeros. */
const modexpAnswer = (data: Hex): Hex => `0x${'00'.repeat(Number(BigInt(slice(data, 64, 96))))}`

/** Bytes before the code of a reader in the constructor's arguments: two offsets and the length of the code. */
const headBytes = 3 * 32

function answerReader(state: SimulatedState, data: Hex): Hex | undefined {
  for (const [reader, answer] of [
    [tickReader, answerTicks],
    [currencyReader, answerCurrencies],
  ] as const) {
    const codeAt = data.indexOf(reader.bytecode.slice(2))
    if (codeAt < 0) continue
    const args: Hex = `0x${data.slice(codeAt - 2 * headBytes)}`
    const [, call] = decodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], args)
    return answer(state, call)
  }
  return undefined
}

function answerTicks(state: SimulatedState, data: Hex): Hex | undefined {
  type Query = Readonly<{ pool: Hex; firstWord: number; lastWord: number }>
  const [queries] = decode(tickReader.abi, data).args as unknown as readonly [readonly Query[]]
  const result = queries.map(({ pool, firstWord, lastWord }) => {
    const found = state.pools.get(toAddress(pool))?.pool
    if (found?.kind !== 'concentrated') return undefined
    const wordOf = (index: number) => (index / found.tickSpacing) >> 8
    return found.ticks.ticks
      .filter(({ index }) => wordOf(index) >= firstWord && wordOf(index) <= lastWord)
      .map(({ index, liquidityNet, liquidityGross }) => ({ index, liquidityNet, liquidityGross }))
  })
  if (!result.every((ticks) => ticks !== undefined)) return undefined
  return encodeFunctionResult({ abi: tickReader.abi, functionName: 'read', result })
}

function answerCurrencies(state: SimulatedState, data: Hex): Hex | undefined {
  const { functionName, args } = decode(currencyReader.abi, data)
  if (functionName === 'metadata') {
    const result = (args[0] as unknown as readonly Hex[]).map((address) => {
      const token = state.tokens.get(toAddress(address))
      if (token === undefined) return { isCurrency: false, decimals: 0n, symbol: '0x', name: '0x' }
      const ask = (signature: Hex) => answerCall(state, toAddress(address), signature) ?? '0x'
      const texts = { symbol: ask('0x95d89b41'), name: ask('0x06fdde03') }
      return { isCurrency: true, decimals: BigInt(token.decimals), ...texts }
    }) as never
    return encodeFunctionResult({ abi: currencyReader.abi, functionName: 'metadata', result })
  }
  type Query = Readonly<{ currency: Hex; account: Hex; spender: Hex }>
  const result = (args[0] as unknown as readonly Query[]).map(({ currency, account, spender }) => {
    const [holder, token] = [toAddress(account), state.tokens.get(toAddress(currency))]
    if (BigInt(currency) === 0n) return { isKnown: true, amount: state.balances.get(holder) ?? 0n }
    const amount = BigInt(spender) === 0n ? (token?.balances.get(holder) ?? 0n) : 0n
    return { isKnown: token !== undefined, amount }
  }) as never
  return encodeFunctionResult({ abi: currencyReader.abi, functionName: 'holdings', result })
}

/** Every simulated token transfers exactly the requested amount. */
function answerProbe(state: SimulatedState, data: Hex): Hex | undefined {
  const { functionName, args } = decode(transferProbe.abi, data)
  if (functionName !== 'probe') return undefined
  const [currency, amount] = args as unknown as readonly [Hex, bigint]
  const isToken = state.tokens.has(toAddress(currency))
  const moved = { succeeded: true, sent: amount, spent: amount, received: amount }
  const failed = { succeeded: false, sent: amount, spent: 0n, received: 0n }
  const result = isToken ? [moved, moved] : [failed, { ...failed, sent: 0n }]
  return encodeFunctionResult({ abi: transferProbe.abi, functionName: 'probe', result } as never)
}
