import { type Signature, signature as toSignature } from '@solana/kit'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memo } from '#src/protocol/svm/memo.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import {
  addressOf,
  callNode,
  genesisSeconds,
  startTestNode,
  type TestNode,
} from '#test/support/svm/testNode.ts'

let running: TestNode
beforeEach(async () => {
  running = await startTestNode({ confirmedAfter: 1, finalizedAfter: 3 })
})
afterEach(() => running.stop())

const payment = (lamports: bigint) =>
  transferLamports({ from: running.user.pubkey, to: running.other.pubkey, lamports })

const unknown = toSignature('1'.repeat(64))

test('answers whole transactions', async () => {
  const { rpc, user, node } = running
  const signature = await running.land([user], [payment(7n), memo('order 1')])
  node.warp({ slots: 1 })
  const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const
  const found = await rpc.getTransaction(signature, { ...options, encoding: 'json' }).send()
  expect(found).toMatchInlineSnapshot(`
    {
      "blockTime": 1800000000n,
      "meta": {
        "computeUnitsConsumed": 424n,
        "err": null,
        "fee": 5000n,
        "innerInstructions": [],
        "loadedAddresses": {
          "readonly": [],
          "writable": [],
        },
        "logMessages": [
          "Program 11111111111111111111111111111111 invoke [1]",
          "Program 11111111111111111111111111111111 success",
          "Program MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr invoke [1]",
          "Program log: Memo (len 7)",
          "Program log: order 1",
          "Program MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr consumed 274 of 202850 compute units",
          "Program MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr success",
        ],
        "postBalances": [
          999999994993n,
          1000000000007n,
          1n,
          16926720n,
        ],
        "postTokenBalances": [],
        "preBalances": [
          1000000000000n,
          1000000000000n,
          1n,
          16926720n,
        ],
        "preTokenBalances": [],
        "rewards": [],
        "status": {
          "Ok": null,
        },
      },
      "slot": 1n,
      "transaction": {
        "message": {
          "accountKeys": [
            "9aDDEH2WbsRi4B5E8FwynCroHbFcJKm3FhKc3m23csKC",
            "3gTkgBvSjqTnybfBHNMhgVwWr6UkvJk8NSi4qkuB2ES7",
            "11111111111111111111111111111111",
            "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
          ],
          "addressTableLookups": [],
          "header": {
            "numReadonlySignedAccounts": 0,
            "numReadonlyUnsignedAccounts": 2,
            "numRequiredSignatures": 1,
          },
          "instructions": [
            {
              "accounts": [
                0,
                1,
              ],
              "data": "3Bxs422ZxaDKgeiB",
              "programIdIndex": 2,
              "stackHeight": 1,
            },
            {
              "accounts": [],
              "data": "5DxJX25tHv",
              "programIdIndex": 3,
              "stackHeight": 1,
            },
          ],
          "recentBlockhash": "2G6u1GfLgfyUwKrupxb2N1ix5Mj5ppbR4Nycsj36wsJM",
        },
        "signatures": [
          "3yuu1YWiGMxSoJDJj34u4oaQ7BY7WdTTPFDt9veGpAemq1U68SCvqDn1HkWUtYVoJeJjH7gf7kwpGaqcjRLJyoJA",
        ],
      },
      "version": 0,
    }
  `)
  const encoded = await rpc.getTransaction(signature, { ...options, encoding: 'base64' }).send()
  expect(encoded).toMatchObject({ transaction: [expect.any(String), 'base64'], version: 0 })
  expect(encoded?.meta).toEqual(found?.meta)
})

test('answers transactions once they are confirmed, and only to clients of their version', async () => {
  const { rpc, user, node } = running
  const signature = await running.land([user], [payment(7n)])
  const options = { commitment: 'confirmed', encoding: 'json' } as const
  const version = { maxSupportedTransactionVersion: 0 } as const
  const read = () => rpc.getTransaction(signature, { ...options, ...version }).send()
  expect(await read()).toBeNull()
  node.warp({ slots: 1 })
  expect(await read()).toMatchObject({ slot: 1n, blockTime: BigInt(genesisSeconds) })
  expect(await callNode(node.url, 'getTransaction', signature, options)).toMatchObject({
    error: { code: -32_015 },
  })
  const tooEarly = { commitment: 'processed' }
  expect(await callNode(node.url, 'getTransaction', signature, tooEarly)).toMatchObject({
    error: { code: -32_602, message: 'Method does not support commitment below `confirmed`' },
  })
  expect(await rpc.getTransaction(unknown, { ...options, ...version }).send()).toBeNull()
})

test('the status of old transactions needs a search', async () => {
  const { rpc, user, node } = running
  const signature = await running.land([user], [payment(7n)])
  node.warp({ slots: 301 })
  const statuses = (searchTransactionHistory: boolean) =>
    rpc.getSignatureStatuses([signature, unknown], { searchTransactionHistory }).send()
  expect((await statuses(false)).value).toEqual([null, null])
  expect((await statuses(true)).value).toEqual([
    {
      confirmationStatus: 'finalized',
      confirmations: null,
      err: null,
      slot: 1n,
      status: { Ok: null },
    },
    null,
  ])
})

test('lists the transactions of an account', async () => {
  const { rpc, user, other, node } = running
  await running.land([user], [payment(7n), memo('one'), memo('two')])
  await running.land([other], [memo('not of the user')])
  await running.land([user], [payment(2_000_000_000_000n)])
  node.warp({ slots: 1 })
  const listed = await rpc
    .getSignaturesForAddress(addressOf(user), { commitment: 'confirmed' })
    .send()
  expect(listed.map(({ signature, ...rest }) => rest)).toEqual([
    {
      blockTime: BigInt(genesisSeconds + 1),
      confirmationStatus: 'confirmed',
      err: { InstructionError: [0n, { Custom: 1n }] },
      memo: null,
      slot: 3n,
    },
    {
      blockTime: BigInt(genesisSeconds),
      confirmationStatus: 'finalized',
      err: null,
      memo: '[3] one; [3] two',
      slot: 1n,
    },
  ])
})

test('pages of transactions are complete, whatever their limits', async () => {
  const { rpc, user, other, node } = running
  const sent: Signature[] = []
  for (const each of Array(12).keys()) {
    sent.push(await running.send(await running.sign([user], [payment(BigInt(each + 1))])))
    if (each % 3 === 2) node.warp({ slots: 1 })
  }
  node.warp({ slots: 3 })
  const account = addressOf(other)
  const newestFirst = sent.toReversed()
  const limits = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 12, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(limits, fc.nat(11), async (each, untilAt) => {
      const read: Signature[] = []
      for (const limit of each) {
        const before = read.at(-1)
        const until = newestFirst[untilAt]
        const page = await rpc
          .getSignaturesForAddress(account, {
            limit,
            ...(until !== undefined && { until }),
            ...(before !== undefined && { before }),
          })
          .send()
        read.push(...page.map(({ signature }) => signature))
        if (page.length < limit) break
      }
      expect(read).toEqual(newestFirst.slice(0, untilAt))
    }),
    { numRuns: 10 },
  )
  expect(await rpc.getSignaturesForAddress(account, { before: unknown }).send()).toEqual([])
})

test('forgets the oldest transactions beyond its memory, but none that could be sent again', async () => {
  await running.stop()
  running = await startTestNode({ maxHistoryBytes: 20_000 })
  const { rpc, user, other, node } = running
  for (let each = 1n; each <= 30n; each += 1n) await running.land([user], [payment(each)])
  node.warp({ slots: 3 })
  const count = async () => (await rpc.getSignaturesForAddress(addressOf(other)).send()).length
  expect(await count()).toBe(30)
  node.warp({ slots: 300 })
  const kept = await count()
  expect(kept).toBeGreaterThan(5)
  expect(kept).toBeLessThan(20)
  expect(await rpc.minimumLedgerSlot().send()).toBe(BigInt(31 - kept))
})
