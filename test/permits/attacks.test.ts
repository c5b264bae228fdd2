import { encodeFunctionData, type Hex, parseSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permit2Address } from '#src/protocol/contracts/protocolContracts.ts'
import {
  createGaslessUser,
  type GaslessUser,
  permitAbi,
  type SignatureItem,
  type SignatureStep,
} from '#test/support/gateways/gaslessUser.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'

const [ethereum, rollup] = [990001, 990002] as const

/** A gateway alone: no solver sends what it accepts, so that each answer is the gateway's own. */
let stack: Stack
let user: GaslessUser
beforeAll(async () => {
  stack = await startStack()
  const holdings = { USDC: 500_000_000n, DAI: 500n * 10n ** 18n, USDT: 500_000_000n }
  user = await createGaslessUser(stack, ethereum, holdings)
})
afterAll(() => stack.stop())

type Json = Record<string, unknown>
async function post(path: string, body: object): Promise<{ status: number; body: Json }> {
  const headers = { 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${stack.url}${path}`, sent)
  return { status: answer.status, body: await answer.json() }
}

const ask = (input: string, options: object = {}) =>
  post('/quote/v2', {
    user: user.account.address,
    originChainId: ethereum,
    destinationChainId: rollup,
    originCurrency: user.addressOf(input),
    destinationCurrency: stack.currencyOn(rollup, 'USDC'),
    amount: input === 'DAI' ? `${50n * 10n ** 18n}` : '50000000',
    tradeType: 'EXACT_INPUT',
    usePermit: true,
    ...options,
  })

async function quote(input = 'USDC', options: object = {}): Promise<readonly SignatureStep[]> {
  const { status, body } = await ask(input, options)
  expect([status, body['message']]).toEqual([200, undefined])
  return body['steps'] as SignatureStep[]
}

const itemOf = (steps: readonly SignatureStep[], at = steps.length - 1): SignatureItem => {
  const item = steps.at(at)?.items[0]
  if (item === undefined) throw new Error('The step has no item')
  return item
}

const sign = ({ data: { sign } }: SignatureItem, account = user.account): Promise<Hex> =>
  account.signTypedData({ ...sign, message: sign.value } as never)

const hand = ({ data }: SignatureItem, signature: Hex) =>
  post(`${data.post.endpoint}?signature=${signature}`, { ...data.post.body, referrer: 'app' })

const statusOf = async (steps: readonly SignatureStep[]) =>
  (await fetch(`${stack.url}/intents/status/v3?requestId=${steps[0]?.requestId}`)).json()

/** Refused in words, and nothing has happened. */
async function expectRefused(
  steps: readonly SignatureStep[],
  answer: Promise<{ status: number; body: Json }>,
  words: RegExp,
): Promise<void> {
  const { status, body } = await answer
  expect([status, body['errorCode']]).toEqual([400, 'PERMIT_FAILED'])
  expect(body['message']).toMatch(words)
  expect(await statusOf(steps)).toMatchObject({ status: 'waiting', inTxHashes: [] })
  const requestId = steps[0]?.requestId ?? '0x'
  expect((await stack.store.findPermit(requestId))?.signature).toBeUndefined()
}

describe('a signature that does not fit', () => {
  it.each(['USDC', 'USDT'])('by another signer is refused: %s', async (input) => {
    if (input === 'USDT') await user.approvePermit2('USDT')
    const steps = await quote(input)
    const other = privateKeyToAccount(generatePrivateKey())
    const signature = await sign(itemOf(steps), other)
    await expectRefused(steps, hand(itemOf(steps), signature), /signature/i)
  })

  it('of altered data is refused', async () => {
    const steps = await quote()
    const item = itemOf(steps)
    const value = { ...item.data.sign.value, value: '1' } as never
    const signature = await sign({ data: { ...item.data, sign: { ...item.data.sign, value } } })
    await expectRefused(steps, hand(item, signature), /signature/i)
  })

  it('of another chain is refused', async () => {
    const steps = await quote()
    const item = itemOf(steps)
    const domain = { ...item.data.sign.domain, chainId: rollup }
    const signature = await sign({ data: { ...item.data, sign: { ...item.data.sign, domain } } })
    await expectRefused(steps, hand(item, signature), /signature/i)
  })

  it('of another request is refused', async () => {
    const [steps, others] = [await quote(), await quote()]
    await expectRefused(steps, hand(itemOf(steps), await sign(itemOf(others))), /signature/i)
  })

  it('is the malleable twin of a valid one: EIP-3009 refuses it', async () => {
    const steps = await quote()
    const good = await sign(itemOf(steps))
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = (order - BigInt(`0x${good.slice(66, 130)}`)).toString(16).padStart(64, '0')
    const v = good.endsWith('1b') ? '1c' : '1b'
    const twin: Hex = `0x${good.slice(2, 66)}${s}${v}`
    await expectRefused(steps, hand(itemOf(steps), twin), /s too high/i)
  })

  it.each(['0x00', `0x${'11'.repeat(66)}`] as const)(
    'has a wrong length: %s',
    async (signature) => {
      const steps = await quote()
      await expectRefused(steps, hand(itemOf(steps), signature), /length/)
    },
  )

  it('is of another kind than the quote requests', async () => {
    const steps = await quote()
    const item = itemOf(steps)
    const body = { ...item.data.post.body, kind: 'permit2' }
    const signature = await sign(item)
    const answer = post(`/execute/permits?signature=${signature}`, body)
    await expectRefused(steps, answer, /asks for eip3009, not permit2/)
  })

  it('pays more than the user holds: INSUFFICIENT_FUNDS', async () => {
    const steps = await quote('USDC', { amount: '900000000' })
    const { status, body } = await hand(itemOf(steps), await sign(itemOf(steps)))
    expect([status, body['errorCode']]).toEqual([400, 'INSUFFICIENT_FUNDS'])
  })

  it('comes after its expiry by the chain’s clock', async () => {
    const steps = await quote('USDC', { permitExpiry: 60 })
    const signature = await sign(itemOf(steps))
    await user.client.increaseTime({ seconds: 100 })
    await user.client.mine({ blocks: 1 })
    await expectRefused(steps, hand(itemOf(steps), signature), /expired/i)
  })

  it('is for an unknown request, which gives 404', async () => {
    const requestId = `0x${'12'.repeat(32)}`
    const body = { kind: 'eip3009', requestId, api: 'swap' }
    const answer = await post(`/execute/permits?signature=0x${'11'.repeat(65)}`, body)
    expect([answer.status, answer.body['errorCode']]).toEqual([404, 'UNKNOWN_REQUEST'])
  })

  it('lacks every field, and the answer names all of them', async () => {
    const { status, body } = await post('/execute/permits', { kind: 'bogus' })
    expect([status, body['errorCode']]).toEqual([400, 'INVALID_REQUEST'])
    const { issues } = body['errorData'] as unknown as { issues: { path: string[] }[] }
    expect(issues.map(({ path }) => path[0]).sort()).toEqual(['kind', 'requestId', 'signature'])
  })
})

describe('a good signature', () => {
  it('is stored once, and gets the same answer again', async () => {
    const steps = await quote()
    const signature = await sign(itemOf(steps))
    const first = await hand(itemOf(steps), signature)
    expect(first).toEqual({
      status: 200,
      body: { message: 'The signature is accepted, and its transaction will be sent.' },
    })
    expect(await statusOf(steps)).toMatchObject({ status: 'depositing', inTxHashes: [] })
    expect(await hand(itemOf(steps), signature)).toEqual(first)
    const other = await hand(itemOf(steps), `0x${'22'.repeat(64)}1b`)
    expect(other.body['message']).toMatch(/signed with another signature/)
    // The signature itself is shown nowhere.
    const shown = JSON.stringify([await statusOf(steps), first])
    expect(shown).not.toContain(signature.slice(2, 66))
  })

  it('is needed after the allowance by signature, also if a front-runner sends the allowance', async () => {
    const steps = await quote('DAI')
    expect(steps.map(({ id }) => id)).toEqual(['authorize1', 'authorize2'])
    expect([itemOf(steps, 0).check, itemOf(steps).check]).toEqual([
      undefined,
      { endpoint: expect.any(String), method: 'GET' },
    ])
    const payment = await sign(itemOf(steps))
    await expectRefused(steps, hand(itemOf(steps), payment), /allowance/)
    const allowance = await sign(itemOf(steps, 0))
    const { value } = itemOf(steps, 0).data.sign
    const { r, s, yParity } = parseSignature(allowance)
    const args = [
      ...([user.account.address, permit2Address, BigInt(`${value['value']}`)] as const),
      ...([BigInt(`${value['deadline']}`), 27 + yParity, r, s] as const),
    ] as const
    const frontRunner = privateKeyToAccount(generatePrivateKey())
    await user.client.setBalance({ address: frontRunner.address, value: 10n ** 18n })
    const data = encodeFunctionData({ abi: permitAbi, functionName: 'permit', args })
    await user.send(frontRunner, user.addressOf('DAI'), data)
    expect((await hand(itemOf(steps, 0), allowance)).status).toBe(200)
    expect(await statusOf(steps)).toMatchObject({ status: 'waiting' })
    expect((await hand(itemOf(steps), payment)).status).toBe(200)
    expect(await statusOf(steps)).toMatchObject({ status: 'depositing' })
  })

  it('goes to the account that pays the gas if the quote names one', async () => {
    const payer = privateKeyToAccount(generatePrivateKey())
    const steps = await quote('USDC', { depositFeePayer: payer.address })
    const { status, body } = await hand(itemOf(steps), await sign(itemOf(steps)))
    const [step] = (body as { steps?: SignatureStep[] }).steps ?? []
    expect([status, step?.id, step?.kind]).toEqual([200, 'deposit', 'transaction'])
    const transaction = step?.items[0]?.data as unknown as { from: Hex; to: Hex; data: Hex }
    expect(transaction.from).toBe(payer.address.toLowerCase())
    expect(await statusOf(steps)).toMatchObject({ status: 'waiting' })
    await user.client.setBalance({ address: payer.address, value: 10n ** 18n })
    const { depository } = stack.contractsOn(ethereum)
    const held = await user.balanceOf('USDC', depository)
    await user.send(payer, transaction.to, transaction.data)
    expect((await user.balanceOf('USDC', depository)) - held).toBe(50_000_000n)
  })
})

describe('a quote', () => {
  it('shows the signed data and the witness of its nonce', async () => {
    const { witness, sign: signed } = itemOf(await quote()).data
    const { approvalProxy } = stack.contractsOn(ethereum)
    expect(Object.keys(signed.types ?? {})).toEqual(['ReceiveWithAuthorization'])
    expect(signed.value).toMatchObject({ to: approvalProxy, value: '50000000', validAfter: 0 })
    const solver = stack.config.solver.address
    expect(witness).toMatchObject({ relayer: solver, refundTo: user.account.address.toLowerCase() })
  })

  it('asks for one approval of Permit2 if the currency has no permits', async () => {
    const fresh = await createGaslessUser(stack, ethereum, { USDT: 60_000_000n })
    const steps = await quote('USDT', { user: fresh.account.address })
    expect(steps.map(({ id, kind, description }) => [id, kind, description])).toEqual([
      ['approve', 'transaction', 'Sign a one-time approval for USDT on permit2'],
      ['authorize1', 'signature', 'Sign to approve swap of USDT for USDC'],
    ])
    expect(steps[0]?.items[0]).not.toHaveProperty('check')
  })

  it.each([
    [{ originCurrency: `0x${'0'.repeat(40)}` }, 'UNSUPPORTED_CURRENCY', /native currency/],
    [{ destinationChainId: ethereum }, 'UNSUPPORTED_EXECUTION_TYPE', /needs a sponsor/],
    [{ permitExpiry: 59 }, 'INVALID_REQUEST', /permitExpiry/],
    [{ permitExpiry: 600, usePermit: false }, 'INVALID_REQUEST', /usePermit/],
    [
      { depositFeePayer: `0x${'1'.repeat(40)}`, usePermit: false },
      'UNSUPPORTED_EXECUTION_TYPE',
      /depositFeePayer/,
    ],
  ])('with %o is refused with %s', async (options, code, words) => {
    const isLocal = 'destinationChainId' in options
    const asked = { ...options, ...(isLocal && { destinationCurrency: user.addressOf('DAI') }) }
    const { status, body } = await ask('USDC', asked)
    expect([status, body['errorCode']]).toEqual([400, code])
    expect(body['message']).toMatch(words)
  })

  it('names in /chains the currencies that need only signatures', async () => {
    const { chains } = await (await fetch(`${stack.url}/chains`)).json()
    type Listed = { symbol: string; supportsPermit: boolean }
    const listed: Listed[] = chains[0].erc20Currencies
    const supporting = listed.filter(({ supportsPermit }) => supportsPermit)
    expect(supporting.map(({ symbol }) => symbol).sort()).toEqual(['DAI', 'USDC'])
  })

  it('charges the gas that the solver pays in relayerGas, and the price says the same', async () => {
    const [signed, sent] = [await ask('USDC'), await ask('USDC', { usePermit: false })]
    const feesOf = ({ body }: typeof signed) =>
      body['fees'] as unknown as Record<string, { amount: string }>
    const [permit, plain] = [feesOf(signed), feesOf(sent)]
    expect(permit['gas']?.amount).toBe('0')
    expect(BigInt(plain['gas']?.amount ?? 0)).toBeGreaterThan(0n)
    expect(BigInt(permit['relayerGas']?.amount ?? 0)).toBeGreaterThan(
      BigInt(plain['relayerGas']?.amount ?? 0),
    )
    const { details } = signed.body as unknown as {
      details: Record<string, { amount: string }>
    }
    const amountOf = (name: string) => BigInt(details[name]?.amount ?? 0)
    expect(amountOf('currencyOut')).toBe(
      amountOf('currencyIn') - BigInt(permit['relayer']?.amount ?? 0),
    )
  })
})
