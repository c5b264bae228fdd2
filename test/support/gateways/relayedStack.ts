import type { Hex } from 'viem'
import { expect, vi } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import { relayer as devnetRelayer } from '#src/devnet/accounts.ts'
import { signAuthorization } from '#test/support/fixtures/signAuthorization.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { createGaslessUser, type GaslessUser } from './gaslessUser.ts'
import { startStack } from './stack.ts'

const [ethereum, rollup] = [990001, 990002] as const
const keys = {
  app: 'app-key-0123456789',
  poor: 'poor-key-0123456789',
  plain: 'plain-key-0123456789',
}

type Json = Record<string, unknown>
export type Answer = { status: number; body: Json }

export type Data = Readonly<{
  to: string
  data?: string
  value?: string
  authorizationList?: readonly Omit<Authorization, 'authority'>[]
}>

type Call = Readonly<{ to: Hex; data: Hex }>

/** A whole gateway with a relayer, API keys, and a user without native currency. */
export async function startRelayedStack() {
  const stack = await startStack(
    {
      apiKeys: [
        { name: 'app', key: keys.app, sponsors: true },
        { name: 'poor', key: keys.poor, sponsors: true, gasBudgetUsd: '0.000001' },
        { name: 'plain', key: keys.plain },
      ],
      relayer: { address: devnetRelayer.address, maxGas: 500_000 },
    },
    ['gateway', 'tracker', 'solver'],
  )
  const user = await createGaslessUser(stack, ethereum, { USDC: 500_000_000n })

  async function post(path: string, body: object, apiKey?: string): Promise<Answer> {
    const headers = {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
    }
    const answer = await fetch(`${stack.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }

  const ask = async (query: string, variables: object, apiKey?: string) =>
    (await post('/graphql', { query, variables }, apiKey)).body

  /** In the form that the official SDK sends. */
  const bodyOf = (data: Data, options: object = {}) => ({
    executionKind: 'rawCalls',
    data: { chainId: ethereum, data: '0x', value: '0', ...data },
    executionOptions: { referrer: 'app', subsidizeFees: true },
    ...options,
  })

  const execute = (data: Data, options: object = {}, apiKey: string | undefined = keys.app) =>
    post('/execute', bodyOf(data, options), apiKey)

  const unpaid = { executionOptions: { referrer: 'app', subsidizeFees: false } }

  const statusOf = async (requestId: string): Promise<Json> =>
    (await fetch(`${stack.url}/intents/status/v3?requestId=${requestId}`)).json()

  const multicall3 = toAddress(
    stack.config.chains.find(({ id }) => id === ethereum)?.multicall3 ?? '0x',
  )
  const sign = async (by: GaslessUser, change: Partial<Authorization> = {}) => {
    const { authority: _, ...signed } = await signAuthorization(by.account, {
      chainId: ethereum,
      address: multicall3,
      nonce: 0,
      ...change,
    })
    return signed
  }

  /** Quotes a transfer of USDC by an account, and returns its approval and deposit. */
  async function quoteOf(by: GaslessUser, amount = 50_000_000n) {
    const { status, body } = await post('/quote/v2', {
      user: by.account.address,
      originChainId: ethereum,
      destinationChainId: rollup,
      originCurrency: by.addressOf('USDC'),
      destinationCurrency: stack.currencyOn(rollup, 'USDC'),
      amount: `${amount}`,
      tradeType: 'EXACT_INPUT',
      recipient: newAccount(),
      originGasOverhead: 80_000,
    })
    expect([status, body['message']]).toEqual([200, undefined])
    const steps = body['steps'] as { id: string; requestId: Hex; items: { data: Call }[] }[]
    expect(steps.map(({ id }) => id)).toEqual(['approve', 'deposit'])
    const calls = steps.flatMap(({ items }) => items.map(({ data }) => data))
    return { requestId: steps[0]?.requestId ?? '0x', calls }
  }

  const isFinal = /^(success|failure|refund)$/
  async function outcomeOf(requestId: string): Promise<Json> {
    await vi.waitUntil(async () => isFinal.test(String((await statusOf(requestId))['status'])), {
      timeout: waitLimitMs,
      interval: 100,
    })
    return statusOf(requestId)
  }

  const relayer = devnetRelayer.address
  /** A new account with this code. */
  async function place(code: Hex): Promise<Hex> {
    const address = newAccount()
    await user.client.setCode({ address, bytecode: code })
    return address
  }

  return {
    stack,
    user,
    keys,
    post,
    ask,
    bodyOf,
    execute,
    unpaid,
    multicall3,
    statusOf,
    sign,
    quoteOf,
    outcomeOf,
    relayer,
    place,
  }
}
