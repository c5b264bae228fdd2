import { describe, expect, it } from 'vitest'
import type { MarketStatus } from '#src/service/chains.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { serveGateway } from '#test/support/gateways/serveGateway.ts'

describe('readiness', () => {
  it('has its own route beside liveness', async () => {
    const served = await serveGateway()
    const health = await fetch(`${served.url}/health`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
    const ready = await fetch(`${served.url}/ready`)
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }])
    await served.close()
  })

  it('waits for chains, and names them', async () => {
    const [home, away] = cannedOperations.chains()
    if (home === undefined || away === undefined) throw new Error('No chains to wait for')
    const waiting = await serveGateway({
      chains: () => [home, { ...away, head: undefined, waitsFor: 'the first block' }],
    })
    const response = await fetch(`${waiting.url}/ready`)
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'waiting', chains: [{ id: 990002, name: 'chain-2', waitsFor: 'the first block' }] },
    ])
    await waiting.close()
  })

  it('waits for the first prices, and the gateway answers meanwhile', async () => {
    let isWarm = false
    const served = await serveGateway({}, undefined, () => isWarm)
    const read = async (path: string) => {
      const response = await fetch(served.url + path)
      return [response.status, await response.json()]
    }
    const answer = [503, { status: 'waiting', work: ['the first prices'] }]
    expect(await read('/ready')).toEqual(answer)
    expect(await read('/chains/health?chainId=990001')).toEqual([200, { healthy: true }])
    isWarm = true
    expect(await read('/ready')).toEqual([200, { status: 'ready' }])
    await served.close()
  })

  it('does not wait for chains whose sequencer is not up, but names them', async () => {
    const [home, away] = cannedOperations.chains()
    if (home === undefined || away === undefined) throw new Error('No chains')
    let sequencer: 'up' | 'down' | 'recovering' = 'down'
    const served = await serveGateway({ chains: () => [home, { ...away, sequencer }] })
    const read = async () => {
      const response = await fetch(`${served.url}/ready`)
      const metrics = await (await fetch(`${served.url}/metrics`)).text()
      const lines = metrics.split('\n').filter((each) => /^crossquote_chain_sequencer/.test(each))
      return [response.status, await response.json(), ...lines]
    }
    const withoutPrices = [{ id: 990002, name: 'chain-2', sequencer: 'down' }]
    const line = 'crossquote_chain_sequencer_up{chain="chain-2"}'
    expect(await read()).toEqual([200, { status: 'ready', withoutPrices }, `${line} 0`])
    sequencer = 'recovering'
    expect((await read()).at(-1)).toBe(`${line} 0`)
    sequencer = 'up'
    expect(await read()).toEqual([200, { status: 'ready' }, `${line} 1`])
    await served.close()
  })

  it('ends while the market of a chain is stale, with its age and lag', async () => {
    const [home, away] = cannedOperations.chains()
    if (home === undefined || away === undefined) throw new Error('No chains')
    const current = {
      ageSeconds: 2.5,
      lagBlocks: 0n,
      staleReason: undefined,
      refusedFactories: [],
      verified: 70,
      differences: 3,
      resyncs: 1,
      pools: { discovered: 5_000, followed: 300 },
    }
    let market: MarketStatus = current
    let disabled = false
    const served = await serveGateway({ chains: () => [home, { ...away, market, disabled }] })
    const read = async () => {
      const response = await fetch(`${served.url}/ready`)
      const metrics = await (await fetch(`${served.url}/metrics`)).text()
      const lines = metrics.split('\n').filter((each) => each.startsWith('crossquote_market_'))
      return { ready: [response.status, await response.json()], lines }
    }
    expect(await read()).toEqual({
      ready: [200, { status: 'ready' }],
      lines: [
        'crossquote_market_age_seconds{chain="chain-2"} 2.5',
        'crossquote_market_lag_blocks{chain="chain-2"} 0',
        'crossquote_market_stale{chain="chain-2"} 0',
        'crossquote_market_discovered_pools{chain="chain-2"} 5000',
        'crossquote_market_followed_pools{chain="chain-2"} 300',
        'crossquote_market_refused_factories{chain="chain-2"} 0',
        'crossquote_market_verified_pools_total{chain="chain-2"} 70',
        'crossquote_market_differences_total{chain="chain-2"} 3',
        'crossquote_market_resyncs_total{chain="chain-2"} 1',
      ],
    })

    const staleReason = 'The newest block of Chain 2 is 104 s old'
    market = { ...current, ageSeconds: 104, lagBlocks: 413n, staleReason }
    const { ready, lines } = await read()
    const chains = [{ id: 990002, name: 'chain-2', reason: staleReason }]
    expect(ready).toEqual([503, { status: 'stale', chains }])
    expect(lines).toEqual(
      expect.arrayContaining([
        'crossquote_market_age_seconds{chain="chain-2"} 104',
        'crossquote_market_lag_blocks{chain="chain-2"} 413',
        'crossquote_market_stale{chain="chain-2"} 1',
      ]),
    )

    disabled = true
    expect((await read()).ready).toEqual([200, { status: 'ready' }])
    disabled = false

    const feed = { silentMs: 2_500, refused: new Map([['forged', 3]]), snapshots: 2 }
    market = { ...current, feed }
    const text = await (await fetch(`${served.url}/metrics`)).text()
    expect(text.split('\n').filter((each) => each.startsWith('crossquote_feed_'))).toEqual([
      'crossquote_feed_age_seconds{chain="chain-2"} 2.5',
      'crossquote_feed_snapshots_total{chain="chain-2"} 2',
      'crossquote_feed_refused_total{chain="chain-2",reason="forged"} 3',
    ])

    const refusedFactories = ['The pools of fork-v3 are not used']
    market = { ...current, refusedFactories }
    expect((await read()).ready).toEqual([200, { status: 'ready', refusedFactories }])
    await served.close()
  })
})
