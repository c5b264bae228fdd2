import {
  type Abi,
  type AbiFunction,
  type DecodeFunctionResultParameters,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  toFunctionSelector,
} from 'viem'
import { decodeAbi, encodeAbi } from './abiCoding.ts'

/** The only function of a name in an ABI, and its selector. */
type KnownFunction = Readonly<{ abi: readonly [AbiFunction]; selector: Hex }>

/**
 * A cache by ABI and name. viem hashes the signature for each call, which takes longer than the rest of the encoding.
 */
const known = new WeakMap<Abi, Map<string, KnownFunction | undefined>>()

/** Undefined for overloaded functions: viem then selects one by the arguments. */
function functionOf(abi: Abi, name: string): KnownFunction | undefined {
  const ofAbi = known.get(abi) ?? new Map<string, KnownFunction | undefined>()
  known.set(abi, ofAbi)
  if (!ofAbi.has(name)) {
    const [item, ...others] = abi.filter(
      (each): each is AbiFunction => each.type === 'function' && each.name === name,
    )
    const isSole = item !== undefined && others.length === 0
    ofAbi.set(name, isSole ? { abi: [item], selector: toFunctionSelector(item) } : undefined)
  }
  return ofAbi.get(name)
}

/** A function call without static types: callers such as `read` and `runReader` check the types of the arguments. */
type Call = Readonly<{ abi: Abi; functionName: string; args?: readonly unknown[] }>

/** As viem's `encodeFunctionData`. */
export function encodeCall({ abi, functionName, args }: Call): Hex {
  const sole = functionOf(abi, functionName)
  const encoded = sole && encodeAbi(sole.abi[0].inputs, args ?? [])
  if (sole !== undefined && encoded !== undefined) return `${sole.selector}${encoded}`
  const call = sole
    ? { abi: sole.abi, functionName: sole.selector, args }
    : { abi, functionName, args }
  return encodeFunctionData(call as unknown as EncodeFunctionDataParameters)
}

/** As viem's `decodeFunctionResult`, but addresses may be in lower case. @throws viem's error for an invalid answer */
export function decodeAnswer({ abi, functionName, args }: Call, data: Hex): unknown {
  const sole = functionOf(abi, functionName)
  const values = sole && decodeAbi(sole.abi[0].outputs, data)
  if (values !== undefined && values.length > 0) return values.length === 1 ? values[0] : values
  const call = sole ? { abi: sole.abi, data } : { abi, functionName, args, data }
  return decodeFunctionResult(call as unknown as DecodeFunctionResultParameters)
}
