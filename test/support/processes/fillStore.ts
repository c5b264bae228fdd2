import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

/**
 * Stores requests in bursts of 512 until it is killed. Prints `stored <id>`, `refused <code>`, `failed <reason>` for
 * each reason in the log, and `health <reason or ok>` whenever it has changed.
 */
const print = (line: string) => process.stdout.write(`${line}\n`)
const log = { ...silentLog, error: ({ reason }: { reason: string }) => print(`failed ${reason}`) }
const store = await openRequestStore(
  { log, bus: createLocalBus() },
  { directory: process.argv[2] ?? '' },
)

let last = ''
function printHealth(): void {
  const health = store.health()
  const text = health.ok ? 'ok' : health.reason
  if (text !== last) print(`health ${text}`)
  last = text
}

async function put(): Promise<void> {
  const requestId = `0x${randomBytes(32).toString('hex')}` as const
  await store.put(quotedRequest(requestId)).then(
    () => print(`stored ${requestId}`),
    ({ code }: { code?: string }) => print(`refused ${code}`),
  )
}

for (;;) {
  await Promise.all(Array.from({ length: 512 }, put))
  printHealth()
  // Refusals come at once.
  if (!store.health().ok) await delay(20)
}
