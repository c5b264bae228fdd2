import { createRedisBus } from '#src/requests/events/redisBus.ts'
import { advance } from '#src/requests/machine.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { lifecycleEvents } from '#test/support/models/lifecycleEvents.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

export type Changing = Readonly<{
  where: Readonly<{ directory: string; databaseUrl?: string }>
  url: string
  stream: string
  requestIds: readonly string[]
}>

/** Advances each request from its current state to its last one, with one save per change. */
const { where, url, stream, requestIds }: Changing = JSON.parse(process.argv[2] ?? '')
const bus = createRedisBus({ log: silentLog }, { url, stream })
const store = await openRequestStore({ log: silentLog, bus }, where)
for (const event of lifecycleEvents)
  for (const requestId of requestIds) {
    const request = await store.find(requestId)
    if (request === undefined) throw new Error(`No request ${requestId}`)
    const state = advance(request, event, 1)
    if (state !== request.state) await store.save({ requests: [{ ...request, state }] })
  }
await store.close()
await bus.close()
