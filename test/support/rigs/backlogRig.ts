import type { Hash } from 'viem'
import { vi } from 'vitest'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createTracker } from '#src/requests/tracker/tracker.ts'
import {
  noise,
  type Payment,
  plainTransfer,
  recordedDeposit,
  transferLog,
} from '#test/support/chains/payments.ts'
import type { EndpointFaults, PaymentsChain } from '#test/support/chains/paymentsChain.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { patience } from '#test/support/patience.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

export const idOf = (at: number): Hash => `0x${at.toString(16).padStart(64, '0')}`
const accountOf = (at: number): Address => toAddress(`0x${at.toString(16).padStart(40, '0')}`)

const [user, other] = [accountOf(0xa1), accountOf(0xa2)]
/** The only accepted currency of deposits. */
export const currency = accountOf(0xc1)
const hostile = accountOf(0xc2)
const contracts = {
  depository: accountOf(0xd1),
  router: accountOf(0xd2),
  approvalProxy: accountOf(0xd3),
}
export const chainId = toChainId(990_001)
export const finalityDepth = 12
export const timestamp = 1_790_000_000
export const ordered = 1_000n

/** Requests for a deposit each, and one that the user executes: a send of the currency. */
const deposited = [1, 2, 3].map((at): QuotedRequest => {
  const quoted = quotedRequest(idOf(at))
  if (quoted.execution !== 'solver') throw new Error('Not what the solver fills')
  const terms = { depositCurrency: currency, leastDeposit: toAmount(ordered) }
  return { ...quoted, inputs: quoted.inputs.map((each) => ({ ...each, ...terms })) }
})
const sendOf = (name: string) =>
  plainTransfer(other, { name, from: user, currency, amount: ordered, id: idOf(9) })

function sentRequest(): QuotedRequest {
  const { orderId, order, inputs, fill, ...shared } = quotedRequest(idOf(9)) as Extract<
    QuotedRequest,
    { execution: 'solver' }
  >
  const steps = shared.steps.slice(-1).map((step) => ({
    ...step,
    items: step.items.map((item) => ({
      ...item,
      data: { ...item.data, from: user, to: currency, data: sendOf('').input },
    })),
  }))
  const amountIn = toAmount(ordered)
  return {
    ...shared,
    steps,
    user,
    amountIn,
    execution: 'user',
    originCurrency: currency,
    destinationChainId: shared.originChainId,
  }
}

/** A transaction of the user to itself. It has no log, so only a hint finds it. */
export const nativeSend = (name: string): Payment => noise(name, user, [])

export function nativeSendRequest(): QuotedRequest {
  const { steps, ...request } = sentRequest()
  const [step] = steps
  const [item] = step?.items ?? []
  if (step === undefined || item?.data === undefined) throw new Error('No step')
  const data = { ...item.data, to: user, data: '0x' } as const
  const currencies = { originCurrency: nativeAddress, destinationCurrency: nativeAddress }
  return {
    ...request,
    ...currencies,
    requestId: idOf(10),
    steps: [{ ...step, items: [{ ...item, data }] }],
  }
}

/** Kinds of payments: deposits, the user's own send, and logs that only resemble them. */
export const kinds = ['recorded', 'plain', 'send', 'hostile', 'poison', 'foreign'] as const

export type Paid = Readonly<{
  kind: (typeof kinds)[number]
  order: number
  amount: bigint
  at: number
}>

export function paymentOf({ kind, order, amount }: Paid, name: string): Payment {
  const paid = { name, from: other, currency, amount, id: idOf(order) }
  switch (kind) {
    case 'recorded':
      return recordedDeposit(contracts.depository, paid)
    case 'plain':
      return plainTransfer(contracts.depository, paid)
    case 'send':
      return sendOf(name)
    // Logs that resemble payments, of a currency that is not accepted.
    case 'hostile':
      return plainTransfer(contracts.depository, { ...paid, currency: hostile })
    // A transfer of zero from the user's account, by another account.
    case 'poison':
      return noise(name, other, [transferLog(currency, { from: user, to: other, amount: 0n })])
    case 'foreign':
      return noise(name, other, [
        transferLog(currency, { from: other, to: accountOf(0xa3), amount }),
      ])
  }
}

const deps = { log: silentLog, bus: createLocalBus(), now: () => timestamp * 1_000 }

/** Follows the chain until all blocks are stored, including those that are mined meanwhile. */
export async function track(
  chain: PaymentsChain,
  store: RequestStore,
  endpoints: readonly EndpointFaults[],
  act: (settle: () => Promise<void>) => Promise<void> = (settle) => settle(),
) {
  const { client, sent } = chain.connect(endpoints)
  const config = {
    id: chainId,
    finalityDepth,
    blockSeconds: 0.2,
    contracts,
    wrappedNative: accountOf(0xc3),
    depositConfirmations: 1,
    fillConfirmations: 2,
  } as unknown as Parameters<typeof createTracker>[1]['chain']
  const { log, lines } = recordLog()
  const tracker = createTracker(
    { ...deps, log, client, store },
    { chain: config, depositCurrencies: new Set([currency]), isDevnet: false },
  )
  const ending = new AbortController()
  const run = tracker.run(ending.signal)
  const reached = () =>
    vi.waitUntil(() => tracker.status().head === chain.head().number, { ...patience, interval: 2 })
  await act(async () => {
    await reached()
    // A block is stored once the next one is followed.
    chain.mine()
    await reached()
  })
  ending.abort()
  await run
  return { sent, lines }
}

/** The stored requests and deposits. */
export async function stored(store: RequestStore) {
  const ids = [...deposited.map(({ requestId }) => requestId), idOf(9)]
  const requests = await store.findAll(ids)
  const deposits = await store.openDeposits(chainId, -1n)
  return {
    deposits: deposits
      .map(({ version: _, ...deposit }) => deposit)
      .toSorted((one, two) => one.depositId.localeCompare(two.depositId)),
    requests: await Promise.all(
      requests
        .toSorted((one, two) => one.requestId.localeCompare(two.requestId))
        .map(async ({ requestId, state }) => ({
          requestId,
          state,
          statuses: (await store.changesAfter(requestId, 0)).map((each) => each.state.status),
        })),
    ),
  }
}

/** A store with the requests. */
export async function openStore() {
  const store = await openEmptyStore({ log: silentLog, bus: deps.bus })
  for (const request of [...deposited, sentRequest()]) await store.put(request)
  return store
}
