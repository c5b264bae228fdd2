import { createClient, type Execute } from '@relayprotocol/relay-sdk'
import { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils'
import {
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  http,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { contractWallet } from '#test/support/artifacts/contractWallet.ts'
import {
  createGaslessUser,
  type GaslessUser,
  type SignatureItem,
  type SignatureStep,
} from '#test/support/gateways/gaslessUser.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { patience } from '#test/support/patience.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

const [ethereum, rollup] = [990001, 990002] as const
const sponsorKey = 'the key of a shop that sponsors'

let stack: Stack
let client: ReturnType<typeof createClient>
let user: GaslessUser
beforeAll(async () => {
  const apiKeys = [{ name: 'shop', key: sponsorKey, sponsors: true }]
  stack = await startStack({ apiKeys }, ['gateway', 'tracker', 'solver'])
  client = createClient({
    baseApiUrl: stack.url,
    source: 'app.example',
    pollingInterval: 100,
    maxPollingAttemptsBeforeTimeout: 1_000,
  })
  await configureDynamicChains()
  user = await createGaslessUser(stack, ethereum, {
    USDC: 500_000_000n,
    DAI: 500n * 10n ** 18n,
    USDT: 500_000_000n,
  })
  await user.approvePermit2('USDT')
})
afterAll(() => stack.stop())

type Asked = Readonly<{
  input: string
  output: readonly [chainId: number, symbol: string]
  amount: bigint
  options?: Record<string, unknown>
  headers?: Record<string, string>
}>

async function quote({ input, output, amount, options, headers }: Asked, recipient: string) {
  const [toChainId, symbol] = output
  return client.actions.getQuote(
    {
      chainId: ethereum,
      currency: stack.currencyOn(ethereum, input),
      toChainId,
      toCurrency: stack.currencyOn(toChainId, symbol),
      tradeType: 'EXACT_INPUT',
      amount: `${amount}`,
      user: user.account.address,
      recipient,
      options: { usePermit: true, ...options },
    },
    false,
    headers,
  )
}

async function execute(quoted: Execute): Promise<string> {
  const chain = client.chains.find(({ id }) => id === ethereum)
  const wallet = createWalletClient({
    account: user.account,
    transport: http(chain?.httpRpcUrl ?? ''),
    ...(chain?.viemChain && { chain: chain.viemChain }),
  })
  return client.actions
    .execute({ quote: quoted, wallet })
    .then(() => 'done')
    .catch((error: Error) => error.message)
}

const statusOf = async (requestId: string): Promise<Record<string, unknown>> =>
  (await fetch(`${stack.url}/intents/status/v3?requestId=${requestId}`)).json()

async function heldOn([chainId, symbol]: Asked['output'], holder: Hex): Promise<bigint> {
  const { rpcUrl = '' } = stack.devnet.description.chains.find(({ id }) => id === chainId) ?? {}
  const reader = createAnvilClient(rpcUrl)
  const address = stack.currencyOn(chainId, symbol) as Hex
  return /^0x0+$/.test(address)
    ? reader.getBalance({ address: holder })
    : reader.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
}

const ether = 10n ** 18n
const sponsored = { options: { subsidizeFees: true }, headers: { 'x-api-key': sponsorKey } }
const cases: readonly (readonly [string, Asked, string[]])[] = [
  ['EIP-3009', { input: 'USDC', output: [rollup, 'USDC'], amount: 50_000_000n }, ['authorize1']],
  [
    'EIP-3009 with a swap first',
    { input: 'USDC', output: [rollup, 'ETH'], amount: 60_000_000n },
    ['authorize1'],
  ],
  [
    'EIP-2612 and Permit2',
    { input: 'DAI', output: [rollup, 'USDC'], amount: 50n * ether },
    ['authorize1', 'authorize2'],
  ],
  ['Permit2', { input: 'USDT', output: [rollup, 'USDT'], amount: 50_000_000n }, ['authorize1']],
  [
    'EIP-3009 on one chain, sponsored',
    { input: 'USDC', output: [ethereum, 'DAI'], amount: 50_000_000n, ...sponsored },
    ['authorize2'],
  ],
  [
    'Permit2 on one chain, sponsored',
    { input: 'USDT', output: [ethereum, 'USDC'], amount: 50_000_000n, ...sponsored },
    ['authorize2'],
  ],
]

describe('a user without native currency', () => {
  it.each(cases)('pays by %s through the official SDK', async (_, asked, ids) => {
    const recipient = newAccount()
    const before = await user.balanceOf(asked.input)
    const quoted = await quote(asked, recipient)
    expect(quoted.steps.map(({ id, kind }) => [id, kind])).toEqual(
      ids.map((id) => [id, 'signature']),
    )
    expect(await execute(quoted)).toBe('done')
    const requestId = quoted.steps.at(-1)?.requestId ?? ''
    await vi.waitFor(
      async () => expect(await statusOf(requestId)).toMatchObject({ status: 'success' }),
      { ...patience, interval: 200 },
    )
    // To the wei: the user has paid the input and nothing else, and nothing is left on the way.
    expect(before - (await user.balanceOf(asked.input))).toBe(asked.amount)
    expect(await user.client.getBalance({ address: user.account.address })).toBe(0n)
    const { router, approvalProxy } = stack.contractsOn(ethereum)
    for (const holder of [router, approvalProxy])
      expect(await user.balanceOf(asked.input, holder)).toBe(0n)
    const { amount, minimumAmount } = quoted.details?.currencyOut ?? {}
    const received = await heldOn(asked.output, recipient)
    expect(received).toBeGreaterThanOrEqual(BigInt(minimumAmount ?? -1))
    // One asset has no price to move.
    if (asked.output[1] === asked.input) expect(received).toBe(BigInt(amount ?? -1))
    const { fees } = quoted
    expect(fees?.gas?.amount).toBe('0')
    expect(BigInt(fees?.relayerGas?.amount ?? 0)).toBeGreaterThan(0n)
    const [deposit] = await stack.store.depositsOf(requestId)
    if (asked.output[0] !== ethereum)
      expect(deposit).toMatchObject({ depositor: user.account.address.toLowerCase() })
  })
})

const post = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${stack.url}${path}`, sent)
  return { status: answer.status, body: await answer.json() }
}

describe('a signature', () => {
  it.each(['USDC', 'USDT', 'DAI'])(
    'of %s may have 0 or 1 as `v`, as hardware wallets give it',
    async (symbol) => {
      const amount = symbol === 'DAI' ? 40n * ether : 40_000_000n
      const asked = { input: symbol, output: [rollup, 'USDC'] as const, amount }
      const { steps } = await quote(asked, newAccount())
      const signatures = steps.map(({ items }) => items[0] as unknown as SignatureItem)
      for (const { data } of signatures) {
        const typed = { ...data.sign, message: data.sign.value } as never
        const usual = await user.account.signTypedData(typed)
        const rare = `${usual.slice(0, -2)}${usual.endsWith('1b') ? '00' : '01'}`
        for (const signature of [rare, rare, usual])
          expect(
            await post(`${data.post.endpoint}?signature=${signature}`, data.post.body),
          ).toMatchObject({ status: 200 })
      }
      const requestId = steps.at(-1)?.requestId ?? ''
      await vi.waitFor(
        async () => expect(await statusOf(requestId)).toMatchObject({ status: 'success' }),
        { ...patience, interval: 200 },
      )
    },
  )
})

describe('an account that delegates (EIP-7702) to a wallet which refuses its plain signature', () => {
  const refusing = async (): Promise<Hex> => {
    const [address, delegate] = [newAccount(), newAccount()]
    await user.client.setCode({ address: delegate, bytecode: contractWallet.deployedBytecode })
    await user.client.setCode({ address, bytecode: `0xef0100${delegate.slice(2)}` })
    return address
  }
  const ask = async (options: object) =>
    post('/quote/v2', {
      user: await refusing(),
      tradeType: 'EXACT_INPUT',
      amount: '50000000',
      originChainId: ethereum,
      originCurrency: user.addressOf('USDT'),
      destinationChainId: rollup,
      destinationCurrency: stack.currencyOn(rollup, 'USDC'),
      recipient: newAccount(),
      usePermit: true,
      ...options,
    })

  it('gets transactions instead of permits that could never work', async () => {
    const { status, body } = await ask({})
    const kinds = body.steps.map(({ id, kind }: SignatureStep) => [id, kind])
    expect([status, kinds]).toEqual([
      200,
      [
        ['approve', 'transaction'],
        ['deposit', 'transaction'],
      ],
    ])
  })

  it('cannot have another account send its payment', async () => {
    expect(await ask({ depositFeePayer: newAccount() })).toMatchObject({
      status: 400,
      body: { errorCode: 'UNSUPPORTED_EXECUTION_TYPE' },
    })
  })
})

type Call = Readonly<{ to: Hex; data: Hex }>

describe('a contract wallet', () => {
  const owner = privateKeyToAccount(users[1].privateKey)
  const refused = { status: 400, body: { errorCode: 'PERMIT_FAILED' } }

  /** A contract wallet of `owner` that holds some USDC. */
  async function deployWallet(amount: bigint): Promise<Hex> {
    const { client } = user
    const nonce = await client.getTransactionCount({ address: owner.address })
    await user.send(owner, null, encodeDeployData({ ...contractWallet, args: [owner.address] }))
    const wallet = getContractAddress({ from: owner.address, nonce: BigInt(nonce) })
    const args = [wallet, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await user.send(owner, user.addressOf('USDC'), data)
    return wallet
  }

  it('pays by Permit2 with its own signature (ERC-1271) after one approval', async () => {
    const amount = 50_000_000n
    const [wallet, recipient] = [await deployWallet(2n * amount), newAccount()]
    const { status, body } = await post('/quote/v2', {
      user: wallet,
      recipient,
      tradeType: 'EXACT_INPUT',
      amount: `${amount}`,
      originChainId: ethereum,
      originCurrency: user.addressOf('USDC'),
      destinationChainId: rollup,
      destinationCurrency: stack.currencyOn(rollup, 'USDC'),
      usePermit: true,
    })
    const [approve, authorize] = body.steps as [{ items: { data: Call }[] }, SignatureStep]
    expect([status, body.steps.map(({ id }: SignatureStep) => id)]).toEqual([
      200,
      ['approve', 'authorize1'],
    ])
    for (const { data } of approve.items) {
      const args = [data.to, data.data] as const
      const { abi } = contractWallet
      const executed = encodeFunctionData({ abi, functionName: 'execute', args })
      await user.send(owner, wallet, executed)
    }
    const { sign, post: order } = (authorize.items[0] as SignatureItem).data
    const signed = (by: typeof owner): Promise<Hex> =>
      by.signTypedData({ ...sign, message: sign.value } as never)
    const hand = (signature: Hex, change = {}) =>
      post(`${order.endpoint}?signature=${signature}`, { ...order.body, ...change })
    const signature = await signed(owner)
    // The currency itself asks no contract for a signature. Nobody but the owner signs for the wallet.
    expect(await hand(signature, { kind: 'eip3009' })).toMatchObject(refused)
    expect(await hand(await signed(user.account))).toMatchObject(refused)
    expect(await hand(signature)).toMatchObject({ status: 200 })

    const { requestId } = authorize
    await vi.waitFor(
      async () => expect(await statusOf(requestId)).toMatchObject({ status: 'success' }),
      { ...patience, interval: 200 },
    )
    expect(await user.balanceOf('USDC', wallet)).toBe(amount)
    expect(await user.client.getBalance({ address: wallet })).toBe(0n)
    expect(await heldOn([rollup, 'USDC'], recipient)).toBe(BigInt(body.details.currencyOut.amount))
    const [deposit, ...others] = await stack.store.depositsOf(requestId)
    expect([deposit?.depositor, others]).toEqual([wallet.toLowerCase(), []])
  })
})
