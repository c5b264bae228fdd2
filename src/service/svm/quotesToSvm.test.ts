import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { evmAddress } from '#src/core/units/address.ts'
import { type Pubkey, pubkeyBytes } from '#src/core/units/svm/pubkey.ts'
import { encodeSteps } from '#src/gateway/rest/bodies/stepBody.ts'
import type { SvmReads } from '#src/market/svm/svmReads.ts'
import { accountSizes } from '#src/protocol/svm/accounts.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { multiInput } from '#src/service/input/multiInput.ts'
import { multiInputQuote } from '#src/service/quote/multiInputQuote.ts'
import { account, destinationChain, originChain } from '#test/support/fixtures/markets.ts'
import { client, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { sol, svmAccount, svmChain, svmUsdc } from '#test/support/fixtures/svmMarket.ts'
import { createSvmQuoteDeps } from '#test/support/fixtures/svmQuoteDeps.ts'
import { evmUser, quoteOf, refundTo, toSvm, usdc, user } from '#test/support/fixtures/svmQuotes.ts'

async function multiToSvm(svm?: SvmReads) {
  const { deps, stored } = createSvmQuoteDeps(svm && { svm })
  const input = multiInput.parse({
    user: evmUser,
    recipient: refundTo,
    origins: [{ chainId: originChain, currency: toSvm.originCurrency, amount: '100000000' }],
    destinationCurrency: svmUsdc.address,
    destinationChainId: svmChain,
    tradeType: 'EXACT_INPUT',
  })
  const answer = await multiInputQuote(deps, input, loaders, client)
  await answer.steps()
  return { answer, stored: stored[0] }
}

/** A chain on which the recipient's token account exists, and belongs to `owner`. */
function readsWithTokens(owner: Pubkey): SvmReads {
  const { svm } = createSvmQuoteDeps().deps
  const data = new Uint8Array(accountSizes.token)
  data.set(pubkeyBytes(svmUsdc.address))
  data.set(pubkeyBytes(owner), 32)
  data[108] = 1
  const found = { owner: programIds.token, data, lamports: 2_039_280n, executable: false }
  const at = associatedTokenAddress(refundTo, svmUsdc.address)
  return {
    ...svm,
    accounts: async (_, asked) => asked.map((each) => (each === at ? found : undefined)),
  }
}

describe('a quote to an svm chain', () => {
  it('hashes the bytes of its accounts, and names no router', async () => {
    const { steps, answer, stored } = await quoteOf(toSvm)
    const protocol = await answer.protocol()
    expect(protocol?.orderData.output).toMatchObject({
      chainId: 'devnet-solana',
      calls: [],
      extraData: `0x${'0'.repeat(64)}`,
      payments: [{ recipient: refundTo, currency: svmUsdc.address }],
    })
    expect(steps.map(({ id, svmItem }) => [id, svmItem])).toEqual([
      ['approve', undefined],
      ['deposit', undefined],
    ])
    expect(stored).toMatchObject({ user: evmUser, refundTo: evmUser, recipient: refundTo })
    expect((await answer.warnings()).map(({ code }) => code)).not.toContain('RECIPIENT_IS_CONTRACT')
  })

  it.each([
    ['a single quote', (svm?: SvmReads) => quoteOf(toSvm, svm && { svm })],
    ['a multi-input quote', multiToSvm],
  ] as const)('%s charges no rent for a token account that exists', async (_, quoted) => {
    const gasOf = async (owner?: Pubkey) => {
      const { answer, stored } = await quoted(owner && readsWithTokens(owner))
      if (stored?.execution !== 'solver') throw new Error('not filled by the solver')
      const { currencyOut, fees } = answer
      const { hasTokenAccount } = stored.fill
      return { hasTokenAccount, usd: fees.relayerGas.usd ?? 0n, out: currencyOut.amount }
    }
    const [missing, existing] = [await gasOf(), await gasOf(refundTo)]
    // The rent of a token account, 2,039,280 lamports at $0.25 for a SOL, in millionths of a dollar.
    const reserved = await gasOf(svmAccount(9))
    expect(missing.usd - existing.usd).toBeGreaterThanOrEqual(509n)
    expect(existing.out).toBeGreaterThan(missing.out)
    expect(existing.hasTokenAccount).toBe(true)
    // Its owner has given the account to another one.
    expect(reserved).toEqual(missing)
    expect(missing.hasTokenAccount).toBeUndefined()
  })

  it('counts on no token account for an open deposit address, or if no node answers', async () => {
    const open = { ...toSvm, useDepositAddress: true, refundTo: evmUser }
    const svm = readsWithTokens(refundTo)
    const outage = { ...svm, accounts: () => Promise.reject(new AppError('RPC_HTTP_ERROR', '')) }
    const contracts = new Map(
      [...createSvmQuoteDeps().deps.contracts].map(([id, each]) => [
        id,
        { ...each, depositAddressFactory: evmAddress(account('f')) },
      ]),
    )
    const quotes = [await quoteOf(open, { svm, contracts }), await quoteOf(toSvm, { svm: outage })]
    for (const { stored } of quotes) {
      if (stored?.execution !== 'solver') throw new Error('not filled by the solver')
      expect(stored.fill.hasTokenAccount).toBeUndefined()
    }
  })

  it('pays SOL for bridged SOL', async () => {
    const { answer } = await quoteOf({ ...toSvm, destinationCurrency: sol.address })
    expect(answer.currencyOut.currency).toEqual(sol)
    expect(answer.currencyOut.amount).toBeGreaterThan(0n)
  })
})

it('a multi-input quote has a step of each machine', async () => {
  const { deps, stored } = createSvmQuoteDeps()
  const input = multiInput.parse({
    user: evmUser,
    origins: [
      { chainId: originChain, currency: toSvm.originCurrency, amount: '100000000' },
      { chainId: svmChain, currency: svmUsdc.address, amount: '50000000', user },
    ],
    destinationCurrency: usdc.address,
    destinationChainId: destinationChain,
    tradeType: 'EXACT_INPUT',
  })
  const answer = await multiInputQuote(deps, input, loaders, client)
  const steps = await encodeSteps(await answer.steps())
  expect(
    steps.map(({ id, items }) => [
      id,
      ...items.map(({ data, check }) => ['instructions' in data, check !== undefined]),
    ]),
  ).toEqual([
    ['approve', [false, false]],
    ['deposit', [false, false]],
    ['deposit', [true, true]],
  ])
  const [request] = stored
  if (request?.execution !== 'solver') throw new Error('no order')
  expect(request.inputs.map((each) => [each.chainId, each.user, each.refundTo])).toEqual([
    [originChain, evmUser, evmUser],
    [svmChain, user, user],
  ])
})
