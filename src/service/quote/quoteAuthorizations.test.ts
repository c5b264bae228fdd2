import { numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { gasPriceOf } from '#src/core/pricing/gas/gas.ts'
import { toAddress } from '#src/core/units/address.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import { users } from '#src/devnet/accounts.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { newSigner, signAuthorization } from '#test/support/fixtures/signAuthorization.ts'
import { quote } from './quote.ts'

type Fields = Readonly<Record<string, unknown>>
type Simulator = ReturnType<typeof createQuoteDeps>['deps']['simulator']

const user = privateKeyToAccount(users[0].privateKey)
const usdc = {
  origin: currencyOf(originChain, 'USDC'),
  destination: currencyOf(destinationChain, 'USDC'),
}
const code = account('c')

const across = {
  user: user.address,
  originChainId: originChain,
  originCurrency: usdc.origin.address,
  destinationChainId: destinationChain,
  destinationCurrency: usdc.destination.address,
  amount: '100000000',
  tradeType: 'EXACT_OUTPUT',
}

const sent = ({ authority: _, ...fields }: Authorization) => fields

const sign = async ({
  signer = newSigner(),
  chainId = destinationChain as number,
  nonce = 0,
  address = code,
} = {}) => sent(await signAuthorization(signer, { chainId, nonce, address }))

async function ask(fields: Fields, changes: Partial<Simulator> = {}) {
  const { deps, stored } = createQuoteDeps()
  const request = quoteInput.parse({ ...across, ...fields })
  const simulator = { ...deps.simulator, ...changes }
  const answer = await quote({ ...deps, simulator }, request, loaders, client)
  return { answer, steps: await answer.steps(), request: stored[0] }
}

async function refusalOf(fields: Fields, changes?: Partial<Simulator>) {
  try {
    await ask(fields, changes)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, data } = error
    const issues = (data?.['issues'] ?? []) as { path: string[]; message: string }[]
    return { code, message, issues: issues.map(({ path, message }) => [path.join('.'), message]) }
  }
  throw new Error('It was quoted')
}

describe('a quote with EIP-7702 authorizations', () => {
  it('stores them with their signers, and never shows them in the answer', async () => {
    const signer = newSigner()
    const list = [await sign({ signer }), await sign({ chainId: 0 })]
    const { answer, steps, request } = await ask({ authorizationList: list })
    if (request?.execution !== 'solver') throw new Error('The solver fills it')
    expect(request.fill.authorizationList).toEqual([
      { ...list[0], authority: toAddress(signer.address) },
      { ...list[1], authority: expect.stringMatching(/^0x[0-9a-f]{40}$/) },
    ])
    const shown = JSON.stringify(
      [steps, await answer.protocol(), request.order],
      (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
    )
    for (const { r, s } of list)
      for (const secret of [r, s]) expect(shown).not.toContain(secret.slice(2))
  })

  it('charges 25,000 gas for each of them', async () => {
    const gasOf = async (authorizationList: readonly object[]) =>
      (await ask({ authorizationList })).answer.fees.relayerGas.amount
    const [none, one, two] = [
      await gasOf([]),
      await gasOf([await sign()]),
      await gasOf([await sign(), await sign()]),
    ]
    const chain = wideMarket.chains.get(destinationChain)
    if (chain === undefined) throw new Error('The fixture has no destination chain')
    // USDC; ether costs 3,000 dollars, and an exact output reserves half more gas.
    const each = (25_000n * gasPriceOf(chain.gas) * 3_000n * 3n) / (2n * 10n ** 12n)
    expect(each).toBeGreaterThan(100n)
    for (const rise of [one - none, two - one]) expect(Number(rise - each)).toBeCloseTo(0, -1)
  })

  it('is filled by the solver on one chain too, after the nonces of the user’s own steps', async () => {
    const own = {
      destinationChainId: originChain,
      destinationCurrency: usdc.origin.address,
      recipient: account('7'),
    }
    const listOf = async (nonce: number) => ({
      ...own,
      authorizationList: [await sign({ signer: user, chainId: originChain, nonce })],
    })
    // An approval and a deposit.
    const { answer } = await ask(await listOf(2))
    expect(answer.execution).toBe('solver')
    expect((await ask({ ...own, authorizationList: [] })).answer.execution).toBe('user')
    const authority = toAddress(user.address)
    expect((await refusalOf(await listOf(0))).issues).toEqual([
      [
        'authorizationList.0.nonce',
        `Must be 2, the number of transactions that the signer ${authority} has sent, plus 2 of the steps`,
      ],
    ])
  })

  it('takes numbers as wallets write them', async () => {
    const signed = await sign({ chainId: 0 })
    const hex = {
      ...signed,
      chainId: '0x0',
      nonce: '0x0',
      yParity: numberToHex(signed.yParity),
      r: numberToHex(BigInt(signed.r)),
    }
    const { request } = await ask({
      authorizationList: [hex],
      txs: [{ to: account('5'), value: '0x0', data: '0x' }],
    })
    expect(request?.execution === 'solver' && request.fill.authorizationList).toMatchObject([
      signed,
    ])
  })

  it('names every bad one by its place, and no signature', async () => {
    const good = await sign()
    const doubled = newSigner()
    const list = [
      good,
      { ...(await sign({ chainId: originChain })) },
      await sign({ signer: doubled }),
      await sign({ signer: doubled, nonce: 1 }),
    ]
    const { code: refused, issues, message } = await refusalOf({ authorizationList: list })
    expect(refused).toBe('INVALID_REQUEST')
    const twice = toAddress(doubled.address)
    expect(issues).toEqual([
      ['authorizationList.1.chainId', `Must be ${destinationChain}, the destination chain, or 0`],
      [
        'authorizationList.3',
        `The signer ${twice} also signed authorizationList.2: only one authorization per account`,
      ],
    ])
    for (const { r, s } of list)
      for (const secret of [r, s]) expect(message).not.toContain(secret.slice(2))
  })

  it('refuses a signature that chains skip', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const signed = await sign()
    const high = {
      ...signed,
      s: numberToHex(order - BigInt(signed.s)),
      yParity: 1 - signed.yParity,
    }
    const bad = [high, { ...signed, r: '0x0' }, { ...signed, s: '0xzz' }, { ...signed, yParity: 2 }]
    const { error } = quoteInput.safeParse({ ...across, authorizationList: bad })
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'authorizationList.0.s',
      'authorizationList.1.r',
      'authorizationList.2.s',
      'authorizationList.3.yParity',
    ])
    const nobodys = { ...signed, r: numberToHex(5n) }
    expect((await refusalOf({ authorizationList: [nobodys] })).code).toBe('INVALID_REQUEST')
  })

  it('refuses one that the solver’s account signed', async () => {
    const signer = newSigner()
    const { deps } = createQuoteDeps({ solver: toAddress(signer.address) })
    const request = quoteInput.parse({ ...across, authorizationList: [await sign({ signer })] })
    await expect(quote(deps, request, loaders, client)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('is an account of the solver'),
    })
  })

  it('refuses stale nonces, nonces to come, and contracts', async () => {
    const list = [
      await sign({ nonce: 4 }),
      await sign({ nonce: 5 }),
      await sign({ nonce: 6 }),
      await sign({ nonce: 5 }),
    ]
    const codes = ['0x', `0xef0100${'ab'.repeat(20)}`, '0x', '0x6001'] as const
    const { issues } = await refusalOf(
      { authorizationList: list },
      { readAuthorities: async () => codes.map((each) => ({ nonce: 5, code: each })) },
    )
    expect(issues.map(([path]) => path)).toEqual([
      'authorizationList.0.nonce',
      'authorizationList.2.nonce',
      'authorizationList.3',
    ])
  })

  it('refuses them on a chain without EIP-7702', async () => {
    const unsupported = { supportsAuthorizations: async () => false }
    const fields = { authorizationList: [await sign()] }
    expect((await refusalOf(fields, unsupported)).code).toBe('UNSUPPORTED_EXECUTION_TYPE')
    // A list without entries asks for nothing.
    await ask({ authorizationList: [] }, unsupported)
  })

  it('simulates the calls of the order on accounts with their new code', async () => {
    const lists: unknown[] = []
    const txs = [{ to: account('5'), value: '0', data: '0x' }]
    await ask(
      { authorizationList: [await sign()], txs },
      {
        simulate: async (_, calls) => {
          lists.push(calls.map(({ authorizationList }) => authorizationList?.length))
          return undefined
        },
      },
    )
    expect(lists).toEqual([[1, undefined, undefined]])
  })
})
