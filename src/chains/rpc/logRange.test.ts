import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createLogRange } from './logRange.ts'
import { JsonRpcError } from './rpcError.ts'

const logsOf = (from: number, to: number) => ({
  method: 'eth_getLogs',
  params: [{ fromBlock: numberToHex(from), toBlock: numberToHex(to) }],
})
const refusal = (message: string) => new JsonRpcError({ code: -32_000, message })

describe('the range of eth_getLogs', () => {
  it('is refused above the configured number of blocks, without a request', () => {
    const range = createLogRange(10)
    expect(() => range.check(logsOf(1, 10))).not.toThrow()
    expect(() => range.check(logsOf(1, 11))).toThrow(/at most 10 blocks, not 11/)
    expect(() => range.check({ method: 'eth_call', params: [] })).not.toThrow()
    const byHash = { method: 'eth_getLogs', params: [{ blockHash: '0x1' }] }
    expect(() => range.check(byHash)).not.toThrow()
  })

  it('is learnt from refusals: a range that was refused once is not sent again', () => {
    const range = createLogRange(undefined)
    range.learn(logsOf(1, 4_000), refusal('exceed maximum block range: 2000'))
    expect(() => range.check(logsOf(1, 4_000))).toThrow(JsonRpcError)
    expect(() => range.check(logsOf(1, 3_999))).not.toThrow()
    range.learn(logsOf(1, 3_000), refusal('block range is too wide'))
    range.learn(logsOf(1, 3_500), refusal('block range is too wide'))
    expect(range.maxBlocks()).toBe(2_999)
  })

  it.each([
    'eth_getLogs is limited to a 10,000 block range',
    'up to a 500 block range is allowed on the free tier',
    'block range too large',
    'query exceeds max block range 5000',
    'eth_getLogs and eth_newFilter are limited to a 10,000 blocks range',
    'Block range limit exceeded',
  ])('knows the words of a provider: %s', (message) => {
    const range = createLogRange(undefined)
    range.learn(logsOf(0, 99_999), refusal(message))
    expect(range.maxBlocks()).toBe(99_999)
  })

  it.each([
    'query returned more than 10000 results. Try with this block range [0x1, 0x2].',
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range',
    'query timeout exceeded',
    'unknown block',
    'invalid block range params',
    'block range extends beyond current head block',
    'missing trie node',
  ])('learns nothing where there are too many logs, or another fault: %s', (message) => {
    const range = createLogRange(undefined)
    range.learn(logsOf(0, 99_999), refusal(message))
    expect(range.maxBlocks()).toBeUndefined()
  })
})
