import { expect, it } from 'vitest'
import { parseConfig } from './config.ts'
import { upstreamIssues } from './upstream.ts'

const contract = `0x${'c'.repeat(40)}`
const upstream = {
  url: 'https://quotes.example/',
  chains: [{ id: 1, name: 'ethereum', contracts: [contract] }],
}
const problemsOf = (input: object) => {
  try {
    parseConfig(input, 'A configuration')
    return []
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
}

it('needs neither chains nor a solver with an upstream', () => {
  const config = parseConfig({ chains: [], upstream }, 'A configuration')
  expect(config.upstream?.url).toBe('https://quotes.example')
  expect(problemsOf({ chains: [], solver: { address: contract } })).toEqual([
    '  chains: at least one chain is required without an upstream',
  ])
})

it.each([
  ['ftp://quotes.example', 'upstream.url: must be an http or https URL'],
  ['https://user:secret@quotes.example', 'upstream.url: must not contain a user'],
  ['https://quotes.example?key=secret', 'upstream.url: must not contain a user'],
])('refuses the URL %s without repeating it', (url, problem) => {
  const [first = ''] = problemsOf({ chains: [], upstream: { ...upstream, url } })
  expect(first).toContain(problem)
  expect(first).not.toContain('secret')
})

it('refuses a chain twice, and a chain without contracts', () => {
  const [chain] = upstream.chains
  const chains = [chain, { ...chain, id: 2, contracts: [] }]
  expect(problemsOf({ chains: [], upstream: { ...upstream, chains } })).toEqual([
    expect.stringContaining('upstream.chains.1.contracts'),
  ])
  expect(problemsOf({ chains: [], upstream: { ...upstream, chains: [chain, chain] } })).toEqual([
    expect.stringContaining('configured twice'),
  ])
})

it('refuses an upstream with our own contracts: we would refund deposits that it fills', () => {
  const config = parseConfig({ chains: [], upstream }, 'A configuration')
  const own = (id: number) => [{ id, contracts: { depository: contract } }]
  expect(upstreamIssues({ ...config, chains: own(1) })).toMatchObject([
    { path: ['upstream', 'chains', 0, 'contracts', 0] },
  ])
  expect(upstreamIssues({ ...config, chains: own(2) })).toEqual([])
})
