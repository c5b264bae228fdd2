import { expect, it, vi } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { client } from '#test/support/fixtures/quoteDeps.ts'
import { storedUpstreamRequest, upstreamId } from '#test/support/fixtures/upstreamRequest.ts'
import { partialStore } from '#test/support/store/partialStore.ts'
import { idOf } from '#test/support/store/storeModel.ts'
import { announceTransaction } from './upstream.ts'
import { UpstreamUnavailableError } from './upstreamClient.ts'

const request = storedUpstreamRequest(idOf(1))
const hint = { chainId: toChainId(7), txHash: idOf(9) }

function announcing(answer: () => Promise<unknown>) {
  const ask = vi.fn(answer)
  const hastenUpstream = vi.fn(async () => {})
  const own = vi.fn(async () => {})
  const announce = announceTransaction(
    {
      log: { debug: () => {} },
      requests: partialStore({
        findAll: async (ids) => [request].filter(({ requestId }) => ids.includes(requestId)),
        hastenUpstream,
      }),
      client: { service: 'https://other.example', ask },
      now: () => 5,
    },
    own,
  )
  return { announce, ask, hastenUpstream, own }
}

it.each([
  ['answers', async () => ({})],
  ['is down', () => Promise.reject(new UpstreamUnavailableError('down'))],
])(
  'announces a transaction of its request to a service that %s, and reads its status',
  async (_, answer) => {
    const { announce, ask, hastenUpstream, own } = announcing(answer)
    await announce({ ...hint, requestId: request.requestId }, client)
    const body = { ...hint, requestId: upstreamId }
    expect(ask.mock.calls).toEqual([[{ path: '/transactions/index', body }]])
    expect(hastenUpstream).toHaveBeenCalledWith(request.requestId, 5)
    expect(own).not.toHaveBeenCalled()
  },
)

it('all other transactions are our own', async () => {
  const { announce, ask, own } = announcing(async () => ({}))
  await announce(hint, client)
  await announce({ ...hint, requestId: idOf(2) }, client)
  expect(own).toHaveBeenCalledTimes(2)
  expect(ask).not.toHaveBeenCalled()
})
