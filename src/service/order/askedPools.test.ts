import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { usdc } from '#test/support/canned/cannedCurrencies.ts'
import { priceAsked } from './askedPools.ts'

const other = { ...usdc, address: `0x${'9'.repeat(40)}` as typeof usdc.address }

const askFor =
  (seconds: number | undefined) =>
  ({ address }: { address: string }) =>
    address === other.address ? seconds : undefined

const failing = (code: 'NO_SWAP_ROUTES_FOUND' | 'AMOUNT_TOO_LOW') => () => {
  throw new AppError(code, 'as today')
}

it('says when to ask again if pools are about to be read', () => {
  const price = () => priceAsked(askFor(3), [usdc, other], failing('NO_SWAP_ROUTES_FOUND'))
  expect(price).toThrowError(
    expect.objectContaining({
      code: 'NO_SWAP_ROUTES_FOUND',
      message: `The pools of ${other.address} on chain ${other.chainId} are being read for the first time. Ask again in a moment.`,
      data: {
        currencies: [{ chainId: other.chainId, address: other.address }],
        retryAfterSeconds: 3,
      },
    }),
  )
})

it('keeps the answer if pools are not the reason, or none will be read', () => {
  const price = (seconds: number | undefined, run: () => number) => () =>
    priceAsked(askFor(seconds), [usdc, other], run)
  expect(price(3, failing('AMOUNT_TOO_LOW'))).toThrow('as today')
  expect(price(undefined, failing('NO_SWAP_ROUTES_FOUND'))).toThrow('as today')
  expect(price(3, () => 7)()).toBe(7)
})
