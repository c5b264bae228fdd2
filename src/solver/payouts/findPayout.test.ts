import fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { expect, it } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { findPayout } from './findPayout.ts'

const depository = `0x${'d'.repeat(40)}` as Address
const chain = { id: 1, displayName: 'Test Chain' }
const hashOf = (number: bigint): Hex => numberToHex(number, { size: 32 })
const [wanted, other] = [hashOf(1n), hashOf(2n)]
const refusal = { method: 'eth_getLogs', code: -32005, reason: 'too many blocks' }
const call = { to: nativeAddress, data: '0x', value: 1n, allowFailure: false }

/** A node with payouts in these blocks that searches at most `maxRange` blocks a request. */
function nodeOf(blocks: ReadonlyMap<bigint, Hex>, maxRange: bigint) {
  const requested: [bigint, bigint][] = []
  const answered: [bigint, bigint][] = []
  const getLogs = async ({ fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint }) => {
    requested.push([fromBlock, toBlock])
    if (toBlock - fromBlock + 1n > maxRange) throw new RpcRefusedError(chain, refusal)
    answered.push([fromBlock, toBlock])
    return [...blocks]
      .filter(([number]) => number >= fromBlock && number <= toBlock)
      .sort(([one], [two]) => Number(one - two))
      .map(([number, id]) => {
        const hash = hashOf(number)
        return { args: { id, call }, transactionHash: hash, blockNumber: number, blockHash: hash }
      })
  }
  return { client: { chain, getLogs } as unknown as ChainClient, requested, answered }
}

it('finds the last payout in a range, however few blocks a node searches at once', async () => {
  const height = fc.bigInt(0n, 5_000n)
  const payouts = fc.array(fc.tuple(height, fc.constantFrom(wanted, other)), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      height,
      height,
      payouts,
      fc.bigInt(40n, 3_000n),
      async (from, to, made, maxRange) => {
        const blocks = new Map(made)
        const { client, requested, answered } = nodeOf(blocks, maxRange)
        const found = await findPayout(client, depository, { from, to }, ({ id }) => id === wanted)
        const inRange = [...blocks].filter(([at, id]) => id === wanted && at >= from && at <= to)
        const [last] = inRange.map(([at]) => at).sort((one, two) => Number(two - one))
        expect(found?.block?.number).toBe(last)
        expect(found?.hash).toBe(last === undefined ? undefined : hashOf(last))
        for (const [first, end] of requested) {
          expect(first >= from && end <= to).toBe(true)
          expect(end - first).toBeLessThan(1_000n)
        }
        // The answered ranges leave no gap: each ends just below the one before it.
        for (const [at, [, end]] of answered.entries())
          expect(end).toBe(at === 0 ? to : (answered[at - 1]?.[0] ?? 0n) - 1n)
      },
    ),
  )
})

it('fails if the node refuses even one block', async () => {
  const { client } = nodeOf(new Map(), 0n)
  const found = findPayout(client, depository, { from: 1n, to: 9n }, () => true)
  await expect(found).rejects.toThrow(RpcRefusedError)
})
