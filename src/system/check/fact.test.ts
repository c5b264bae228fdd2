import { expect, it } from 'vitest'
import { parseConfig } from '#src/config/config.ts'
import { unverifiedFacts } from './checkChain.ts'
import { type ChainReport, factTable } from './fact.ts'

const address = `0x${'1'.repeat(40)}`

/** The values of the preset with these changes that nobody has verified. */
function notesOf(change: object) {
  const rpcUrls = ['https://rpc.example']
  const input = { chains: [{ rpcUrls, ...change }], solver: { address }, assets: [] }
  const [chain] = parseConfig(input, 'A configuration').chains
  if (chain === undefined) throw new Error('No chain is configured')
  return unverifiedFacts(chain).map(({ name, state, found, expected }) => {
    expect([state, found]).toEqual(['notChecked', 'not verified on chain'])
    return `${name} ${expected}`
  })
}

it('lists what a preset has from uncertain publications, unless the configuration has its own', () => {
  expect(notesOf({ preset: 'polygon' })).toEqual([
    ...['blockSeconds 1.75', 'priceFeeds.1 maxAgeSeconds 120', 'priceFeeds.2 maxAgeSeconds 120'],
    ...[3, 4, 5].map((at) => `priceFeeds.${at} maxAgeSeconds 120`),
  ])
  const priceFeeds = [{ currency: `0x${'0'.repeat(40)}`, aggregator: address }]
  expect(notesOf({ preset: 'polygon', blockSeconds: 2, priceFeeds })).toEqual([])
  expect(notesOf({ preset: 'base' })).toEqual([])
})

it('prints one row for all facts that a chain did not answer for', () => {
  const unasked = { state: 'notChecked', found: 'no answer', expected: 'code' } as const
  const facts = [
    { name: 'sendUrls.0 chain id', state: 'wrong', found: '2', expected: '1' } as const,
    ...['one', 'two', 'three'].map((name) => ({ ...unasked, name })),
  ]
  const chain = { id: 1, displayName: 'Ethereum' } as ChainReport['chain']
  const outage = 'https://rpc.example/…: HTTP 401: Invalid API key'
  expect(factTable([{ chain, facts, outage }])).toMatchInlineSnapshot(`
    "chain     fact                 state        found                                             expected
    --------  -------------------  -----------  ------------------------------------------------  --------
    Ethereum  sendUrls.0 chain id  WRONG        2                                                 1
    Ethereum  3 facts              not checked  https://rpc.example/…: HTTP 401: Invalid API key"
  `)
})

it('prints a table', () => {
  const facts = [
    { name: 'rpcUrls.0 chain id', state: 'ok', found: '1', expected: '1' },
    { name: 'multicall3 code', state: 'wrong', found: '0 bytes', expected: 'code' },
    { name: 'blockSeconds', state: 'notChecked', found: 'not verified on chain', expected: '12' },
  ] as const
  const chain = { id: 1, displayName: 'Ethereum' } as ChainReport['chain']
  expect(factTable([{ chain, facts, outage: undefined }])).toMatchInlineSnapshot(`
    "chain     fact                state        found                  expected
    --------  ------------------  -----------  ---------------------  --------
    Ethereum  rpcUrls.0 chain id  ok           1                      1
    Ethereum  multicall3 code     WRONG        0 bytes                code
    Ethereum  blockSeconds        not checked  not verified on chain  12"
  `)
})
