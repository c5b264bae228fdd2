import { expect, it } from 'vitest'
import { parseConfig } from '#src/config/config.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import type { DiscoveredPool } from '#src/market/kinds/kinds.ts'
import { PoolSelection } from './poolSelection.ts'

const addressAt = (at: number): Address => toAddress(`0x${at.toString(16).padStart(40, '0')}`)
const fed = addressAt(1)

const pairAt = (at: number): DiscoveredPool => ({
  kind: 'constantProduct',
  address: addressAt(100 + at),
  source: 'v2',
  currency0: fed,
  currency1: addressAt(10 + at),
  fee: toPips(3_000),
})

function start(bounds: object) {
  const config = {
    chains: [
      {
        id: 1,
        name: 'one',
        displayName: 'One',
        rpcUrls: ['http://127.0.0.1:1'],
        nativeCurrency: { symbol: 'ETH', name: 'Ether' },
        wrappedNative: fed,
        factories: [{ kind: 'constantProduct', source: 'v2', factory: fed }],
        priceFeeds: [{ currency: fed, aggregator: fed }],
        ...bounds,
      },
    ],
    solver: { address: fed },
  }
  const [chain] = parseConfig(config, 'test').chains
  if (chain === undefined) throw new Error('No chain is configured')
  const added: Address[] = []
  const pools = {
    add: (some: readonly DiscoveredPool[]) => added.push(...some.map(({ address }) => address)),
    remove: () => undefined,
    head: () => undefined,
    isAwaited: () => false,
  }
  const trustedPrices = async () => new Map()
  const deps = { client: undefined as never, pools, trustedPrices, now: () => 0 }
  return { added, selection: new PoolSelection(deps, chain) }
}

it('follows every pool at once if nothing bounds them', () => {
  const { added, selection } = start({})
  selection.add({ ofPairs: [], ofFactories: [pairAt(0), pairAt(1)] })
  expect(added).toEqual([pairAt(0).address, pairAt(1).address])
  expect([selection.uncheckedCount(), selection.checkInMs()]).toEqual([0, Number.POSITIVE_INFINITY])
  expect(selection.ask(pairAt(0).currency1)).toBe(false)
})

it('follows a pool of a configured pair, also if it belongs to a whole configured factory', () => {
  const { added, selection } = start({ minPoolUsd: '1000' })
  selection.add({ ofPairs: [], ofFactories: [pairAt(0), pairAt(1)] })
  expect(added).toEqual([])
  expect([selection.uncheckedCount(), selection.knownCount()]).toEqual([2, 2])
  selection.add({ ofPairs: [pairAt(0)], ofFactories: [pairAt(0)] })
  expect(added).toEqual([pairAt(0).address])
  // A currency with a followed pool is there already. One of a pool that does not count waits for its turn.
  expect([10, 11, 99].map((at) => selection.ask(addressAt(at)))).toEqual([false, true, false])
})
