import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { svmSigner } from '#src/devnet/svm/svmAccounts.ts'
import { decodeNonceAccount } from '#src/protocol/svm/accounts.ts'
import { decodeClock } from '#src/protocol/svm/clock.ts'
import { limitComputeUnits, priceComputeUnits } from '#src/protocol/svm/computeBudget.ts'
import { memo } from '#src/protocol/svm/memo.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import {
  advanceNonce,
  createAccount,
  initializeNonce,
  transferLamports,
} from '#src/protocol/svm/systemProgram.ts'
import {
  addressOf,
  initialLamports,
  startTestNode,
  type TestNode,
} from '#test/support/svm/testNode.ts'
import { clockSysvar } from './addresses.ts'
import { allTransactionErrors } from './transactionError.ts'

let running: TestNode
beforeEach(async () => {
  running = await startTestNode({ finalizedAfter: 5 })
})
afterEach(() => running.stop())

const payment = (lamports: bigint) =>
  transferLamports({ from: running.user.pubkey, to: running.other.pubkey, lamports })

const balanceOf = async (signer: Parameters<typeof addressOf>[0]) =>
  (await running.rpc.getBalance(addressOf(signer), { commitment: 'processed' }).send()).value

const nonce = svmSigner('nonce')
const nonceOwner = () => ({ nonceAccount: nonce.pubkey, authority: running.user.pubkey })

async function makeNonce(): Promise<void> {
  const { user, node } = running
  const creation = {
    payer: user.pubkey,
    account: nonce.pubkey,
    lamports: node.rentMinimum(80),
    space: 80n,
    owner: programIds.system,
  }
  await node.land([
    {
      signers: [user, nonce],
      instructions: [createAccount(creation), initializeNonce(nonceOwner())],
    },
  ])
}

async function readNonce() {
  const options = { commitment: 'processed', encoding: 'base64' } as const
  const { value } = await running.rpc.getAccountInfo(addressOf(nonce), options).send()
  const data = new Uint8Array(Buffer.from(value?.data[0] ?? '', 'base64'))
  const found = decodeNonceAccount({ owner: programIds.system, data })
  if (found === undefined) throw new Error('There is no nonce account')
  return found.nonce
}

test('a nonce lasts longer than a block hash, and counts once', async () => {
  const { user, other, node } = running
  await makeNonce()
  const value = await readNonce()
  const sign = (lamports: bigint) =>
    running.sign([user], [advanceNonce(nonceOwner()), payment(lamports)], value)
  const [first, second] = [await sign(1n), await sign(2n)]
  node.warp({ slots: 200 })
  await running.send(first)
  await running.send(second)
  node.warp({ slots: 1 })
  expect(await balanceOf(other)).toBe(initialLamports + 1n)
  expect(await readNonce()).not.toBe(value)
})

test('a failed transaction advances its nonce and pays its fee', async () => {
  const { user, other, node } = running
  await makeNonce()
  const value = await readNonce()
  const before = await balanceOf(user)
  const sign = (lamports: bigint) =>
    running.sign([user], [advanceNonce(nonceOwner()), payment(lamports)], value)
  const failing = await running.send(await sign(2n * initialLamports))
  node.warp({ slots: 1 })
  expect(await running.statusOf(failing)).toMatchObject({
    err: { InstructionError: [1n, { Custom: 1n }] },
  })
  expect(await readNonce()).not.toBe(value)
  expect(await balanceOf(user)).toBe(before - 5000n)
  const replaced = await running.send(await sign(1n))
  node.warp({ slots: 1 })
  expect(await running.statusOf(replaced)).toBeUndefined()
  expect(await balanceOf(other)).toBe(initialLamports)
})

test('only its authority may use a nonce', async () => {
  const { other, node } = running
  await makeNonce()
  const stolen = { ...nonceOwner(), authority: other.pubkey }
  const wire = await running.sign([other], [advanceNonce(stolen)], await readNonce())
  const signature = await running.send(wire)
  node.warp({ slots: 1 })
  expect(await running.statusOf(signature)).toBeUndefined()
  expect(await balanceOf(other)).toBe(initialLamports)
})

test('a fork takes back accounts, nonces and transactions', async () => {
  const { rpc, user, other, node } = running
  await makeNonce()
  const value = await readNonce()
  const kept = await running.land([user], [payment(1n)])
  const wire = await running.sign([user], [payment(2n)])
  const lost = await running.send(wire)
  await running.send(await running.sign([user], [advanceNonce(nonceOwner())], value))
  node.warp({ slots: 1 })
  const late = await running.sign([user], [payment(4n)])
  const { blockhash, slot } = node.tip()
  node.fork(1)
  expect(await running.statusOf(lost)).toBeUndefined()
  expect(await running.statusOf(kept)).toMatchObject({ err: null })
  expect(await readNonce()).toBe(value)
  expect(await balanceOf(other)).toBe(initialLamports + 1n)
  node.warp({ slots: 1 })
  expect(node.tip()).toMatchObject({ slot: slot + 1, parentSlot: slot - 1, height: slot })
  const isValid = rpc.isBlockhashValid(blockhash, { commitment: 'processed' })
  expect((await isValid.send()).value).toBe(false)
  // Sent again, it counts. A transaction with the hash of a lost block does not.
  await running.send(wire)
  await running.send(late)
  node.warp({ slots: 1 })
  expect(await balanceOf(other)).toBe(initialLamports + 3n)
  const listed = await rpc
    .getSignaturesForAddress(addressOf(other), { commitment: 'confirmed' })
    .send()
  expect(listed.map(({ signature }) => signature)).toEqual([kept])
})

test('final blocks stay', () => {
  const { node } = running
  node.warp({ slots: 20 })
  expect(() => node.fork(6)).toThrow(RangeError)
  expect(() => node.fork(0)).toThrow(RangeError)
  node.fork(5)
  expect(node.tip().slot).toBe(15)
})

test('the state of each block is that of a chain that ends there', async () => {
  const { user, other, node, rpc } = running
  const amounts = fc.array(fc.array(fc.bigInt(1n, 9n), { maxLength: 3 }), {
    minLength: 1,
    maxLength: 8,
  })
  let payments = 0
  await fc.assert(
    fc.asyncProperty(amounts, fc.nat(5), async (blocks, discarded) => {
      const expected: bigint[] = [await balanceOf(other)]
      for (const block of blocks) {
        for (const amount of block) {
          payments += 1
          await running.send(await running.sign([user], [payment(amount), memo(`${payments}`)]))
        }
        node.warp({ slots: 1 })
        expected.push((expected.at(-1) ?? 0n) + block.reduce((sum, each) => sum + each, 0n))
      }
      const confirmed = await rpc.getBalance(addressOf(other), { commitment: 'confirmed' }).send()
      expect(confirmed.value).toBe(expected.at(-2))
      const count = Math.min(discarded, blocks.length, node.tip().height)
      if (count > 0) node.fork(count)
      expect(await balanceOf(other)).toBe(expected.at(-1 - count))
    }),
    { numRuns: 3 },
  )
})

test('computes the fee that the runtime takes', async () => {
  const { user, node, rpc } = running
  const other = svmSigner('user 2')
  const instruction = fc.oneof(
    fc.constant(() => memo('text')),
    fc.constant(() => payment(0n)),
    fc.constant(() => transferLamports({ from: other.pubkey, to: other.pubkey, lamports: 0n })),
  )
  const limit = fc.option(fc.integer({ min: 100_000, max: 1_500_000 }), { nil: undefined })
  const price = fc.option(fc.bigInt(0n, 3_000_000n), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(
      fc.array(instruction, { minLength: 1, maxLength: 6 }),
      limit,
      price,
      async (made, units, microLamports) => {
        const instructions = [
          ...(units === undefined ? [] : [limitComputeUnits(units)]),
          ...(microLamports === undefined ? [] : [priceComputeUnits(microLamports)]),
          ...made.map((make) => make()),
        ]
        const before = await balanceOf(user)
        node.warp({ slots: 1 })
        const signature = await running.land([user, other], instructions)
        node.warp({ slots: 1 })
        const found = await rpc
          .getTransaction(signature, {
            commitment: 'confirmed',
            encoding: 'json',
            maxSupportedTransactionVersion: 0,
          })
          .send()
        expect(found?.meta?.fee).toBe(before - (await balanceOf(user)))
      },
    ),
    { numRuns: 25 },
  )
})

test('names errors as the runtime does', () => {
  const require = createRequire(import.meta.url)
  const declarations = readFileSync(require.resolve('litesvm/dist/internal.d.ts'), 'utf8')
  const namesOf = (name: string) => {
    const [, members = ''] = new RegExp(`const enum ${name} \\{([^}]*)`).exec(declarations) ?? []
    return [...members.matchAll(/(\w+) = (\d+)/g)].map(([, member]) => member)
  }
  expect(allTransactionErrors.transaction).toEqual(namesOf('TransactionErrorFieldless'))
  expect(allTransactionErrors.instruction).toEqual(namesOf('InstructionErrorFieldless'))
})

test('the clock is that of the block that is read, also after a fork', async () => {
  const clocks = async () => {
    const read = (['processed', 'confirmed', 'finalized'] as const).map(async (commitment) => {
      const options = { commitment, encoding: 'base64' } as const
      const { context, value } = await running.rpc.getAccountInfo(clockSysvar, options).send()
      const data = Buffer.from(value?.data[0] ?? '', 'base64')
      expect(data.readBigUInt64LE(0)).toBe(context.slot)
      return Number(decodeClock({ data }))
    })
    const [processed = 0, ...earlier] = await Promise.all(read)
    return earlier.map((each) => processed - each)
  }
  running.node.warp({ slots: 50 })
  expect(await clocks()).toEqual([expect.any(Number), 2])
  running.node.fork(3)
  running.node.warp({ slots: 10 })
  expect(await clocks()).toEqual([expect.any(Number), 2])
})
