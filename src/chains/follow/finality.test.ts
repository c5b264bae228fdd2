import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import { createReadFinal } from './finality.ts'

const chain = { id: 1, displayName: 'Chain' }
const refusal = { method: 'eth_getBlockByNumber', code: -32602, reason: 'unknown tag' }
const hashOf = (number: number): `0x${string}` => numberToHex(number, { size: 32 })

const rawHeader = (number: number) => ({
  number: numberToHex(number),
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  timestamp: '0x1',
})

/** A node whose `finalized` block is at `final.height`: `null` if it has none, undefined if it refuses the tag. */
function node(final: { height: number | null | undefined }): Rpc {
  return {
    ask: async ({ params = [] }, parse) => {
      if (params[0] !== 'finalized') return parse(rawHeader(Number(params[0])))
      if (final.height === undefined) throw new RpcRefusedError(chain, refusal)
      return parse(final.height === null ? null : rawHeader(final.height))
    },
  }
}

test('the finalized tag decides, independent of the depth', async () => {
  const readFinal = createReadFinal(node({ height: 40 }), { finalityDepth: 2 })
  expect(await readFinal(100n)).toEqual({ number: 40n, hash: hashOf(40) })
})

test('a tag ahead of the head makes the head final', async () => {
  const readFinal = createReadFinal(node({ height: 103 }), { finalityDepth: 2 })
  expect(await readFinal(100n)).toEqual({ number: 100n, hash: hashOf(100) })
})

test.each([null, undefined])('without the tag (%s) the depth decides', async (height) => {
  const readFinal = createReadFinal(node({ height }), { finalityDepth: 5 })
  expect(await readFinal(100n)).toEqual({ number: 95n })
  expect(await readFinal(4n)).toBeUndefined()
})

test.each([null, undefined])('after one answer the depth never decides (%s)', async (height) => {
  const final: Parameters<typeof node>[0] = { height: 40 }
  const readFinal = createReadFinal(node(final), { finalityDepth: 5 })
  await readFinal(100n)
  final.height = height
  expect(await readFinal(100n)).toBeUndefined()
})
