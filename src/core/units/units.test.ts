import fc from 'fast-check'
import { formatUnits, getAddress, parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { toAddress } from './address.ts'
import { formatAmount, parseAmount, toAmount } from './amount.ts'
import { divUp, mulDivDown, mulDivUp } from './arithmetic.ts'
import { shareDown, toBps } from './bps.ts'
import { toChainId } from './chainId.ts'
import { isSameCurrency } from './currency.ts'
import { toPips } from './pips.ts'
import { amountForUsdUp, formatUsd, toUsd, toUsdPrice, usdValueDown } from './usd.ts'

const amounts = fc.bigInt(0n, 2n ** 256n - 1n).map(toAmount)
const smallAmounts = fc.bigInt(0n, 2n ** 160n).map(toAmount)
const shares = fc.bigInt(0n, 10_000n).map(toBps)
const prices = fc.bigInt(1n, 10n ** 30n).map(toUsdPrice)
const decimals = fc.integer({ min: 0, max: 36 })
const accounts = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => {
  return `0x${Buffer.from(bytes).toString('hex')}` as const
})

describe('amount', () => {
  it('is formatted like viem does, with at least one fraction digit', () => {
    fc.assert(
      fc.property(amounts, decimals, (amount, places) => {
        const text = formatAmount(amount, places)
        const plain = formatUnits(amount, places)
        expect(text).toBe(plain.includes('.') ? plain : `${plain}.0`)
        expect(parseUnits(text, places)).toBe(amount)
      }),
    )
  })

  it('parses its own text', () => {
    fc.assert(fc.property(amounts, (amount) => parseAmount(amount.toString()) === amount))
  })

  it.each(['', '-1', '1.5', '1e18', ' 1', '0x1', '٣', (2n ** 256n).toString(), '9'.repeat(10_000)])(
    'refuses %j',
    (text) => {
      expect(() => parseAmount(text)).toThrow(RangeError)
    },
  )

  it('rejects bigints outside 256 bits', () => {
    expect(() => toAmount(-1n)).toThrow(RangeError)
    expect(() => toAmount(2n ** 256n)).toThrow(RangeError)
  })
})

describe('address', () => {
  it('is the same for every spelling of an account', () => {
    fc.assert(
      fc.property(accounts, (account) => {
        const upper = `0x${account.slice(2).toUpperCase()}`
        for (const spelling of [account, upper, getAddress(account)])
          expect(toAddress(spelling)).toBe(account)
      }),
    )
  })

  it('rejects a wrong checksum, a wrong length and other text', () => {
    const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    expect(() => toAddress(checksummed.replace('aA', 'Aa'))).toThrow(/checksum/)
    for (const text of [
      '',
      '0x',
      '0x1234',
      `${checksummed}00`,
      'vitalik.eth',
      checksummed.slice(2),
    ])
      expect(() => toAddress(text)).toThrow(/40 hexadecimal/)
  })
})

describe('bps', () => {
  it('a share rounds down, by less than one unit', () => {
    fc.assert(
      fc.property(smallAmounts, shares, (amount, share) => {
        const rest = amount * share - shareDown(amount, share) * 10_000n
        expect(rest).toBeGreaterThanOrEqual(0n)
        expect(rest).toBeLessThan(10_000n)
      }),
    )
  })

  it('rejects values outside its range', () => {
    expect(() => toBps(-1n)).toThrow(RangeError)
    expect(() => toBps(10_001n)).toThrow(RangeError)
    expect(() => toPips(1_000_000)).toThrow(RangeError)
    expect(() => toPips(0.5)).toThrow(RangeError)
    expect(() => toChainId(0)).toThrow(RangeError)
    expect(() => toChainId(1.5)).toThrow(RangeError)
    expect(() => toUsdPrice(0n)).toThrow(RangeError)
  })
})

describe('mulDiv', () => {
  it('rounds as named', () => {
    const parts = fc.bigInt(0n, 2n ** 256n)
    fc.assert(
      fc.property(parts, parts, fc.bigInt(1n, 2n ** 256n), (a, b, divisor) => {
        const exact = a * b
        expect(mulDivDown(a, b, divisor) * divisor).toBeLessThanOrEqual(exact)
        expect(mulDivUp(a, b, divisor) * divisor).toBeGreaterThanOrEqual(exact)
        expect(mulDivUp(a, b, divisor) - mulDivDown(a, b, divisor)).toBe(
          exact % divisor === 0n ? 0n : 1n,
        )
        expect(divUp(a, divisor)).toBe(mulDivUp(a, 1n, divisor))
      }),
    )
  })
})

describe('usd', () => {
  it('the value of an amount converts back to at most that amount', () => {
    fc.assert(
      fc.property(smallAmounts, decimals, prices, (amount, places, price) => {
        const worth = usdValueDown(amount, places, price)
        expect(amountForUsdUp(worth, places, price)).toBeLessThanOrEqual(amount)
      }),
    )
  })

  it('amountForUsdUp is the smallest amount with the value', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), decimals, prices, (millionths, places, price) => {
        const amount = amountForUsdUp(toUsd(millionths), places, price)
        expect(usdValueDown(amount, places, price)).toBeGreaterThanOrEqual(millionths)
        expect(usdValueDown(toAmount(amount - 1n), places, price)).toBeLessThan(millionths)
      }),
    )
  })

  it('prints six decimals', () => {
    expect([0n, 1n, -27_900n, 224_286_014n, -1_000_000n].map(toUsd).map(formatUsd)).toEqual([
      '0.000000',
      '0.000001',
      '-0.027900',
      '224.286014',
      '-1.000000',
    ])
  })
})

describe('currency', () => {
  it('is the same only on one chain', () => {
    const ether = {
      chainId: toChainId(1),
      address: toAddress(`0x${'0'.repeat(40)}`),
      symbol: 'ETH',
      name: 'Ether',
      decimals: 18,
      metadata: { verified: true, isNative: true },
    }
    expect(isSameCurrency(ether, { ...ether, symbol: 'Ξ' })).toBe(true)
    expect(isSameCurrency(ether, { ...ether, chainId: toChainId(10) })).toBe(false)
  })
})
