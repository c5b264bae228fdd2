import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { createSubscriptionMemory } from '#src/service/limits/subscriptionMemory.ts'
import {
  type RawSubscription,
  subscribeByEvents,
  subscribeBySocket,
} from '#test/support/clients/rawSubscriber.ts'
import { type LiveGateway, serveLiveGateway } from '#test/support/gateways/liveGateway.ts'
import { patience } from '#test/support/patience.ts'
import { idOf } from '#test/support/store/storeModel.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const open: (Socket | WebSocket)[] = []
function closeAll(): void {
  for (const each of open.splice(0))
    if ('terminate' in each) each.terminate()
    else each.destroy()
}

let gateway: LiveGateway
let port: number
beforeEach(async () => {
  gateway = await serveLiveGateway()
  gateway.model.put(idOf(1))
  port = Number(new URL(gateway.url).port)
})
afterEach(async () => {
  closeAll()
  await gateway.close()
})

const watch = (fields = 'seq') =>
  `subscription { requestStatus(requestId: "${idOf(1)}") { ${fields} } }`
/** 200,000 characters that the client does not keep. */
const long = { toJSON: () => '.'.repeat(200_000) }
let sent = 0
const unique = (document: string): string => {
  sent += 1
  return `${document} # ${sent}`
}
/** Parsed, it takes about 0.5 MB. */
const wide = watch('... on RequestStatus { seq } '.repeat(90))

const count = 60

/** Opens the subscriptions one after another, and waits for the first event of each. */
async function openAll(
  subscribe: (sent: RawSubscription, onEvent: () => void) => Socket | WebSocket,
) {
  for (let at = 0; at < count; at += 1) {
    const { promise, resolve } = Promise.withResolvers<void>()
    open.push(subscribe({ port, query: unique(wide), variables: { unused: long } }, resolve))
    await promise
  }
}

/** Bytes in use once other documents have taken the place of those of the subscriptions in the parser's cache. */
async function bytesInUse(): Promise<number> {
  for (let at = 0; at < 250; at += 1) await gateway.post({ query: unique('{ chains { id } }') })
  // The first one finalizes buffers, whose memory the second one frees.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe.each([
  ['server-sent events', subscribeByEvents],
  ['a WebSocket', subscribeBySocket],
] as const)('a subscription over %s', (_, subscribe) => {
  it('keeps neither its parsed document nor variables that it does not declare', async () => {
    await openAll(subscribe)
    closeAll()
    await vi.waitUntil(() => gateway.hub.subscribers() === 0, patience)
    const before = await bytesInUse()
    await openAll(subscribe)
    expect(((await bytesInUse()) - before) / count).toBeLessThan(60_000)
  })
})

describe('a gateway without memory for more subscriptions', () => {
  it.each([
    ['server-sent events', subscribeByEvents],
    ['a WebSocket', subscribeBySocket],
  ] as const)(
    'ends the newest one over %s with an error, until another has ended',
    async (_, subscribe) => {
      const hold = createSubscriptionMemory(25_000)
      const full = await serveLiveGateway(
        {},
        { holdMemory: ({ network }, end) => hold(network, end) },
      )
      full.model.put(idOf(1))
      const port = Number(new URL(full.url).port)
      const texts: string[] = []
      /** Opens a subscription, and waits until its text contains `word`. */
      const join = async (word: string) => {
        const at = texts.push('') - 1
        const note = (text: string) => {
          texts[at] += text
        }
        open.push(subscribe({ port, query: watch(), variables: {} }, note))
        await vi.waitUntil(() => texts[at]?.includes(word), patience)
        return texts[at]
      }
      await join('"seq":0')
      await join('"seq":0')
      expect(await join('complete')).toContain('"code":"SERVICE_UNAVAILABLE"')
      closeAll()
      await vi.waitUntil(() => full.hub.subscribers() === 0, patience)
      expect(await join('"seq":0')).not.toContain('complete')
      await full.close()
    },
  )
})
