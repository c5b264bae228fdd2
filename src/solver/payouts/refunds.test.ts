import { expect, it } from 'vitest'
import { RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import { AppError } from '#src/core/errors.ts'
import type { Price } from '#src/core/pricing/price.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { account, market, originChain } from '#test/support/fixtures/markets.ts'
import { depositFor, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createRefunds } from './refunds.ts'

it('a refund about which no node answers delays the others by one round', async () => {
  const request = requestOf(attempt(example()) as Price)
  const owed = depositFor(request, { status: 'refundable', requestId: request.requestId })
  let deposits = ['1', '2'].map((depositId): Deposit => ({ ...owed, depositId }))
  const asked: string[] = []
  const refundAll = createRefunds(
    {
      client: {} as never,
      store: {
        refundable: async (_: unknown, now: number) =>
          deposits.filter(({ refundDueAt = 0 }) => refundDueAt <= now),
        findAll: async () => [request],
        save: async ({ deposits: saved = [] }: Batch) => {
          deposits = deposits.map(
            (each) => saved.find(({ depositId }) => depositId === each.depositId) ?? each,
          )
          return 'saved'
        },
      } as never,
      market: { snapshot: () => market } as never,
      fillChecks: {
        verdict: async ({ depositId }: Deposit) => {
          asked.push(depositId)
          if (depositId === '1')
            throw new RpcUnavailableError({ id: originChain, displayName: 'Home' })
          return 'unknown'
        },
      } as never,
      log: silentLog,
      now: () => 1_000,
    } as never,
    { chain: { id: originChain, name: 'home' }, solver: account('9'), contracts: {} } as never,
    { outbox: {}, sign: async () => '0x', limits: { refundRetryDays: 7 } } as never,
  )
  const view = { open: [] } as unknown as ChainView
  await expect(refundAll(view)).rejects.toThrow(AppError)
  await expect(refundAll(view)).rejects.toThrow(AppError)
  expect(asked).toEqual(['1', '2', '1'])
})
