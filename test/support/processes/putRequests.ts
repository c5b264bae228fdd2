import { randomBytes } from 'node:crypto'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

/** Stores requests as fast as possible, 32 at a time, and prints the id of each stored one. Runs until it is killed. */
const deps = { log: silentLog, bus: createLocalBus() }
const store = await openRequestStore(deps, JSON.parse(process.argv[2] ?? ''))

async function putForever(): Promise<never> {
  for (;;) {
    const requestId = `0x${randomBytes(32).toString('hex')}` as const
    await store.put(quotedRequest(requestId))
    process.stdout.write(`${requestId}\n`)
  }
}

await Promise.all(Array.from({ length: 32 }, putForever))
