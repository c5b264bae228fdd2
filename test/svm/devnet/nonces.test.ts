import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Blockhash } from '#src/core/units/svm/blockhash.ts'
import type { Message } from '#src/protocol/svm/message.ts'
import { advanceNonce, transferLamports } from '#src/protocol/svm/systemProgram.ts'
import {
  type Ledger,
  ledgerUsers,
  nonceAccount,
  startBankrun,
  startDevnetLedger,
} from '#test/support/svm/nonceLedgers.ts'
import { hasPeers } from '#test/support/svm/peers.ts'
import { initialLamports } from '#test/support/svm/testNode.ts'

/** A transaction whose lifetime is a value of the nonce account. */
type Action = Readonly<{
  lamports: bigint
  value: 'current' | 'used'
  signer: 'authority' | 'another'
  /** The advance comes first, as it must, or after the payment. */
  advance: 'first' | 'last'
}>

const usually = <Usual, Other>(usual: Usual, other: Other) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, fc.constant(other))

const action: fc.Arbitrary<Action> = fc.record({
  lamports: fc.oneof(fc.bigInt(1n, 1_000n), fc.constant(2n * initialLamports)),
  value: usually('current', 'used'),
  signer: usually('authority', 'another'),
  advance: usually('first', 'last'),
})

const [user, other] = ledgerUsers

/** `used`: a value that the nonce account had before. */
function messageOf(
  { lamports, value, signer, advance }: Action,
  { current, used = current }: Readonly<{ current: Blockhash; used: Blockhash | undefined }>,
): Message {
  const payer = (signer === 'authority' ? user : other).pubkey
  const payment = transferLamports({ from: payer, to: other.pubkey, lamports })
  const advanced = advanceNonce({ nonceAccount: nonceAccount.pubkey, authority: payer })
  return {
    payer,
    instructions: advance === 'first' ? [advanced, payment] : [payment, advanced],
    lifetime: value === 'current' ? current : used,
  }
}

/** What each block did: whether the nonce advanced, and by how much the lamports of the two users changed. */
async function observe(ledger: Ledger, blocks: readonly (readonly Action[])[]) {
  const balances = () => Promise.all(ledgerUsers.map(({ pubkey }) => ledger.balance(pubkey)))
  const seen: unknown[] = []
  let used: Blockhash | undefined
  let current = await ledger.nonce()
  let held = await balances()
  for (const block of blocks) {
    await ledger.addBlock(block.map((each) => messageOf(each, { current, used })))
    const [next, after] = [await ledger.nonce(), await balances()]
    const hasAdvanced = next !== current
    seen.push({ hasAdvanced, changes: after.map((each, at) => each - (held[at] ?? 0n)) })
    if (hasAdvanced) used = current
    current = next
    held = after
  }
  return seen
}

describe.skipIf(!hasPeers)('durable nonces of the devnet', () => {
  let devnet: Awaited<ReturnType<typeof startDevnetLedger>>
  let bank: Ledger
  beforeAll(async () => {
    vi.stubEnv('RUST_LOG', 'off')
    ;[devnet, bank] = await Promise.all([startDevnetLedger(), startBankrun()])
    vi.unstubAllEnvs()
  })
  afterAll(() => devnet?.stop())

  it('act as in a Bank of Agave', async () => {
    const block = fc.array(action, { minLength: 1, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 6 }), async (blocks) => {
        expect(await observe(devnet, blocks)).toEqual(await observe(bank, blocks))
      }),
      { numRuns: 30 },
    )
  })

  it('advance by a failure, which pays its fee, and are refused when used again', async () => {
    const failing = {
      lamports: 2n * initialLamports,
      value: 'current',
      signer: 'authority',
      advance: 'first',
    } as const
    const again = { ...failing, lamports: 1n, value: 'used' } as const
    for (const ledger of [devnet, bank])
      expect(await observe(ledger, [[failing], [again]])).toEqual([
        { hasAdvanced: true, changes: [-5_000n, 0n] },
        { hasAdvanced: false, changes: [0n, 0n] },
      ])
  })
})
