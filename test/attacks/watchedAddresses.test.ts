import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { quotaOf } from '#src/service/callers.ts'
import { createAddressLimits } from '#src/service/limits/addressLimits.ts'
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
    asked.push(requestId)
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
  /** The requests of all addresses that were given. */
  const asked: string[] = []
  const pass = (milliseconds: number) => {
    clock += milliseconds
  }
  return { store, ask, asked, askUntilRefused, watched, pass }
}

const networkQuota = (network: string) => quotaOf(undefined, { apiKey: undefined, network })
const keyQuota = (name: string) =>
  quotaOf({ name, sponsors: false }, { apiKey: 'a key', network: '192.0.2.1' })

it('100 networks that take all addresses they get leave one to honest callers and to API keys', async () => {
  const { store, ask, askUntilRefused, watched } = await openGateway()
  const attackers = Array.from({ length: 100 }, (_, at) => networkQuota(`203.${at}.113.7`))
  await Promise.all(attackers.map(askUntilRefused))
  for (const honest of ['198.51.100.1', '2001:db8:1:2::/64', '192.0.2.9'])
    expect(await ask(networkQuota(honest))).toMatch(/^0x/)
  for (const key of ['shop', 'wallet']) expect(await ask(keyQuota(key))).toMatch(/^0x/)
  expect((await watched()).size).toBeLessThanOrEqual(1_000)
  await store.close()
})

it('an IPv6 site of 65,536 networks has at most three times the addresses of one', async () => {
  const { store, ask, askUntilRefused } = await openGateway()
  const networkOf = (at: number) => `2001:db8:7:${at.toString(16)}::/64`
  let got = 0
  for (let at = 0; at < 0x10000; at += 0x555)
    got += await askUntilRefused(networkQuota(networkOf(at)))
  expect(got).toBeGreaterThan(20)
  expect(got).toBeLessThanOrEqual(30)
  const subnet = Array.from({ length: 256 }, (_, at) =>
    networkQuota(`2001:db8:8:${(0x100 + at).toString(16)}::/64`),
  )
  let gotOfSubnet = 0
  for (const each of subnet) gotOfSubnet += await askUntilRefused(each)
  expect(gotOfSubnet).toBe(20)
  expect(await ask(networkQuota('2001:db8:9:1::/64'))).toMatch(/^0x/)
  await store.close()
})

it('once all are in use, callers with the most give up those that waited longest for a payment', async () => {
  const { store, ask, asked, askUntilRefused, watched, pass } = await openGateway()
  const honest = networkQuota('198.51.100.1')
  const paid = await ask(networkQuota('203.0.113.1'))
  const stored = await store.find(paid)
  if (stored === undefined) throw new Error('It was not stored')
  // An open address that was paid stays waiting, and names its last payment.
  const state = { ...stored.state, seq: 1, supersededBy: random(32) }
  await store.save({ requests: [{ ...stored, state }] })
  const old = await ask(honest)
  pass(minute)
  // So many networks that no share is left, each of them with one or a few.
  let greedy = 0
  for (let at = 0; greedy < 748; at += 1)
    greedy += await askUntilRefused(networkQuota(`10.${at >> 8}.${at & 255}.1`))
  pass(8 * minute)
  expect(await ask(networkQuota('192.0.2.1'))).toBe('SERVICE_UNAVAILABLE')
  // Those of API keys are apart.
  expect(await ask(keyQuota('shop'))).toMatch(/^0x/)
  pass(2 * minute + 1)
  const news = await Promise.all(
    Array.from({ length: 5 }, (_, at) => ask(networkQuota(`192.0.${at}.1`))),
  )
  const kept = await watched()
  for (const each of news) expect(kept).toContain(each)
  // The only one of its caller, and a paid one, are kept although they are the oldest.
  for (const each of [old, paid]) expect(kept).toContain(each)
  expect(kept.size).toBeLessThanOrEqual(1_000)
  // A payment to an address that was given up is still swept on request.
  const given = asked.find((each) => !kept.has(each))
  if (given === undefined) throw new Error('None was given up')
  expect(await store.findAddresses([given])).toMatchObject([{ requestId: given }])
  await store.close()
})
