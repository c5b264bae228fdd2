import { randomBytes } from 'node:crypto'
import { concatBytes } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { type Pubkey, pubkeyBytes, svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmNode } from '#src/devnet/svm/startSvmNode.ts'
import { type SvmDevnetSigner, svmSolver, svmUsers } from '#src/devnet/svm/svmAccounts.ts'
import { decodeNonceAccount } from '#src/protocol/svm/accounts.ts'
import { u8 } from '#src/protocol/svm/bytes.ts'
import { depositCall } from '#src/protocol/svm/depository/depositCalls.ts'
import {
  fillMarkerAddress,
  recordAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { type Instruction, reads, signs, writes } from '#src/protocol/svm/instruction.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { minBalance } from '#src/protocol/svm/rent.ts'
import { keySigner } from '#src/protocol/svm/signer.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import {
  closeTokenAccount,
  createTokenAccount,
  transferTokens,
} from '#src/protocol/svm/tokenProgram.ts'
import { nonceAccountsOf } from '#src/solver/svm/nonceAccounts.ts'
import { patience } from '#test/support/patience.ts'
import { svmCrossings } from '#test/support/svm/svmCrossings.ts'

const mallory = svmUsers[3] as SvmDevnetSigner
const nonceAccounts = nonceAccountsOf(svmSolver.pubkey)

/** Pays addresses at which the solver is about to make accounts: one less than its rent, the others more. */
async function payNonceAccounts(node: SvmNode): Promise<object> {
  const instructions = nonceAccounts
    .slice(0, 3)
    .map((to, at) => gift(to, minBalance + BigInt(at) * 5_000_000n))
  await node.land([{ signers: [mallory], instructions }])
  return {}
}

const gift = (to: Pubkey, lamports: bigint): Instruction =>
  transferLamports({ from: mallory.pubkey, to, lamports })

const crossings = svmCrossings(payNonceAccounts)
const { rollup, solana } = crossings
const sol = 10n ** 9n
const usdc = 10n ** 6n
const program = () => crossings.svmChain().programId
const mint = () => toPubkey(crossings.stack().currencyOn(solana, 'USDC'))
const newSigner = () => keySigner(new Uint8Array(randomBytes(32)))

describe('lamports that were sent before do not prevent', () => {
  it('the nonce accounts', async () => {
    await crossings.run([rollup, 'USDC'], [solana, 'USDC'], 50n * usdc)
    const { accounts } = await crossings.client().getAccounts(nonceAccounts, 'finalized')
    expect(accounts.map((each) => each && decodeNonceAccount(each)?.authority)).toEqual(
      nonceAccounts.map(() => svmSolver.pubkey),
    )
  })

  it('a fill', async () => {
    const quoted = await crossings.quote([rollup, 'USDC'], [solana, 'SOL'], 200n * usdc)
    const { requestId, orderId: id } = await crossings.find(crossings.requestIdOf(quoted))
    const marker = fillMarkerAddress(program(), { solver: svmSolver.pubkey, id })
    await crossings.send([mallory], [gift(marker, 2n * minBalance)])
    await crossings.execute(quoted)
    expect(await crossings.ended(requestId)).toBe('success')
  })

  it('a deposit', async () => {
    const quoted = await crossings.quote([solana, 'SOL'], [rollup, 'USDC'], sol)
    const { requestId, orderId: id } = await crossings.find(crossings.requestIdOf(quoted))
    const { pubkey: sender } = crossings.user()
    const key = { id, depositor: sender, sender, currency: svmNative, nonce: 0n }
    await crossings.send([mallory], [gift(recordAddress(program(), key), 2n * minBalance)])
    await crossings.execute(quoted)
    expect(await crossings.ended(requestId)).toBe('success')
    await crossings.settledDeposits(requestId)
  })
})

it('a deposit with the order id of somebody else does not end the order, and goes back to its depositor', async () => {
  const quoted = await crossings.quote([solana, 'SOL'], [rollup, 'USDC'], 2n * sol)
  const { requestId, orderId: id } = await crossings.find(crossings.requestIdOf(quoted))
  const { pubkey } = mallory
  const deposit = { id, depositor: pubkey, sender: pubkey, currency: svmNative, nonce: 0n }
  const paid = { ...deposit, amount: sol, payer: pubkey }
  const before = await crossings.balance([solana, 'SOL'], pubkey)
  await crossings.send([mallory], [depositCall(program(), paid)])
  await crossings.depositsEnd(requestId, ['refunded'])
  const lost = before - (await crossings.balance([solana, 'SOL'], pubkey))
  expect(lost).toBeGreaterThan(0n)
  expect(lost).toBeLessThan(sol / 100n)
  await crossings.execute(quoted)
  expect(await crossings.ended(requestId)).toBe('success')
  await crossings.depositsEnd(requestId, ['refunded', 'settled'])
})

describe('the recipient changes after the quote', () => {
  /** A recipient that holds SOL and 1 USDC. */
  async function newRecipient() {
    const signer = newSigner()
    const to = signer.pubkey
    const from = mallory.pubkey
    await crossings.send([mallory], [gift(to, sol), ...tokensTo(to, from, usdc)])
    return { signer, tokens: associatedTokenAddress(to, mint()) }
  }

  const tokensTo = (to: Pubkey, from: Pubkey, amount: bigint): readonly Instruction[] => [
    createTokens(to),
    transferTokens({
      source: associatedTokenAddress(from, mint()),
      destination: associatedTokenAddress(to, mint()),
      authority: from,
      mint: mint(),
      amount,
      decimals: 6,
    }),
  ]

  type Recipient = Awaited<ReturnType<typeof newRecipient>>

  const quoteTo = ({ signer }: Pick<Recipient, 'signer'>) =>
    crossings.quote([rollup, 'USDC'], [solana, 'USDC'], 50n * usdc, { recipient: signer.pubkey })

  const closing = ({ signer, tokens }: Recipient): readonly Instruction[] => {
    const { pubkey } = signer
    const destination = associatedTokenAddress(mallory.pubkey, mint())
    const tokensBack = { source: tokens, destination, amount: usdc, decimals: 6 }
    return [
      transferTokens({ ...tokensBack, authority: pubkey, mint: mint() }),
      closeTokenAccount({ account: tokens, destination: pubkey, authority: pubkey }),
    ]
  }

  const exists = async (tokens: Pubkey) =>
    (await crossings.client().getAccounts([tokens], 'finalized')).accounts[0] !== undefined

  it('and gets a token account, if its quote has charged the rent', async () => {
    const signer = newSigner()
    const quoted = await quoteTo({ signer })
    await crossings.execute(quoted)
    const requestId = crossings.requestIdOf(quoted)
    expect(await crossings.ended(requestId)).toBe('success')
    const { amountOut } = await crossings.find(requestId)
    expect(await crossings.balance([solana, 'USDC'], signer.pubkey)).toBe(amountOut)
    const later = await quoteTo({ signer })
    expect(BigInt(later.details.currencyOut.amount)).toBeGreaterThan(amountOut)
  })

  it('and closes its token account: the deposit goes back', async () => {
    const recipient = await newRecipient()
    const quoted = await quoteTo(recipient)
    await crossings.send([recipient.signer], closing(recipient))
    await crossings.execute(quoted)
    const requestId = crossings.requestIdOf(quoted)
    crossings.svmNode().warp({ seconds: 100 })
    expect(await crossings.ended(requestId)).toBe('refund')
    expect(await crossings.fillsOf(requestId)).toEqual([])
    expect(await exists(recipient.tokens)).toBe(false)
  })

  it('and closes its token account while the fill is on its way: the fill fails, and the deposit goes back', async () => {
    const recipient = await newRecipient()
    const quoted = await quoteTo(recipient)
    const requestId = crossings.requestIdOf(quoted)
    await crossings.svmNode().loseTransactions(async () => {
      await crossings.execute(quoted)
      await crossings.fillSent(requestId)
      const signers = [recipient.signer] as const
      await crossings.svmNode().land([{ signers, instructions: closing(recipient) }])
    })
    expect(await crossings.ended(requestId)).toBe('refund')
    const fills = await crossings.fillsOf(requestId)
    expect(fills.map(({ status }) => status)).toEqual(['reverted'])
    expect(await exists(recipient.tokens)).toBe(false)
  })

  it('and gives its token account away: the deposit goes back', async () => {
    const { signer, tokens } = await newRecipient()
    const quoted = await quoteTo({ signer })
    await crossings.send([signer], [setOwner(tokens, signer.pubkey, mallory.pubkey)])
    await crossings.execute(quoted)
    const requestId = crossings.requestIdOf(quoted)
    crossings.svmNode().warp({ seconds: 130 })
    expect(await crossings.ended(requestId)).toBe('refund')
    expect(await crossings.fillsOf(requestId)).toEqual([])
  })

  it('and leaves nothing of its SOL, so that a small payment cannot keep it alive: the deposit goes back', async () => {
    const { signer } = await newRecipient()
    const { pubkey } = signer
    const terms = { recipient: pubkey, tradeType: 'EXACT_OUTPUT' }
    const quoted = await crossings.quote([rollup, 'USDC'], [solana, 'SOL'], minBalance / 10n, terms)
    const all = (await crossings.balance([solana, 'SOL'], pubkey)) - 5_000n
    await crossings.send(
      [signer],
      [transferLamports({ from: pubkey, to: mallory.pubkey, lamports: all })],
    )
    expect(await crossings.balance([solana, 'SOL'], pubkey)).toBe(0n)
    await crossings.execute(quoted)
    const requestId = crossings.requestIdOf(quoted)
    crossings.svmNode().warp({ seconds: 130 })
    expect(await crossings.ended(requestId)).toBe('refund')
    expect(await crossings.fillsOf(requestId)).toEqual([])
  })
})

it('a depositor that closes its token account while its refund is on the way gets no other one from the solver', async () => {
  const thief = newSigner()
  const owner = thief.pubkey
  const tokens = associatedTokenAddress(owner, mint())
  await crossings.send([mallory], [gift(owner, sol), createTokens(owner)])
  const quoted = await crossings.quote([solana, 'SOL'], [rollup, 'USDC'], 2n * sol)
  const { requestId, orderId: id } = await crossings.find(crossings.requestIdOf(quoted))
  await vi.waitFor(async () => {
    const { accounts } = await crossings.client().getAccounts(nonceAccounts, 'finalized')
    expect(accounts).not.toContain(undefined)
  }, patience)
  const paid = { id, depositor: owner, sender: mallory.pubkey, currency: mint(), nonce: 0n }
  const deposit = depositCall(program(), { ...paid, amount: usdc, payer: mallory.pubkey })
  await crossings.svmNode().loseTransactions(async () => {
    await crossings.svmNode().land([{ signers: [mallory], instructions: [deposit] }])
    await vi.waitFor(async () => {
      expect(await crossings.stack().store.transactionsOf(requestId)).toHaveLength(1)
    }, patience)
    const closing = closeTokenAccount({ account: tokens, destination: owner, authority: owner })
    await crossings.svmNode().land([{ signers: [thief], instructions: [closing] }])
  })
  // The refund fails on chain. Its depositor can take the deposit back after the exit time.
  await crossings.depositsEnd(requestId, ['kept'])
  const { accounts } = await crossings.client().getAccounts([tokens], 'finalized')
  expect(accounts).toEqual([undefined])
})

describe('a fill that nodes drop', () => {
  const from = [rollup, 'USDC'] as const

  it('outlives its block hash, and is sent again until it lands', async () => {
    const quoted = await crossings.quote(from, [solana, 'SOL'], 200n * usdc)
    const requestId = crossings.requestIdOf(quoted)
    await crossings.svmNode().loseTransactions(async () => {
      await crossings.execute(quoted)
      await crossings.fillSent(requestId)
      crossings.svmNode().warp({ slots: 200 })
    })
    expect(await crossings.ended(requestId)).toBe('success')
    expect(await crossings.fillsOf(requestId)).toHaveLength(1)
  })

  it('fails after its deadline, and the order is filled with the next value of a nonce', async () => {
    const quoted = await crossings.quote(from, [solana, 'USDC'], 70n * usdc)
    const requestId = crossings.requestIdOf(quoted)
    const to = crossings.accountOn(solana, 1)
    const before = await crossings.balance([solana, 'USDC'], to)
    await crossings.svmNode().loseTransactions(async () => {
      await crossings.execute(quoted)
      await crossings.fillSent(requestId)
      crossings.svmNode().warp({ seconds: 100 })
    })
    expect(await crossings.ended(requestId)).toBe('success')
    const fills = await crossings.fillsOf(requestId)
    expect(fills.map(({ status }) => status)).toEqual(['reverted', 'final'])
    const { amountOut } = await crossings.find(requestId)
    expect((await crossings.balance([solana, 'USDC'], to)) - before).toBe(amountOut)
  })
})

const createTokens = (owner: Pubkey): Instruction =>
  createTokenAccount({ payer: mallory.pubkey, owner, mint: mint() })

/** @source spl-token-interface: TokenInstruction::SetAuthority of the owner of an account */
const setOwner = (account: Pubkey, owner: Pubkey, next: Pubkey): Instruction => ({
  programId: programIds.token,
  keys: [writes(account), signs(reads(owner))],
  data: concatBytes([u8(6), u8(2), u8(1), pubkeyBytes(next)]),
})
