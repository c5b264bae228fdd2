import { expect, it } from 'vitest'
import { svmNative } from '#src/core/units/svm/pubkey.ts'
import { accountSizes } from '#src/protocol/svm/accounts.ts'
import { exitCall, refundCall, settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import {
  DepositoryRig,
  exitSeconds,
  known,
  payer,
  tokenAccountData,
  usd,
  user,
} from '#test/support/svm/depositoryRig.ts'

const nothing = new Uint8Array()

/** What its owner may have made of the account that paid the rent of a deposit, before the payout gives the rent back. */
const fates = [
  ['is closed', { owner: programIds.system, data: nothing, lamports: 0n }],
  ['holds tokens', { owner: programIds.token, data: tokenAccountData(usd, user, 1n) }],
  ['is a nonce account', { owner: programIds.system, data: new Uint8Array(accountSizes.nonce) }],
  ['belongs to a program', { owner: usd, data: new Uint8Array(1_000) }],
  ['is a program', undefined],
] as const

it.each(fates)('a deposit whose rent payer %s is paid out', (_, account) => {
  const rig = new DepositoryRig()
  const { program } = rig
  for (const currency of [svmNative, usd])
    for (const kind of ['settle', 'refund', 'exit'] as const) {
      rig.fund(payer)
      const payout = rig.deposited({ currency })
      rig.set(payer, account ?? { ...known(rig.account(program)), executable: true })
      const before = rig.lamports(payer)
      if (kind === 'exit') rig.advance(exitSeconds)
      const call = {
        settle: settleCall(program, payout),
        refund: refundCall(program, { ...payout, amount: payout.owed - 1n, cost: 1n }),
        exit: exitCall(program, payout),
      }[kind]
      expect([kind, currency, rig.send([call]).error]).toEqual([kind, currency, undefined])
      expect(rig.lamports(payer) - before).toBe(rig.rentMinimum(64))
    }
})
