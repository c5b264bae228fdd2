import { expect, it } from 'vitest'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { requireTokenAccount } from '#src/protocol/svm/tokenProgram.ts'
import {
  DepositoryRig,
  known,
  mallory,
  tokenAccountData,
  usd,
  user,
} from '#test/support/svm/depositoryRig.ts'

it('a transaction that requires a token account fails without it, and nobody pays its rent', () => {
  const rig = new DepositoryRig()
  const tokens = associatedTokenAddress(user, usd)
  const required = [requireTokenAccount({ owner: user, mint: usd })]
  const account = known(rig.account(tokens))
  const before = rig.lamports(user)
  rig.succeed(required)

  rig.set(tokens, { ...account, data: tokenAccountData(usd, mallory, 1n) })
  expect(rig.send(required).error).toBeDefined()

  rig.set(tokens, { owner: programIds.system, data: new Uint8Array(), lamports: 0n })
  expect(rig.send(required).error).toBeDefined()
  expect(rig.account(tokens)).toBeUndefined()
  expect(rig.lamports(user)).toBe(before)
})
