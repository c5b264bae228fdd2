import { address } from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { createMints } from '#src/devnet/svm/deployment/createMints.ts'
import { svmSigner } from '#src/devnet/svm/svmAccounts.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { closeTokenAccount, transferTokens } from '#src/protocol/svm/tokenProgram.ts'
import {
  addressOf,
  callNode,
  initialLamports,
  startTestNode,
  type TestNode,
} from '#test/support/svm/testNode.ts'

let running: TestNode
const mint = svmSigner('mint')
let held: Pubkey
let heldByOther: Pubkey
beforeAll(async () => {
  running = await startTestNode()
  const { node, user, other } = running
  held = associatedTokenAddress(user.pubkey, mint.pubkey)
  heldByOther = associatedTokenAddress(other.pubkey, mint.pubkey)
  const holders = [user.pubkey, other.pubkey]
  await createMints(node, user, [{ signer: mint, decimals: 6 }], { holders, amount: 5n })
  node.warp({ slots: 2 })
})
afterAll(() => running.stop())

const tokenJson = (owner: Pubkey) => ({
  data: {
    parsed: {
      info: {
        isNative: false,
        mint: mint.pubkey,
        owner,
        state: 'initialized',
        tokenAmount: { amount: '5000000', decimals: 6, uiAmount: 5, uiAmountString: '5' },
      },
      type: 'account',
    },
    program: 'spl-token',
    space: 165n,
  },
  executable: false,
  lamports: 2_039_280n,
  owner: programIds.token,
  rentEpoch: 18_446_744_073_709_551_615n,
  space: 165n,
})

test('answers an account in each encoding', async () => {
  const { rpc, node, user } = running
  const account = address(held)
  const encoded = await rpc.getAccountInfo(account, { encoding: 'base64' }).send()
  expect(encoded.value).toMatchObject({
    ...tokenJson(user.pubkey),
    data: [expect.any(String), 'base64'],
  })
  const parsed = await rpc.getAccountInfo(account, { encoding: 'jsonParsed' }).send()
  expect(parsed.value).toEqual(tokenJson(user.pubkey))
  const mintInfo = await rpc.getAccountInfo(addressOf(mint), { encoding: 'jsonParsed' }).send()
  expect(mintInfo.value?.data).toEqual({
    parsed: {
      info: {
        decimals: 6,
        freezeAuthority: user.pubkey,
        isInitialized: true,
        mintAuthority: user.pubkey,
        supply: '10000000',
      },
      type: 'mint',
    },
    program: 'spl-token',
    space: 82n,
  })
  // Without an encoding the data is a text, which may not be long.
  expect(await callNode(node.url, 'getAccountInfo', addressOf(user))).toMatchObject({
    result: { value: { data: '', lamports: expect.any(Number) } },
  })
  expect(await callNode(node.url, 'getAccountInfo', held)).toMatchObject({
    error: { code: -32_600, message: expect.stringContaining('less than 128 bytes') },
  })
  const nobody = addressOf(svmSigner('nobody'))
  expect((await rpc.getAccountInfo(nobody, { encoding: 'base64' }).send()).value).toBeNull()
})

test('answers a part of the data', async () => {
  const options = { encoding: 'base64', dataSlice: { offset: 64, length: 8 } } as const
  const { value } = await running.rpc.getAccountInfo(address(held), options).send()
  expect(value?.data).toEqual(['QEtMAAAAAAA=', 'base64'])
})

test('answers several accounts', async () => {
  const { rpc, user, node } = running
  const nobody = addressOf(svmSigner('nobody'))
  const wanted = [address(held), nobody, address(heldByOther)]
  const { value } = await rpc.getMultipleAccounts(wanted, { encoding: 'jsonParsed' }).send()
  expect(value).toEqual([tokenJson(user.pubkey), null, tokenJson(running.other.pubkey)])
  expect(await callNode(node.url, 'getMultipleAccounts', Array(101).fill(held))).toMatchObject({
    error: { code: -32_602 },
  })
})

test('finds the token accounts of an owner', async () => {
  const { rpc, user, node } = running
  const options = { encoding: 'jsonParsed' } as const
  const expected = [{ account: tokenJson(user.pubkey), pubkey: held }]
  const byMint = { mint: addressOf(mint) }
  const found = await rpc.getTokenAccountsByOwner(addressOf(user), byMint, options).send()
  expect(found.value).toEqual(expected)
  const byProgram = { programId: address(programIds.token) }
  const all = await rpc.getTokenAccountsByOwner(addressOf(user), byProgram, options).send()
  expect(all.value).toEqual(expected)
  const others = { programId: address(programIds.token2022) }
  expect(
    (await rpc.getTokenAccountsByOwner(addressOf(user), others, options).send()).value,
  ).toEqual([])
  const errorFor = (filter: unknown) =>
    callNode(node.url, 'getTokenAccountsByOwner', user.pubkey, filter)
  expect(await errorFor({ mint: user.pubkey })).toMatchObject({
    error: { code: -32_602, message: 'Invalid param: could not find mint' },
  })
  expect(await errorFor({ programId: programIds.system })).toMatchObject({
    error: { code: -32_602, message: 'Invalid param: unrecognized Token program id' },
  })
})

test('answers the balance of a token account', async () => {
  const { rpc, user, node } = running
  expect((await rpc.getTokenAccountBalance(address(held)).send()).value).toEqual({
    amount: '5000000',
    decimals: 6,
    uiAmount: 5,
    uiAmountString: '5',
  })
  expect(await callNode(node.url, 'getTokenAccountBalance', user.pubkey)).toMatchObject({
    error: { code: -32_602, message: 'Invalid param: not a Token account' },
  })
})

test('filters the accounts of a program', async () => {
  const { rpc, other, node } = running
  const token = address(programIds.token)
  const filters = [
    { dataSize: 165n },
    { memcmp: { offset: 32n, bytes: other.pubkey as never, encoding: 'base58' } },
  ] as const
  const found = await rpc.getProgramAccounts(token, { encoding: 'base64', filters }).send()
  expect(found.map(({ pubkey }) => pubkey)).toEqual([heldByOther])
  const all = await rpc.getProgramAccounts(token, { encoding: 'base64', withContext: true }).send()
  expect(all.context.slot).toBe(2n)
  // The native mint of wrapped SOL may be one of them.
  expect(all.value.map(({ pubkey }) => pubkey)).toEqual(
    expect.arrayContaining([mint.pubkey, held, heldByOther]),
  )
  const tooMany = { filters: Array(5).fill({ dataSize: 1 }) }
  expect(await callNode(node.url, 'getProgramAccounts', token, tooMany)).toMatchObject({
    error: { code: -32_602, message: expect.stringContaining('Too many filters provided; max 4') },
  })
})

test('each commitment sees its own accounts, also those that were closed', async () => {
  const { rpc, user, other, node } = running
  const transfer = {
    source: held,
    destination: heldByOther,
    authority: user.pubkey,
    mint: mint.pubkey,
    amount: 5_000_000n,
    decimals: 6,
  }
  const close = { account: held, destination: other.pubkey, authority: user.pubkey }
  await running.land([user], [transferTokens(transfer), closeTokenAccount(close)])
  const holdersAt = async (commitment: 'processed' | 'confirmed' | 'finalized') => {
    const options = { encoding: 'jsonParsed', commitment } as const
    const programId = address(programIds.token)
    const { value } = await rpc
      .getTokenAccountsByOwner(addressOf(user), { programId }, options)
      .send()
    return value.length
  }
  expect([
    await holdersAt('processed'),
    await holdersAt('confirmed'),
    await holdersAt('finalized'),
  ]).toEqual([0, 1, 1])
  node.warp({ slots: 1 })
  expect([
    await holdersAt('processed'),
    await holdersAt('confirmed'),
    await holdersAt('finalized'),
  ]).toEqual([0, 0, 1])
  node.warp({ slots: 1 })
  expect(await holdersAt('finalized')).toBe(0)
  const { value } = await rpc.getBalance(addressOf(other)).send()
  expect(value).toBe(initialLamports + 2_039_280n)
})
