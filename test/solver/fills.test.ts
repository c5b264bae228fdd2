import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '#src/core/pricing/order.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import {
  bnb,
  ethereum,
  type Place,
  rollup,
  type SolverRig,
  startSolverRig,
} from '#test/support/rigs/solverRig.ts'
import { inTurns, isFast } from '#test/support/runs.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startSolverRig()
  rig.track()
  for (const { id } of rig.config.chains) rig.solve(id)
})
afterAll(() => rig.stop())

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)

/** Amounts whose slippage tolerance covers a rise of the gas price between quote and fill. */
const kinds: readonly [string, Place, Place, bigint, bigint, Partial<Order>][] = [
  ['native', [ethereum, 'ETH'], [rollup, 'ETH'], units(1n, 18), units(1n, 18), {}],
  ['ERC-20', [ethereum, 'USDC'], [bnb, 'USDC'], units(100n, 6), units(100n, 6), {}],
  [
    'a currency whose transfer returns no value',
    [bnb, 'USDC'],
    [ethereum, 'USDT'],
    units(500n, 6),
    units(500n, 6),
    {},
  ],
  ['a swap', [ethereum, 'USDC'], [rollup, 'WBTC'], units(900n, 6), units(1n, 6), {}],
  ['several hops', [bnb, 'USDC'], [ethereum, 'GROVE'], units(900n, 6), units(15n, 24), {}],
  ['a wrap', [ethereum, 'ETH'], [rollup, 'WETH'], units(1n, 18), units(1n, 18), {}],
  [
    'an unwrap or a swap into native',
    [bnb, 'ETH'],
    [ethereum, 'ETH'],
    units(1n, 18),
    units(1n, 18),
    {},
  ],
  ['an ERC-20 into native', [ethereum, 'USDC'], [bnb, 'BNB'], units(500n, 6), units(1n, 17), {}],
]

const quotedOf = (
  [, from, to, input, output, change]: (typeof kinds)[number],
  tradeType: Order['tradeType'],
  recipient: Address,
) => {
  const amount = tradeType === 'EXACT_INPUT' ? input : output
  return rig.quote(from, to, { ...change, amount, tradeType, recipient })
}

const tradeTypes = ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'] as const

const pairs = inTurns(tradeTypes, kinds, !isFast)

// Makes all deposits before it waits for the first fill, because the chains mine one block per second.
describe.each(tradeTypes)('%s', (tradeType) => {
  const own = pairs.flatMap(([each, kind]) => (each === tradeType ? [kind] : []))
  const recipients = own.map(newAccount)
  const quotes: SolverRequest[] = []
  beforeAll(async () => {
    for (const [at, kind] of own.entries()) {
      const quoted = await quotedOf(kind, tradeType, recipients[at] ?? newAccount())
      await rig.deposit(quoted)
      quotes.push(quoted)
    }
  })

  it.each(own.map(([name, , to], at) => [name, to, at] as const))(
    '%s: the fill pays at least the minimum output, and its calldata ends with the order id',
    async (_, to, at) => {
      const quoted = quotes[at]
      if (quoted === undefined) throw new Error('It was not quoted')
      const { state } = await rig.outcome(quoted.requestId)
      expect([state.status, state.failReason]).toEqual(['success', undefined])
      const got = await rig.balanceOf(rig.currencyOf(to), quoted.recipient)
      expect(got).toBeGreaterThanOrEqual(quoted.minimumAmountOut)
      const [hash] = state.txHashes
      if (hash === undefined) throw new Error('Nothing paid it')
      const { input } = await rig.clientOn(to[0]).getTransaction({ hash: evmHash(hash) })
      expect(input.endsWith(quoted.orderId.slice(2))).toBe(true)
    },
  )
})

describe('extras of a fill', () => {
  it.each<[string, Place, bigint]>([
    ['an ERC-20', [ethereum, 'USDC'], units(100n, 6)],
    ['native currency', [ethereum, 'ETH'], units(1n, 17)],
  ])('tops up the recipient with native currency if the input is %s', async (_, from, amount) => {
    const recipient = newAccount()
    const change = { amount, recipient, topup: toUsd(2_000_000n), disableOriginSwaps: true }
    const quoted = await rig.quote(from, [rollup, 'USDC'], change)
    const topup = quoted.order.output.payments[1]?.expectedAmount ?? 0n
    expect(topup).toBeGreaterThan(0n)
    await rig.deposit(quoted)
    expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
    expect(await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)).toBe(topup)
    expect(await rig.balanceOf(rig.currencyOf([rollup, 'USDC']), recipient)).toBeGreaterThanOrEqual(
      quoted.minimumAmountOut,
    )
  })

  it('runs the order’s calls with the output, and pays the remainder to the recipient', async () => {
    const [recipient, third] = [newAccount(), newAccount()]
    const usdc = rig.currencyOf([bnb, 'USDC'])
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [third, 5n] })
    const quoted = await rig.quote([ethereum, 'USDC'], [bnb, 'USDC'], {
      amount: units(20n, 6),
      recipient,
      txs: [{ to: evmAddress(usdc.address), data, value: toAmount(0n) }],
    })
    await rig.deposit(quoted)
    expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
    expect(await rig.balanceOf(usdc, third)).toBe(5n)
    expect(await rig.balanceOf(usdc, recipient)).toBe(quoted.amountOut - 5n)
  })
})
