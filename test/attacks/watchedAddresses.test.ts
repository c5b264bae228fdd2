import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { quotaOf } from '#src/operations/callers.ts'
import { createAddressLimits } from '#src/operations/limits/addressLimits.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { toAddress } from '#src/units/address.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

const random = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}` as const
const start = 1_790_000_000_000
const minute = 60_000

/** Callers of a gateway that watches 1,000 deposit addresses, 10 of each caller. */
async function openGateway() {
  const store = await openEmptyStore({ log: silentLog, bus: createLocalBus() })
  let clock = start
  const limits = createAddressLimits(
    { requests: store, now: () => clock },
    { maxLive: 10, maxWatched: 1_000 },
  )
  /** Asks for an address. Returns its request, or the code of the refusal. */
  async function ask(quota: string) {
    try {
      await limits.admit(quota)
    } catch (error) {
      return (error as { code: string }).code
    }
    const requestId = random(32)
    const address = { depositAddress: toAddress(random(20)), depositor: toAddress(random(20)) }
    const deadline = Math.floor(start / 1_000) + 180 * 86_400
    await store.put({ ...quotedRequest(requestId), ...address, quota, createdAt: clock, deadline })
    return requestId
  }
  const askUntilRefused = async (quota: string) => {
    let got = 0
    while ((await ask(quota)).startsWith('0x')) got += 1
    return got
  }
  const watched = async () => {
    const page = { limit: 2_000 }
    const found = await store.watchedAddresses(
      quotedRequest('0x').originChainId,
      Math.floor(clock / 1_000),
      page,
    )
    return new Set<string>(found.map(({ requestId }) => requestId))
  }
  const pass = (milliseconds: number) => {
    clock += milliseconds
  }
  return { store, ask, askUntilRefused, watched, pass }
}

const networkQuota = (network: string) => quotaOf(undefined, { apiKey: undefined, network })
const keyQuota = (name: string) =>
  quotaOf({ name, sponsors: false }, { apiKey: 'a key', network: '192.0.2.1' })

it.fails('100 networks take all addresses, and neither honest callers nor API keys get one', async () => {
  const { store, ask, askUntilRefused, watched } = await openGateway()
  const attackers = Array.from({ length: 100 }, (_, at) => networkQuota(`203.${at}.113.7`))
  await Promise.all(attackers.map(askUntilRefused))
  for (const honest of ['198.51.100.1', '2001:db8:1:2::/64', '192.0.2.9'])
    expect(await ask(networkQuota(honest))).toMatch(/^0x/)
  for (const key of ['shop', 'wallet']) expect(await ask(keyQuota(key))).toMatch(/^0x/)
  expect((await watched()).size).toBeLessThanOrEqual(1_000)
  await store.close()
})
