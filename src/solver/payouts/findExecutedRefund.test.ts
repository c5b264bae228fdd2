import fc from 'fast-check'
import { encodeEventTopics, type Hex, numberToHex } from 'viem'
import { expect, it } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import type { Address } from '#src/core/units/address.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { findPayout } from './findExecutedRefund.ts'

const { abi } = depositoryArtifact
const depository = `0x${'d'.repeat(40)}` as Address
const chain = { id: 1, displayName: 'Test Chain' }
const hashOf = (number: bigint): Hex => numberToHex(number, { size: 32 })
const [wanted, other] = [hashOf(1n), hashOf(2n)]
const refusal = { method: 'eth_getLogs', code: -32005, reason: 'too many blocks' }
const record = { index: 0, exitTime: 0 }
const deposit = { depositId: `1:${wanted}`, txHash: hashOf(3n), record }

const refundOf = (depositId: Hex) =>
  encodeEventTopics({ abi, eventName: 'DepositRefunded', args: { depositId } })

/** A node with payouts in these blocks that searches at most `maxRange` blocks a request. */
function nodeOf(blocks: ReadonlyMap<bigint, readonly unknown[]>, maxRange: bigint) {
  const requested: [bigint, bigint][] = []
  const answered: [bigint, bigint][] = []
  const getLogs = async ({ fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint }) => {
    requested.push([fromBlock, toBlock])
    if (toBlock - fromBlock + 1n > maxRange) throw new RpcRefusedError(chain, refusal)
    answered.push([fromBlock, toBlock])
    return [...blocks]
      .filter(([number]) => number >= fromBlock && number <= toBlock)
      .sort(([one], [two]) => Number(one - two))
      .map(([number, topics]) => {
        const hash = hashOf(number)
        return { topics, transactionHash: hash, blockNumber: number, blockHash: hash }
      })
  }
  return { client: { chain, getLogs } as unknown as ChainClient, requested, answered }
}

it('finds the last payout in a range, for any number of blocks that a node searches at once', async () => {
  const height = fc.bigInt(0n, 5_000n)
  const payouts = fc.array(fc.tuple(height, fc.constantFrom(wanted, other)), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      height,
      height,
      payouts,
      fc.bigInt(40n, 3_000n),
      async (from, to, made, maxRange) => {
        const paid = new Map(made)
        const blocks = new Map([...paid].map(([at, id]) => [at, refundOf(id)]))
        const { client, requested, answered } = nodeOf(blocks, maxRange)
        const found = await findPayout(client, depository, deposit, { from, to })
        const inRange = [...paid].filter(([at, id]) => id === wanted && at >= from && at <= to)
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

it('knows every kind of payout, and a plain transfer by its log', async () => {
  const paidBy = async (topics: readonly unknown[], found: Parameters<typeof findPayout>[2]) => {
    const { client } = nodeOf(new Map([[5n, topics]]), 100n)
    return (await findPayout(client, depository, found, { from: 1n, to: 9n })) !== undefined
  }
  for (const eventName of ['DepositRefunded', 'DepositExited', 'DepositSettled'] as const) {
    const topics = encodeEventTopics({ abi, eventName, args: { depositId: wanted } })
    expect(await paidBy(topics, deposit)).toBe(true)
  }
  const { txHash } = deposit
  const plain = { depositId: `1:${txHash}:7`, txHash }
  const topicsOf = (logIndex: bigint) =>
    encodeEventTopics({ abi, eventName: 'UnrecordedPaid', args: { txHash, logIndex } })
  expect(await paidBy(topicsOf(7n), plain)).toBe(true)
  expect(await paidBy(topicsOf(8n), plain)).toBe(false)
  expect(await paidBy(refundOf(wanted), plain)).toBe(false)
})

it('fails if the node refuses even one block', async () => {
  const { client } = nodeOf(new Map(), 0n)
  const found = findPayout(client, depository, deposit, { from: 1n, to: 9n })
  await expect(found).rejects.toThrow(RpcRefusedError)
})
