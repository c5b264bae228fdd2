import { keccak256, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import type { Batch } from '#src/requests/requestStore.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import { contracts, solver } from '#test/support/arbitraries/executionArbitrary.ts'
import { hashOf } from '#test/support/fixtures/observedTransactions.ts'
import { depositFor, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createRestoreFill } from './fillChecks.ts'

it('finds the lost fill of a payment to an open address whose request was made again much later', async () => {
  const price = attempt(example())
  if (price instanceof Error) throw price
  const request = requestOf(price)
  if (!isSolverRequest(request)) throw new Error('Not for the solver')
  const deposit = depositFor(request)
  const [daySeconds, blockSeconds] = [86_400, 0.25]
  const now = (deposit.timestamp + 2 * daySeconds) * 1000
  const head = 10_000_000n
  const filledAt = head - BigInt((2 * daySeconds) / blockSeconds)
  const terms = { type: 'eip1559', chainId: request.destinationChainId, gas: 1n } as const
  const raw = await privateKeyToAccount(generatePrivateKey()).signTransaction(terms)
  const log = { transactionHash: hashOf(1), blockNumber: filledAt, blockHash: hashOf(2) }
  const saved: Batch[] = []
  const restore = createRestoreFill(
    {
      client: {
        getBlockNumber: async () => head,
        getLogs: async ({ fromBlock, toBlock }: Record<'fromBlock' | 'toBlock', bigint>) =>
          fromBlock <= filledAt && filledAt <= toBlock ? [log] : [],
        getTransaction: async () => ({
          ...parseTransaction(raw),
          hash: keccak256(raw),
          from: solver,
          input: '0x',
        }),
      },
      store: {
        transactionsOf: async () => [],
        findDeposits: async () => [deposit],
        save: async (batch: Batch) => {
          saved.push(batch)
          return 'saved'
        },
      },
      log: silentLog,
      now: () => now,
    } as never,
    {
      chain: { id: request.destinationChainId, blockSeconds } as never,
      approvalProxy: contracts.approvalProxy,
      identity: solver,
    },
  )
  await restore({ ...request, createdAt: now })
  expect(saved).toMatchObject([{ transactions: [{ mined: { block: { number: filledAt } } }] }])
})
