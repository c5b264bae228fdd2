import fc from 'fast-check'
import { toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'

export const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((array): `0x${string}` => `0x${Buffer.from(array).toString('hex')}`)
export const calldata = fc.integer({ min: 0, max: 200 }).chain(bytes)
export const hash = bytes(32)
export const address = bytes(20).map(toAddress)
export const uint256 = fc.bigInt(0n, 2n ** 256n - 1n)
export const amount = uint256.map(toAmount)
export const chainId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(toChainId)
export const moment = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
/** Any text that Postgres accepts: without NUL and without unpaired surrogates. */
export const text = fc
  .string({ unit: 'binary', maxLength: 128 })
  .map((value) => value.replaceAll('\0', '').toWellFormed())

export const list = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.array(arbitrary, { maxLength: 3 })

/** A new optional field does not compile until the arbitraries generate it, and then until it is stored. */
export type All<Value> = { [Key in keyof Required<Value>]: fc.Arbitrary<unknown> }
