import { expect, it } from 'vitest'
import { presetNames } from '#src/config/chain.ts'
import { parseConfig } from '#src/config/config.ts'
import { readEnvironment } from '#src/config/environment.ts'
import { shownConfig, shownEnvironment } from './shownConfig.ts'

const address = `0x${'1'.repeat(40)}`
const secret = 's3cr3tK3y0123456789'

const reread = (input: unknown) => {
  const config = parseConfig(input, 'test')
  const shown = JSON.parse(JSON.stringify(shownConfig(config)))
  return { config, shown, again: parseConfig(shown, 'shown') }
}

it.each(presetNames)(
  'shows what the preset %s expands to, which reads back as the same',
  (preset) => {
    const chains = [{ preset, rpcUrls: ['https://rpc.example'] }]
    const { config, again, shown } = reread({ chains, solver: { address } })
    expect(again).toEqual(config)
    expect(shown.chains[0].factories.length).toBeGreaterThan(0)
  },
)

it('shows chains of both virtual machines in one list, which reads back as the same', () => {
  const solana = { preset: 'solana', rpcUrls: ['https://svm.example'], agreeAboveUsd: '5' }
  const chains = [solana, { preset: 'ethereum', rpcUrls: ['https://rpc.example'] }]
  const { config, again, shown } = reread({ chains, solver: { address } })
  expect(again).toEqual(config)
  expect(shown.chains.map(({ name }: { name: string }) => name)).toEqual(['ethereum', 'solana'])
})

it('shows every kind of value in the format of the file', () => {
  const input = {
    chains: [
      {
        preset: 'base',
        rpcUrls: [{ url: 'https://rpc.example', maxInFlight: 3 }, 'https://other.example'],
        sendUrls: ['https://send.example'],
        wsUrl: 'wss://rpc.example',
        sequencerFeed: null,
        minPoolUsd: '0',
        maxUnfinalizedUsd: '12.5',
        factories: [
          { kind: 'concentrated', source: 'uniswap-v3', factory: address, fromBlock: 1234 },
        ],
      },
    ],
    tokenList: 'tokens.json',
    solver: { address, mostPayoutUsd: '100000.000001', refundRetryDays: 0.5 },
    apiKeys: [],
    maxSwapImpact: 77,
    feeSchedule: { flat: '0.5', stable: 2 },
  }
  const { config, shown, again } = reread(input)
  expect(again).toEqual(config)
  expect(shown.feeSchedule).toEqual({
    flat: '0.500000',
    sameAsset: 0,
    stable: 2,
    major: 6,
    other: 15,
  })
  expect(shown.chains[0].rpcUrls[0]).toEqual({ url: 'https://rpc.example', maxInFlight: 3 })
})

it('shows no secret of the configuration', () => {
  const input = {
    chains: [
      {
        preset: 'base',
        rpcUrls: [`https://rpc.example/v2/${secret}`, `https://a:${secret}@rpc.example/`],
        sendUrls: [`https://send.example/?key=${secret}`],
        wsUrl: `wss://rpc.example/${secret}`,
        publicRpcUrl: 'https://public.example/rpc',
      },
    ],
    tokenList: [`https://lists.example/${secret}.json`],
    solver: { address },
    apiKeys: [{ name: 'wallet', key: secret, webhookUrl: `https://wallet.example/${secret}` }],
    upstream: {
      url: 'https://upstream.example',
      apiKey: secret,
      chains: [{ id: 7, name: 'seven', contracts: [address] }],
    },
  }
  const text = JSON.stringify(shownConfig(parseConfig(input, 'test')))
  expect(text).not.toContain(secret)
  expect(text).toContain('"name":"wallet","key":"…"')
  expect(text).toContain('"publicRpcUrl":"https://public.example/rpc"')
  expect(text).toContain('"wsUrl":"wss://rpc.example/…"')
})

it('shows the variables with their defaults, and no secret of them', () => {
  const key = `0x${'12'.repeat(32)}`
  const shown = shownEnvironment(
    readEnvironment({
      DATABASE_URL: `postgres://user:${secret}@db.example:5432/quotes`,
      REDIS_URL: `redis://:${secret}@cache.example`,
      FEED_SECRET: secret.repeat(2),
      SOLVER_PRIVATE_KEY: key,
      RELAYER_KEYSTORE: 'relayer.json',
      RELAYER_KEYSTORE_PASSWORD: secret,
    }),
  )
  expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${secret}|${key}`))
  expect(shown).toMatchObject({
    DATABASE_URL: 'postgres://db.example:5432/…',
    FEED_SECRET: '…',
    SOLVER_PRIVATE_KEY: '…',
    RELAYER_KEYSTORE: 'relayer.json',
    ROLES: 'gateway,tracker,solver',
    PORT: 4000,
  })
})
