import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { randomId, startTrackerRig, type TrackerRig } from '#test/support/rigs/trackerRig.ts'
import { createPgliteHome } from '#test/support/store/storeHome.ts'

/** Anybody may quote in any address's name, without an account and without a signature. */
const quotes = 600
/** For one honest swap, the tracker loads at most this number of requests per block. */
const maxLoaded = 10

describe('anonymous quotes under a busy address', () => {
  let rig: TrackerRig
  beforeAll(async () => {
    rig = await startTrackerRig(createPgliteHome)
  })
  afterEach(() => rig.stopTrackers())
  afterAll(() => rig.stop())

  /** The rig's store, with the largest number of rows that one read has returned. */
  function counted(): Readonly<{ store: RequestStore; most: () => number }> {
    let most = 0
    const store = new Proxy(rig.store, {
      get: (target, name: keyof RequestStore) => {
        const method = target[name] as (...args: unknown[]) => Promise<unknown>
        return async (...args: unknown[]) => {
          const found = await method(...args)
          if (Array.isArray(found)) most = Math.max(most, found.length)
          return found
        }
      },
    })
    return { store, most: () => most }
  }

  const wrapOf = () =>
    rig.putUserRequest((id) => rig.calls.wrap(id), {
      originCurrency: nativeAddress,
      amountIn: 1_000n,
    })

  it('do not slow the tracker when the address moves money', async () => {
    await Promise.all(Array.from({ length: quotes }, wrapOf))
    const honest = await wrapOf()
    const { store, most } = counted()
    rig.track(store)
    const [step] = honest.steps.at(-1)?.items ?? []
    if (step === undefined) throw new Error('No step')
    const { hash } = await rig.send(step.data)
    await rig.shows(honest.requestId, { status: 'pending', inTxHashes: [hash] })
    expect(
      most(),
      `one transfer of ${users[0].address} loads ${most()} requests, of which 1 is its own: ${quotes} quotes cost the attacker nothing`,
    ).toBeLessThanOrEqual(maxLoaded)
  })

  it('cost one request to the node per block, even if the address moves money in it several times', async () => {
    const honest = await wrapOf()
    const [step] = honest.steps.at(-1)?.items ?? []
    if (step === undefined) throw new Error('No step')
    const others = Array.from({ length: 11 }, () => rig.calls.wrap(randomId()))
    const signed = await Promise.all(
      [...others, step.data].map((call, at) => rig.sign(call, 'user', at)),
    )
    rig.track()
    const asked = rig.proxy.calls.length
    await rig.mine(signed)
    await rig.shows(honest.requestId, { status: 'pending', inTxHashes: [signed.at(-1)?.hash] })
    const hashes = new Set<unknown>(signed.map(({ hash }) => hash))
    const single = rig.proxy.calls
      .slice(asked)
      .filter(
        ({ method, params: [hash] }) => method === 'eth_getTransactionByHash' && hashes.has(hash),
      )
    expect(single).toEqual([])
  })
})
