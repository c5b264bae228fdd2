import fc from 'fast-check'
import { concatBytes } from 'viem'
import { expect, it } from 'vitest'
import { pubkeyBytes } from '#src/core/units/svm/pubkey.ts'
import { i64, u64 } from '#src/protocol/svm/bytes.ts'
import { lamports, pubkey } from '#test/support/arbitraries/svmArbitrary.ts'
import {
  decodeDepositoryConfig,
  decodeDepositoryLedger,
  decodeDepositoryRecord,
} from './depositoryState.ts'

const time = fc.bigInt(0n, 2n ** 63n - 1n)

it('the state of the depository is read, of this program only', () => {
  const config = fc.record({
    owner: pubkey,
    allocator: pubkey,
    payee: pubkey,
    pendingPayee: pubkey,
    payeeAt: time,
    exitSeconds: time,
  })
  const ledger = fc.record({
    hourly: lamports,
    used: lamports,
    updatedAt: time,
    reserved: lamports,
  })
  const record = fc.record({ owed: lamports, slot: lamports, exitTime: time, rentPayer: pubkey })
  fc.assert(
    fc.property(pubkey, pubkey, config, ledger, record, (owner, other, one, two, three) => {
      fc.pre(owner !== other)
      const states = [
        [
          decodeDepositoryConfig,
          one,
          [
            ...[one.owner, one.allocator, one.payee, one.pendingPayee].map(pubkeyBytes),
            ...[one.payeeAt, one.exitSeconds].map(i64),
          ],
        ],
        [
          decodeDepositoryLedger,
          two,
          [u64(two.hourly), u64(two.used), i64(two.updatedAt), u64(two.reserved)],
        ],
        [
          decodeDepositoryRecord,
          three,
          [u64(three.owed), u64(three.slot), i64(three.exitTime), pubkeyBytes(three.rentPayer)],
        ],
      ] as const
      for (const [decode, state, parts] of states) {
        const data = concatBytes([...parts])
        expect(decode(owner, { owner, data })).toEqual(state)
        expect(decode(owner, { owner: other, data })).toBeUndefined()
        expect(decode(owner, { owner, data: data.slice(1) })).toBeUndefined()
      }
    }),
  )
})
