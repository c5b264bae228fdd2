import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GasMarket, gasPriceOf, transactionCost } from '#src/core/pricing/gas/gas.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import { svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'

const mint = toPubkey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkwyTDt1v')

const market = fc.record({
  vmType: fc.constant('svm' as const),
  lamportsPerSignature: fc.bigInt(0n, 100_000n),
  microLamportsPerUnit: fc.bigInt(0n, 10n ** 9n),
  lamportsPerByte: fc.bigInt(0n, 100_000n),
})
const size = fc.record({
  gas: fc.bigInt(0n, 1_400_000n),
  bytes: fc.bigInt(0n, 10_000n),
  signatures: fc.constantFrom(undefined, 1n, 2n),
})

describe('the cost of a transaction in lamports', () => {
  it('is what the runtime charges: signatures, the priority fee rounded up, and rent', () => {
    const mainnet: GasMarket = {
      vmType: 'svm',
      lamportsPerSignature: 5_000n,
      microLamportsPerUnit: 1n,
      lamportsPerByte: 6_960n,
    }
    const cost = (bytes: bigint) => transactionCost(mainnet, { gas: 40_000n, bytes })
    expect(cost(0n)).toBe(5_001n)
    // The rent-exempt minimum of an empty account, and of a token account.
    expect(cost(128n)).toBe(5_001n + 890_880n)
    expect(cost(293n)).toBe(5_001n + 2_039_280n)
  })

  it('never falls with more compute units, bytes, signatures, or higher prices', () => {
    fc.assert(
      fc.property(market, market, size, size, (one, more, small, added) => {
        const higher: GasMarket = {
          vmType: 'svm',
          lamportsPerSignature: one.lamportsPerSignature + more.lamportsPerSignature,
          microLamportsPerUnit: one.microLamportsPerUnit + more.microLamportsPerUnit,
          lamportsPerByte: one.lamportsPerByte + more.lamportsPerByte,
        }
        const larger = {
          gas: small.gas + added.gas,
          bytes: small.bytes + added.bytes,
          signatures: (small.signatures ?? 1n) + (added.signatures ?? 1n),
        }
        const cost = transactionCost(one, small)
        expect(transactionCost(higher, small)).toBeGreaterThanOrEqual(cost)
        expect(transactionCost(one, larger)).toBeGreaterThanOrEqual(cost)
        expect(cost).toBeLessThanOrEqual(
          (small.signatures ?? 1n) * one.lamportsPerSignature +
            small.gas * gasPriceOf(one) +
            small.bytes * one.lamportsPerByte,
        )
      }),
    )
  })
})

describe('sizes', () => {
  const { fill, refund, settlement, sweep, addressPayment } = sizesOf({
    vmType: 'svm',
    lamportsPerSignature: 1n,
    microLamportsPerUnit: 1n,
    lamportsPerByte: 1n,
  })
  const leg = (currency: typeof mint) => ({
    input: currency,
    output: currency,
    wraps: false,
    unwraps: false,
    swap: undefined,
  })

  it('a fill leaves the marker of its order, and a token account of the recipient', () => {
    expect(fill(leg(svmNative), { txs: [] }).bytes).toBe(128n)
    expect(fill(leg(mint), { txs: [] }).bytes).toBe(128n + 293n)
    expect(fill(leg(mint), { txs: [], hasTokenAccount: true }).bytes).toBe(128n)
  })

  it('a refund may create the token account; settlements and sweeps leave nothing', () => {
    expect(refund(svmNative).bytes).toBe(0n)
    expect(refund(mint).bytes).toBe(293n)
    const left = [settlement(mint, {}), sweep(mint), addressPayment(mint)]
    expect(left.map(({ bytes }) => bytes)).toEqual([0n, 0n, 0n])
  })
})
