import type { TransactionMessageBytesBase64 } from '@solana/kit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decodeTransaction } from '#src/devnet/svm/node/decodedTransaction.ts'
import { limitComputeUnits, priceComputeUnits } from '#src/protocol/svm/computeBudget.ts'
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
  running = await startTestNode()
})
afterEach(() => running.stop())

const payment = (lamports: bigint) =>
  transferLamports({ from: running.user.pubkey, to: running.other.pubkey, lamports })

test('tells who it is', async () => {
  const { rpc } = running
  expect(await rpc.getHealth().send()).toBe('ok')
  expect(await rpc.getVersion().send()).toEqual({ 'feature-set': 0, 'solana-core': '3.0.0' })
  expect(await rpc.getGenesisHash().send()).toBe('2G6u1GfLgfyUwKrupxb2N1ix5Mj5ppbR4Nycsj36wsJM')
})

test('counts slots and blocks at each commitment', async () => {
  const { rpc, node } = running
  node.warp({ slots: 10 })
  const levels = ['processed', 'confirmed', 'finalized'] as const
  const slots = levels.map((commitment) => rpc.getSlot({ commitment }).send())
  expect(await Promise.all(slots)).toEqual([10n, 9n, 8n])
  const heights = levels.map((commitment) => rpc.getBlockHeight({ commitment }).send())
  expect(await Promise.all(heights)).toEqual([10n, 9n, 8n])
  // The default of a node, not of the client.
  expect(await callNode(node.url, 'getSlot')).toMatchObject({ result: 8 })
})

test('slots last 0.4 s, and long times skip slots', async () => {
  const { rpc, node } = running
  node.warp({ slots: 5 })
  expect(await rpc.getBlockTime(5n).send()).toBe(BigInt(genesisSeconds + 2))
  node.warp({ seconds: 86_400 })
  const slot = await rpc.getSlot({ commitment: 'processed' }).send()
  expect(slot).toBe(5n + (86_400n * 5n) / 2n)
  expect(await rpc.getBlockTime(slot).send()).toBe(BigInt(genesisSeconds + 2 + 86_400))
  expect(await rpc.getBlockHeight({ commitment: 'processed' }).send()).toBe(305n)
  expect(await callNode(node.url, 'getBlockTime', 100)).toMatchObject({ error: { code: -32_007 } })
  expect(await callNode(node.url, 'getBlockTime', Number(slot) + 1)).toMatchObject({
    error: { code: -32_004 },
  })
  expect(await rpc.getFirstAvailableBlock().send()).toBe(0n)
})

test('refuses to answer from a block that is older than the client asks for', async () => {
  expect(await callNode(running.node.url, 'getSlot', { minContextSlot: 5 })).toMatchObject({
    error: {
      code: -32_016,
      message: 'Minimum context slot has not been reached',
      data: { contextSlot: 0 },
    },
  })
})

test('a block hash is valid for 150 blocks', async () => {
  const { rpc, node } = running
  node.warp({ slots: 3 })
  const { value } = await rpc.getLatestBlockhash({ commitment: 'processed' }).send()
  expect(value.lastValidBlockHeight).toBe(153n)
  const isValid = async () =>
    (await rpc.isBlockhashValid(value.blockhash, { commitment: 'processed' }).send()).value
  node.warp({ slots: 150 })
  expect(await isValid()).toBe(true)
  node.warp({ slots: 1 })
  expect(await isValid()).toBe(false)
})

test('knows rent and fees', async () => {
  const { rpc, user, node } = running
  expect(await rpc.getMinimumBalanceForRentExemption(0n).send()).toBe(890_880n)
  expect(await rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n)
  const wire = await running.sign(
    [user],
    [limitComputeUnits(1001), priceComputeUnits(1_000_001n), payment(1n)],
  )
  const message = Buffer.from(decodeTransaction(wire).transaction.messageBytes).toString(
    'base64',
  ) as TransactionMessageBytesBase64
  const fee = async () =>
    (await rpc.getFeeForMessage(message, { commitment: 'processed' }).send()).value
  expect(await fee()).toBe(6002n)
  node.warp({ slots: 151 })
  expect(await fee()).toBeNull()
})

test('reports what a compute unit cost in recent blocks', async () => {
  const { rpc, user, other, node } = running
  await running.land([user], [priceComputeUnits(700n), payment(1n)])
  const first = node.tip().slot
  await running.send(await running.sign([user], [priceComputeUnits(300n), payment(2n)]))
  await running.land([other], [priceComputeUnits(500n)])
  const feesOf = async (...accounts: Parameters<typeof rpc.getRecentPrioritizationFees>) =>
    (await rpc.getRecentPrioritizationFees(...accounts).send()).map(
      ({ slot, prioritizationFee }) => [Number(slot), Number(prioritizationFee)],
    )
  expect(await feesOf()).toEqual([
    [0, 0],
    [first, 700],
    [first + 1, 300],
  ])
  expect(await feesOf([addressOf(other)])).toEqual([
    [0, 0],
    [first, 700],
    [first + 1, 300],
  ])
})
