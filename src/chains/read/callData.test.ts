import {
  type AbiFunction,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  parseAbi,
} from 'viem'
import { expect, test } from 'vitest'
import { decodeAnswer, encodeCall } from './callData.ts'

const abi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function pair() view returns (uint112 reserve0, uint112 reserve1)',
  'function held(address owner) view returns (uint8)',
  'function held(address owner, uint256 id) view returns (bool)',
])
const owner = '0x00000000000000000000000000000000000000aa'

const calls = [
  { call: { abi, functionName: 'balanceOf', args: [owner] }, answer: [5n], item: 0 },
  { call: { abi, functionName: 'pair', args: [] }, answer: [5n, 6n], item: 1 },
  { call: { abi, functionName: 'held', args: [owner] }, answer: [5], item: 2 },
  { call: { abi, functionName: 'held', args: [owner, 7n] }, answer: [true], item: 3 },
]

test.each(calls)(
  'encodes and decodes as viem does: $call.functionName $call.args.length',
  ({ call, answer, item }) => {
    const data = encodeAbiParameters((abi[item] as AbiFunction).outputs, answer as never)
    // The second time the selector is known.
    for (const _ of [1, 2]) {
      expect(encodeCall(call)).toBe(encodeFunctionData(call as never))
      expect(decodeAnswer(call, data)).toEqual(decodeFunctionResult({ ...call, data } as never))
    }
  },
)

test('refuses what viem refuses', () => {
  const unknown = { abi, functionName: 'unknown', args: [] }
  expect(() => encodeCall(unknown)).toThrow('Function "unknown" not found on ABI')
  expect(() => decodeAnswer({ abi, functionName: 'pair' }, '0x00')).toThrow()
})
