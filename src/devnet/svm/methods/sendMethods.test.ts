import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE as preflightFailure,
} from '@solana/kit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { svmSigner } from '#src/devnet/svm/svmAccounts.ts'
import { limitComputeUnits } from '#src/protocol/svm/computeBudget.ts'
import { memo } from '#src/protocol/svm/memo.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import {
  addressOf,
  base64,
  callNode,
  initialLamports,
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

const errorOf = async (method: string, ...params: unknown[]) =>
  (await callNode(running.node.url, method, ...params)).error

test('a sent transaction is in the next block', async () => {
  const { rpc, user, other, node } = running
  const wire = await running.sign([user], [payment(7n), memo('order 1')])
  const signature = await rpc
    .sendTransaction(base64(wire), { encoding: 'base64', preflightCommitment: 'processed' })
    .send()
  expect(await running.statusOf(signature)).toBeUndefined()
  node.warp({ slots: 1 })
  expect(await running.statusOf(signature)).toMatchObject({
    confirmationStatus: 'processed',
    confirmations: 0n,
    err: null,
    slot: 1n,
  })
  const balanceAt = async (commitment: 'processed' | 'confirmed' | 'finalized') =>
    (await rpc.getBalance(addressOf(other), { commitment }).send()).value
  expect(await balanceAt('processed')).toBe(initialLamports + 7n)
  expect(await balanceAt('confirmed')).toBe(initialLamports)
  node.warp({ slots: 2 })
  expect(await balanceAt('finalized')).toBe(initialLamports + 7n)
  expect(await running.statusOf(signature)).toMatchObject({ confirmationStatus: 'finalized' })
})

test('takes a transaction until its block hash is 150 blocks old', async () => {
  const { user, node } = running
  const [last, late] = [
    await running.sign([user], [payment(1n)]),
    await running.sign([user], [payment(2n)]),
  ]
  node.warp({ slots: 150 })
  const lastSignature = await running.send(last)
  node.warp({ slots: 1 })
  const lateSignature = await running.send(late)
  node.warp({ slots: 1 })
  expect(await running.statusOf(lastSignature)).toMatchObject({ err: null })
  expect(await running.statusOf(lateSignature)).toBeUndefined()
})

test('a failed transaction pays its fee and has an error', async () => {
  const { rpc, user } = running
  const signature = await running.land([user], [payment(2n * initialLamports)])
  expect(await running.statusOf(signature)).toMatchObject({
    err: { InstructionError: [0n, { Custom: 1n }] },
    status: { Err: { InstructionError: [0n, { Custom: 1n }] } },
  })
  const { value } = await rpc.getBalance(addressOf(user), { commitment: 'processed' }).send()
  expect(value).toBe(initialLamports - 5000n)
})

test('a transaction whose program does not exist pays its fee, as on a cluster', async () => {
  const { rpc, user, other } = running
  const programId = svmSigner('nobody').pubkey
  const instruction = { programId, keys: [], data: new Uint8Array() }
  const signature = await running.land([user], [payment(1n), instruction])
  const status = await running.statusOf(signature)
  expect(status?.err).toBe('InvalidProgramForExecution')
  const at = { commitment: 'processed' } as const
  expect((await rpc.getBalance(addressOf(user), at).send()).value).toBe(initialLamports - 5000n)
  expect((await rpc.getBalance(addressOf(other), at).send()).value).toBe(initialLamports)
})

test('transactions that may not be in a block leave no trace', async () => {
  const { rpc, user, node } = running
  const poor = svmSigner('poor')
  const wire = await running.sign([poor], [memo('I cannot pay')])
  const twice = await running.sign([user], [limitComputeUnits(5), limitComputeUnits(6)])
  const forged = (await running.sign([user], [payment(1n)])).with(5, 0)
  const signatures = [
    await running.send(wire),
    await running.send(twice),
    await running.send(forged),
  ]
  node.warp({ slots: 1 })
  expect(await Promise.all(signatures.map(running.statusOf))).toEqual(Array(3).fill(undefined))
  const { value } = await rpc.getBalance(addressOf(user), { commitment: 'processed' }).send()
  expect(value).toBe(initialLamports)
})

test('a transaction counts once', async () => {
  const { rpc, user, other, node } = running
  const wire = await running.sign([user], [payment(3n)])
  await running.send(wire)
  await running.send(wire)
  node.warp({ slots: 1 })
  await running.send(wire)
  node.warp({ slots: 1 })
  const { value } = await rpc.getBalance(addressOf(other), { commitment: 'processed' }).send()
  expect(value).toBe(initialLamports + 3n)
  expect(
    await errorOf('sendTransaction', base64(wire), {
      encoding: 'base64',
      preflightCommitment: 'processed',
    }),
  ).toMatchObject({
    code: -32_002,
    message: 'Transaction simulation failed: This transaction has already been processed',
  })
})

test('a preflight refuses what would fail, with its logs', async () => {
  const { rpc, user } = running
  const wire = await running.sign([user], [payment(2n * initialLamports)])
  const sent = rpc
    .sendTransaction(base64(wire), { encoding: 'base64', preflightCommitment: 'processed' })
    .send()
  const error = await sent.catch((thrown) => thrown)
  expect(isSolanaError(error, preflightFailure)).toBe(true)
  expect(error.context).toMatchObject({
    fee: 5000n,
    logs: [
      'Program 11111111111111111111111111111111 invoke [1]',
      'Transfer: insufficient lamports 999999995000, need 2000000000000',
      'Program 11111111111111111111111111111111 failed: custom program error: 0x1',
    ],
  })
  expect(
    await errorOf('sendTransaction', base64(wire), {
      encoding: 'base64',
      preflightCommitment: 'processed',
    }),
  ).toMatchObject({
    code: -32_002,
    message:
      'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
    data: { err: { InstructionError: [0, { Custom: 1 }] } },
  })
})

test('a preflight at a commitment knows no newer block hash', async () => {
  const { user, node } = running
  node.warp({ slots: 1 })
  const wire = await running.sign([user], [payment(1n)])
  expect(await errorOf('sendTransaction', base64(wire), { encoding: 'base64' })).toMatchObject({
    code: -32_002,
    message: 'Transaction simulation failed: Blockhash not found',
    data: { err: 'BlockhashNotFound' },
  })
})

test('refuses forged signatures and what is no transaction', async () => {
  const { user } = running
  const forged = (await running.sign([user], [payment(1n)])).with(5, 0)
  const asBase64 = { encoding: 'base64', preflightCommitment: 'processed' }
  expect(await errorOf('sendTransaction', base64(forged), asBase64)).toEqual({
    code: -32_003,
    message: 'Transaction signature verification failure',
  })
  const code = -32_602
  const broken = Buffer.from([1, 2, 3]).toString('base64')
  expect(await errorOf('sendTransaction', broken, asBase64)).toMatchObject({ code })
  expect(await errorOf('sendTransaction', '!', asBase64)).toMatchObject({ code })
  const long = Buffer.alloc(1233).toString('base64')
  expect(await errorOf('sendTransaction', long, asBase64)).toMatchObject({
    code,
    message:
      'decoded solana_transaction::versioned::VersionedTransaction too large: 1233 bytes (max: 1232 bytes)',
  })
  expect(await errorOf('sendTransaction', broken, { unknown: 1 })).toMatchObject({ code })
})

test('a node sends a lost transaction again as often as it was told', async () => {
  const { rpc, user, node } = running
  const wires = [
    await running.sign([user], [payment(1n)]),
    await running.sign([user], [payment(2n)]),
  ]
  const sendWith = (wire: Uint8Array | undefined, maxRetries: bigint | undefined) =>
    rpc
      .sendTransaction(base64(wire ?? new Uint8Array()), {
        encoding: 'base64',
        skipPreflight: true,
        ...(maxRetries !== undefined && { maxRetries }),
      })
      .send()
  const signatures = [await sendWith(wires[0], 0n), await sendWith(wires[1], undefined)]
  await node.loseTransactions(() => node.warp({ slots: 1 }))
  node.warp({ slots: 4 })
  expect(await Promise.all(signatures.map(running.statusOf))).toEqual([undefined, undefined])
  node.warp({ slots: 1 })
  expect(await Promise.all(signatures.map(running.statusOf))).toMatchObject([
    undefined,
    { err: null },
  ])
})

test('simulates without an effect', async () => {
  const { rpc, user, other, node } = running
  const wire = await running.sign([user], [payment(9n), memo('hi')])
  const { value } = await rpc
    .simulateTransaction(base64(wire), {
      encoding: 'base64',
      commitment: 'processed',
      sigVerify: true,
      innerInstructions: true,
      accounts: { encoding: 'base64', addresses: [addressOf(other)] },
    })
    .send()
  expect(value).toMatchObject({
    accounts: [{ lamports: initialLamports + 9n, owner: '11111111111111111111111111111111' }],
    err: null,
    fee: 5000n,
    innerInstructions: [],
    loadedAddresses: { readonly: [], writable: [] },
    preBalances: [initialLamports, initialLamports, 1n, expect.anything()],
    postBalances: [initialLamports - 5009n, initialLamports + 9n, 1n, expect.anything()],
    replacementBlockhash: null,
    returnData: null,
  })
  expect(value.logs).toMatchInlineSnapshot(`
    [
      "Program 11111111111111111111111111111111 invoke [1]",
      "Program 11111111111111111111111111111111 success",
      "Program MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr invoke [1]",
      "Program log: Memo (len 2)",
      "Program log: hi",
      "Program MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr consumed 274 of 202850 compute units",
      "Program MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr success",
    ]
  `)
  expect(value.unitsConsumed).toBeGreaterThan(150n)
  node.warp({ slots: 1 })
  const balance = await rpc.getBalance(addressOf(other), { commitment: 'processed' }).send()
  expect(balance.value).toBe(initialLamports)
})

test('simulates with another block hash, and without signatures', async () => {
  const { rpc, user, node } = running
  const signed = await running.sign([user], [payment(1n)])
  const unsigned = base64(signed.fill(0, 1, 65))
  node.warp({ slots: 200 })
  const at = { encoding: 'base64', commitment: 'processed' } as const
  const stale = await rpc.simulateTransaction(unsigned, at).send()
  expect(stale.value).toMatchObject({ err: 'BlockhashNotFound', logs: [] })
  const { value } = await rpc
    .simulateTransaction(unsigned, { ...at, replaceRecentBlockhash: true })
    .send()
  expect(value).toMatchObject({
    err: null,
    replacementBlockhash: { blockhash: node.tip().blockhash, lastValidBlockHeight: 350n },
  })
  const both = { ...at, replaceRecentBlockhash: true, sigVerify: true }
  expect(await errorOf('simulateTransaction', unsigned, both)).toEqual({
    code: -32_602,
    message: 'sigVerify may not be used with replaceRecentBlockhash',
  })
})

test('simulates on the state of the commitment', async () => {
  const { rpc, user, other, node } = running
  node.warp({ slots: 2 })
  const rest = await running.sign([user], [payment(initialLamports - 5000n)])
  await running.land([user], [payment(1n)])
  const errAt = async (commitment: 'processed' | 'finalized') => {
    const options = { encoding: 'base64', commitment, replaceRecentBlockhash: true } as const
    return (await rpc.simulateTransaction(base64(rest), options).send()).value.err
  }
  expect(await errAt('processed')).toEqual({ InstructionError: [0n, { Custom: 1n }] })
  expect(await errAt('finalized')).toBeNull()
  const { value } = await rpc.getBalance(addressOf(other), { commitment: 'processed' }).send()
  expect(value).toBe(initialLamports + 1n)
})

test('pays airdrops', async () => {
  const { rpc, node } = running
  const fresh = addressOf(svmSigner('fresh'))
  const drops = [1, 2].map(() => callNode(node.url, 'requestAirdrop', fresh, 1_000_000_000))
  const [one, other] = await Promise.all(drops)
  expect(one?.result).not.toBe(other?.result)
  node.warp({ slots: 1 })
  const { value } = await rpc.getBalance(fresh, { commitment: 'processed' }).send()
  expect(value).toBe(2_000_000_000n)
})
