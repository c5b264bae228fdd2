import { type Hex, keccak256, serializeTransaction } from 'viem'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { account, destinationChain } from '#test/support/fixtures/markets.ts'
import { requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { revertedFillOf } from './fillCandidates.ts'

const solver = account('9')
const txs = [{ to: account('3'), data: '0x', value: toAmount(0n) }] as const

function requestWith(change: Partial<Order>) {
  const price = attempt({ ...example(), ...change })
  if (price instanceof AppError) throw price
  return requestOf(price)
}

/** A fill that a final block contains, without effect. */
function fill(nonce: number, failedCost: bigint | undefined, to: Address = account('8')) {
  const data = to === solver ? '0x' : '0x12'
  const chainId = destinationChain
  const raw = serializeTransaction({ type: 'eip1559', chainId, nonce, to, data })
  const hash = keccak256(raw)
  return {
    transactionId: `fill:${nonce}`,
    purpose: 'fill',
    chainId,
    account: solver,
    nonce,
    depositIds: [],
    spends: [],
    status: 'reverted',
    createdAt: 0,
    version: 1,
    attempts: [{ hash, raw, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }],
    mined: { hash, block: { number: 1n, hash } },
    ...(failedCost !== undefined && { failedCost }),
  } satisfies SolverTransaction
}

const withCode = (code: Hex) => {
  const ask = async (_: unknown, parse: (answer: unknown) => unknown) => parse(code)
  return { ask } as unknown as Parameters<typeof revertedFillOf>[0]
}

const delegation = `0xef0100${'ab'.repeat(20)}` as const
const calling = requestWith({ txs })

it.each([
  ['one fill, and a recipient without code', '0x', calling, [fill(0, 5n)], true],
  ['one fill, and a recipient that delegates', delegation, calling, [fill(0, 5n)], true],
  ['a recipient with code', '0x6000', calling, [fill(0, 5n)], false],
  [
    'a contract whose code begins like a delegation',
    `${delegation}00`,
    calling,
    [fill(0, 5n)],
    false,
  ],
  ['two fills', '0x', calling, [fill(0, 2n), fill(1, 3n)], false],
  ['a fill of unknown cost', '0x', calling, [fill(0, undefined)], false],
  ['an order without calls', '0x', requestWith({}), [fill(0, 5n)], false],
  ['a cancelled fill before it', '0x', calling, [fill(0, 9n, solver), fill(1, 5n)], true],
] as const)('%s: %s', async (_, code, request, fills, maySkipCalls) => {
  const cost = fills.at(-1)?.failedCost === undefined ? 0n : 5n
  expect(await revertedFillOf(withCode(code), request, fills)).toEqual({ cost, maySkipCalls })
})

it('is undefined if no fill has reverted', async () => {
  const cancelled = [fill(0, 9n, solver)]
  expect(await revertedFillOf(withCode('0x'), calling, cancelled)).toBeUndefined()
})
