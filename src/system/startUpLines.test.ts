import { expect, it } from 'vitest'
import { readEnvironment } from '#src/config/environment.ts'
import { boxOf, startUpLines } from './startUpLines.ts'

const chain = {
  id: 990001,
  name: 'devnet-ethereum',
  rpcUrl: 'http://127.0.0.1:18545',
  wsUrl: 'ws://127.0.0.1:18545',
  nativeCurrency: { symbol: 'ETH', decimals: 18 },
  contracts: {} as never,
  currencies: [],
}

it('names the URLs to open, the ports of the devnet, and how to start afresh', () => {
  const devnet = { chains: [chain], accounts: [], solver: {} as never, relayer: {} as never }
  const environment = readEnvironment({})
  expect(
    startUpLines({ url: 'http://localhost:4000', environment, devnet }),
  ).toMatchInlineSnapshot(`
    [
      "Prices and swaps in the browser: http://localhost:4000/",
      "GraphQL and GraphiQL: http://localhost:4000/graphql",
      "REST, with its documentation: http://localhost:4000/docs",
      "Health and metrics: http://localhost:4000/ready and http://localhost:4000/metrics",
      "Devnet chain 990001 (devnet-ethereum): http://127.0.0.1:18545",
      "Accounts, contracts and currencies of the devnet: .crossquote/devnet.json",
      "To start afresh, stop with Ctrl-C and delete the directory .crossquote",
    ]
  `)
})

it('names no API if the process runs no gateway, and no devnet on real chains', () => {
  const environment = readEnvironment({ ROLES: 'tracker', DATABASE_URL: 'postgres://localhost/x' })
  const lines = startUpLines({ url: 'http://localhost:4000', environment, devnet: undefined })
  expect(lines).toEqual([
    'Health and metrics: http://localhost:4000/ready and http://localhost:4000/metrics',
  ])
})

it('never advises to delete the ledger of real chains', () => {
  const environment = readEnvironment({ DATA_DIRECTORY: '/var/lib/crossquote' })
  const lines = startUpLines({ url: 'http://localhost:4000', environment, devnet: undefined })
  expect(lines.at(-1)).toBe(
    'The ledger is in /var/lib/crossquote: back it up, and never delete it. For real money use a Postgres server (DATABASE_URL)',
  )
})

it('frames the lines for a terminal', () => {
  expect(boxOf(['GraphQL: http://localhost:4000/graphql', 'short\u001b[31m'])).toBe(
    [
      '┌────────────────────────────────────────┐',
      '│ GraphQL: http://localhost:4000/graphql │',
      '│ short [31m                             │',
      '└────────────────────────────────────────┘',
    ].join('\n'),
  )
})
