import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createWalletClient,
  custom,
  defineChain,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  type WalletClient,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { codeBlocks } from '#test/support/clients/documents.ts'
import { createGaslessUser } from '#test/support/gateways/gaslessUser.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { patience } from '#test/support/patience.ts'
import { type Atomicity, createBatchingWallet } from '#test/support/wallets/batchingWallet.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

type Quote = { requestId: Hex; steps: { name: string; items: { data: object }[] }[] }
type Sent = { requestId: Hex; chainId: number; txHash: Hex }
type SendBatch = (
  quote: Quote,
  wallet: WalletClient,
  report: (sent: Sent) => Promise<unknown>,
) => Promise<boolean>
type Status = {
  status: string
  inTxHashes: Hex[]
  steps: { name: string; items: { status: string; transaction: { hash: Hex } | null }[] }[]
}

const [origin, destination] = [990001, 990002]
const quoteDocument = `query ($input: QuoteInput!) { quote(input: $input) {
  requestId steps { name items { data { to data value chainId } } } } }`
const indexDocument = `mutation ($requestId: RequestId!, $chainId: ChainId!, $txHash: Hex!) {
  indexTransaction(requestId: $requestId, chainId: $chainId, txHash: $txHash) }`
const statusDocument = `query ($requestId: RequestId!) { requestStatus(requestId: $requestId) {
  status inTxHashes steps { name items { status transaction { hash } } } } }`

describe('the batch of docs/frontends.md', () => {
  const directory = mkdtempSync(join(tmpdir(), 'batches-'))
  let stack: Stack
  let sendBatch: SendBatch
  beforeAll(async () => {
    const block = codeBlocks('ts', ['docs/frontends.md']).find(({ text }) =>
      text.includes('sendCalls'),
    )
    const file = join(directory, 'sendBatch.ts')
    writeFileSync(file, block?.text ?? '')
    ;[stack, { sendBatch }] = await Promise.all([
      startStack({}, ['gateway', 'tracker', 'solver']),
      import(file) as Promise<{ sendBatch: SendBatch }>,
    ])
  })
  afterAll(async () => {
    await stack?.stop()
    rmSync(directory, { recursive: true })
  })

  const ask = async <Data>(document: string, variables: object): Promise<Data> => {
    const { data, errors } = await stack.query(document, variables)
    expect(errors).toBeUndefined()
    return data as Data
  }

  /** A new user with 100 USDC and gas, its wallet, and a quote for 50 USDC. */
  async function prepare(atomic: Atomicity) {
    const user = await createGaslessUser(stack, origin, { USDC: 100_000_000n })
    await user.client.setBalance({ address: user.account.address, value: 10n ** 18n })
    const chain = stack.config.chains.find(({ id }) => id === origin)
    const multicall3 = (chain?.multicall3 ?? '0x') as Hex
    const provider = createBatchingWallet(user.account, user.client, { atomic, multicall3 })
    const wallet = createWalletClient({
      account: user.account.address,
      chain: defineChain({
        id: origin,
        name: 'Devnet',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [] } },
      }),
      transport: custom(provider),
      pollingInterval: 100,
    })
    const { quote } = await ask<{ quote: Quote }>(quoteDocument, {
      input: {
        user: user.account.address,
        recipient: newAccount(),
        originChainId: origin,
        originCurrency: user.addressOf('USDC'),
        destinationChainId: destination,
        destinationCurrency: stack.currencyOn(destination, 'USDC'),
        amount: '50000000',
        tradeType: 'EXACT_INPUT',
      },
    })
    expect(quote.steps.map(({ name }) => name)).toEqual(['APPROVE', 'DEPOSIT'])
    return { user, provider, wallet, quote }
  }
  const report = (sent: Sent) => ask(indexDocument, sent)

  const statusOf = async ({ requestId }: Quote) =>
    (await ask<{ requestStatus: Status }>(statusDocument, { requestId })).requestStatus

  async function untilFinal(quote: Quote): Promise<Status> {
    await vi.waitUntil(
      async () => /^(success|failure|refund)$/.test((await statusOf(quote)).status),
      { ...patience, interval: 200 },
    )
    return statusOf(quote)
  }

  it.each<[Atomicity, number]>([
    ['supported', 1],
    ['ready', 1],
    ['unsupported', 2],
  ])(
    'approves, deposits and is filled if atomic is %s, in %i transactions',
    async (atomic, count) => {
      const { user, provider, wallet, quote } = await prepare(atomic)
      expect(await sendBatch(quote, wallet, report)).toBe(true)
      const { status, inTxHashes, steps } = await untilFinal(quote)
      expect(status).toBe('success')
      const [sent] = [...provider.batches.values()]
      expect(sent?.isAtomic).toBe(count === 1)
      expect(sent?.hashes).toHaveLength(count)
      expect(inTxHashes).toEqual([sent?.hashes.at(-1)])
      expect(steps[1]?.items[0]?.transaction?.hash).toBe(sent?.hashes.at(-1))
      expect(await user.balanceOf('USDC')).toBe(50_000_000n)
    },
  )

  it('leaves the steps to the caller if the wallet has no batches', async () => {
    const { user, wallet, quote } = await prepare(undefined)
    expect(await sendBatch(quote, wallet, report)).toBe(false)
    expect((await statusOf(quote)).status).toBe('waiting')
    expect(await user.balanceOf('USDC')).toBe(100_000_000n)
  })

  it.each<[Atomicity, boolean]>([
    ['supported', false],
    ['unsupported', true],
  ])(
    'fails if the deposit reverts; with atomic %s the approval stays: %s',
    async (atomic, stays) => {
      const { user, wallet, quote } = await prepare(atomic)
      const { data } = (quote.steps[0]?.items[0] ?? {}) as { data?: { data: Hex } }
      const spender = `0x${data?.data.slice(34, 74)}` as Hex
      // The deposit needs more than the account holds by then.
      await user.send(user.account, user.addressOf('USDC'), transferAll(newAccount()))
      const sent = sendBatch(quote, wallet, report)
      await expect(sent).rejects.toThrow('The wallet did not complete the batch.')
      const allowance = await user.client.readContract({
        address: user.addressOf('USDC'),
        abi: erc20Abi,
        functionName: 'allowance',
        args: [user.account.address, spender],
      })
      expect(allowance > 0n).toBe(stays)
      expect((await statusOf(quote)).status).toBe('waiting')
    },
  )
})

const transferAll = (to: Hex): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 100_000_000n] })
