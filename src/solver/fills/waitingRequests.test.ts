import { expect, it } from 'vitest'
import { initialState } from '#src/requests/state/requestState.ts'
import { deadlineOf, type SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverChain, SolverMarket } from '#src/solver/ports.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { createWaitingRequests } from './waitingRequests.ts'

const quoted = quotedRequest(`0x${'77'.repeat(32)}`)
const request = { ...quoted, state: initialState(quoted), version: 1 } as SolverRequest

/** The solver of the destination chain, whose market waits for the pools of a currency or does not. */
function start(awaits: boolean, isVerified = true) {
  const clock = { ms: 0 }
  const asked: unknown[] = []
  const ask: SolverMarket['ask'] = (key) => {
    asked.push(key)
    return awaits ? 3 : undefined
  }
  const deps = {
    market: { ask, snapshot: () => undefined },
    store: {
      fillable: async (_: unknown, isIncomplete: boolean) => (isIncomplete ? [] : [request]),
    },
    verifiedChains: { isVerified: async () => isVerified },
    log: { debug: () => undefined },
    now: () => clock.ms,
  } as unknown as Parameters<typeof createWaitingRequests>[0]
  const chain = { chain: { id: quoted.destinationChainId } } as unknown as SolverChain
  const read = createWaitingRequests(deps, chain)
  return { asked, clock, read, waiting: async () => (await read()).fillable }
}

it('waits for pools that were dropped since the quote, and has them read', async () => {
  const key = { chainId: quoted.destinationChainId, address: quoted.destinationCurrency }
  const awaiting = start(true)
  expect(await awaiting.waiting()).toEqual([])
  expect(awaiting.asked).toEqual([key])
  expect(await start(false).waiting()).toEqual([request])
})

it('waits for them no longer than ten minutes: a hostile currency may never let them be read', async () => {
  const { clock, waiting } = start(true)
  expect(await waiting()).toEqual([])
  clock.ms = 599_999
  expect(await waiting()).toEqual([])
  clock.ms = 600_000
  expect(await waiting()).toEqual([request])
  // It was asked for again much later, after its pools had been dropped once more.
  clock.ms = 3_600_000
  expect(await waiting()).toEqual([])
})

it('names the requests whose deadlines pass while an origin chain does not answer', async () => {
  const { clock, read } = start(false, false)
  clock.ms = deadlineOf(request) * 1000
  expect(await read()).toEqual({ fillable: [], overdue: [] })
  clock.ms += 1
  expect(await read()).toEqual({ fillable: [], overdue: [request] })
})
