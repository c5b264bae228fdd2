import { toChainId } from '#src/core/units/chainId.ts'
import { type Bus, createLocalBus } from '#src/requests/events/bus.ts'
import { createHub } from '#src/requests/events/hub.ts'
import type { ChangeReads, RequestReads } from '#src/requests/requestStore.ts'
import type { RequestStatus } from '#src/requests/state/requestState.ts'
import { createCallers } from '#src/service/callers.ts'
import { createRequestService } from '#src/service/requests/requestService.ts'
import type { Service } from '#src/service/service.ts'
import { partialStore } from '#test/support/store/partialStore.ts'
import { createStoreModel } from '#test/support/store/storeModel.ts'
import { serveGateway } from './serveGateway.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

type Requests = Readonly<{
  store: RequestReads & ChangeReads
  bus: Bus
}>

/** A gateway over stored requests. Its subscribers work as in production, except that lost wake-ups stay lost. */
export async function serveRequests(
  { store, bus }: Requests,
  { most = 64, deadlineSeconds = 10 } = {},
  changed: Partial<Service> = {},
) {
  const hub = createHub({ log: silent, store, bus }, { sweepSeconds: 3600, maxQueued: most })
  const { requestStatus, watchRequest } = createRequestService({
    requests: partialStore({
      findAll: store.findAll,
      findByOrders: async () => [],
      list: async () => ({ requests: [] }),
      count: async () => 0,
      depositsOfAll: async () => [],
      transactionsOfAll: async () => [],
      addHint: async () => {},
    }),
    hub,
    latest: () => undefined,
    identify: createCallers([]),
    depositoryOn: () => undefined,
    chainIdOf: toChainId,
  })
  const gateway = await serveGateway(
    {
      ...changed,
      requestStatus,
      watchRequest,
      loaders: () => ({
        currency: async () => undefined,
        balance: () => Promise.reject(new Error('Nobody asks for balances')),
        allowance: () => Promise.reject(new Error('Nobody asks for allowances')),
        request: store.find,
        quotedRequest: async () => undefined,
      }),
    },
    { deadlineSeconds },
  )
  let closed: Promise<void> | undefined
  return {
    ...gateway,
    hub,
    close: async () => {
      closed ??= gateway.close()
      await closed
      hub.close()
    },
  }
}

/** A gateway over requests in memory, which only the test changes. */
export async function serveLiveGateway(
  options: Readonly<{ most?: number; deadlineSeconds?: number }> = {},
  changed: Partial<Service> = {},
) {
  const model = createStoreModel()
  const bus = createLocalBus()
  return {
    ...(await serveRequests({ store: model, bus }, options, changed)),
    model,
    change: (requestId: `0x${string}`, status: RequestStatus, hashes?: number): void => {
      const change = model.change(requestId, status, hashes)
      bus.publish([{ kind: 'change', change }])
    },
  }
}

export type LiveGateway = Awaited<ReturnType<typeof serveLiveGateway>>
