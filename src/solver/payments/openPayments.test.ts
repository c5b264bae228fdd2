import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { initialState } from '#src/requests/state/requestState.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createOpenPayments } from './openPayments.ts'

const quoted = quotedRequest(`0x${'77'.repeat(32)}`)
if (quoted.execution !== 'solver') throw new Error('Not for the solver')
const parent = {
  ...quoted,
  state: initialState(quoted),
  version: 1,
  open: { sponsoredUsd: toUsd(100n) },
}
const payment: Deposit = {
  depositId: '1:0xab',
  chainId: parent.originChainId,
  txHash: '0xab',
  timestamp: 1,
  orderId: parent.orderId,
  requestId: parent.requestId,
  depositor: parent.refundTo,
  currency: parent.inputs[0]?.depositCurrency ?? '0x',
  amount: toAmount(5n),
  status: 'seen',
  version: 1,
  record: {} as never,
} as Deposit

it('quotes a payment with the rest of the sponsor’s part after earlier ones', async () => {
  const offered: unknown[] = []
  const store = {
    openPayments: async () => [payment],
    find: async (id: string) => (id === parent.requestId ? parent : undefined),
    subsidizedUsd: async (id: string) => toUsd(id === parent.requestId ? 60n : 0n),
  }
  const bind = createOpenPayments(
    {
      store: store as never,
      log: silentLog,
      now: () => 1_000,
      market: { latest: () => undefined, currencies: {} as never },
      requote: ({ open }) => {
        offered.push(open.sponsoredUsd)
        throw new AppError('SERVICE_UNAVAILABLE', 'There is no market.')
      },
    },
    { chain: { id: parent.originChainId, depositConfirmations: 1 } as never },
  )
  await bind({ head: { number: 10n, timestamp: 1n } } as ChainView)
  expect(offered).toEqual([40n])
})
