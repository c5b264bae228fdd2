import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { deadlineOf, isSolverRequest } from '#src/requests/state/solverRequest.ts'
import { depositFor, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createFillLoop } from './fillLoop.ts'

const price = attempt(example())
if (price instanceof Error) throw price
const quoted = requestOf(price)
const deposit = depositFor(quoted)
const state = { ...quoted.state, inputStates: [{ status: 'funded', depositId: deposit.depositId }] }
const request = { ...quoted, state } as typeof quoted
if (!isSolverRequest(request)) throw new Error('Not for the solver')

/** The reasons for which a round marks the request as refundable while its origin chain is silent. */
async function marksAt(seconds: number): Promise<readonly string[]> {
  const marked: string[] = []
  const ports = {
    store: {
      fillable: async (_: unknown, isIncomplete: boolean) => (isIncomplete ? [] : [request]),
      findDeposits: async () => [deposit],
      transactionsOf: async () => [],
      findAll: async () => [],
    },
    market: {},
    verifiedChains: {
      isVerified: async () => {
        throw new AppError('SERVICE_UNAVAILABLE', 'The chain is silent')
      },
    },
    log: silentLog,
    now: () => seconds * 1000,
  }
  const parts = {
    machine: {
      mayFill: async () => true,
      revertsOf: async () => undefined,
      keepOnly: () => {},
    },
    rounds: { read: async () => undefined },
    marks: { mark: async (_: unknown, reason: string) => void marked.push(reason) },
    limits: { forcesRefunds: false },
  }
  const own = { chain: { id: request.destinationChainId } }
  await createFillLoop(
    ports as never,
    own as never,
    parts as never,
  )({
    head: { number: 1n },
  } as never)
  return marked
}

it('refunds a request whose deadline passes while an origin chain is silent', async () => {
  const deadline = deadlineOf(request)
  expect(await marksAt(deadline)).toEqual([])
  expect(await marksAt(deadline + 1)).toEqual(['ORDER_EXPIRED'])
})
