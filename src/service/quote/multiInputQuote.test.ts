import { describe, expect, it } from 'vitest'
import { evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, isSameCurrency } from '#src/core/units/currency.ts'
import { type MultiQuoteInput, multiInput } from '#src/service/input/multiInput.ts'
import { contracts, solver } from '#test/support/arbitraries/executionArbitrary.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
  thirdChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { chainIds, client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { contractsOn } from '#test/support/orders/multiExecution.ts'
import { multiInputQuote } from './multiInputQuote.ts'
import { batchesOf } from './walletCalls.ts'

const [user, other, recipient] = [account('1'), account('2'), account('4')]
const ether = 10n ** 18n

const originOf = (currency: Currency, amount: bigint, from?: string) => ({
  chainId: currency.chainId,
  currency: currency.address,
  amount: `${amount}`,
  ...(from !== undefined && { user: from }),
})

const destination = currencyOf(destinationChain, 'USDC')

/** Two users deposit ether and USDC on two chains for USDC on a third. */
const asked = (changes: Record<string, unknown> = {}): MultiQuoteInput =>
  multiInput.parse({
    user,
    recipient,
    origins: [
      originOf(currencyOf(thirdChain, 'USDC'), 50_000_000n, other),
      originOf(currencyOf(originChain, 'ETH'), ether),
    ],
    destinationChainId: destination.chainId,
    destinationCurrency: destination.address,
    tradeType: 'EXACT_INPUT',
    ...changes,
  })

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    ({ code, message, data }) => ({ code, message, data }),
  )

describe('multiInputQuote', () => {
  it('stores one request on the first use of an executable part, with one input for each deposit', async () => {
    const { deps, stored } = createQuoteDeps()
    const quote = await multiInputQuote(deps, asked({ referrer: 'us', partial: true }), loaders, {
      ...client,
      apiKey: 'a',
    })
    expect(stored).toEqual([])
    const [requestId, steps, deadline] = await Promise.all([
      quote.requestId(),
      quote.steps(),
      quote.depositDeadline(),
    ])
    expect(stored).toHaveLength(1)
    const [request] = stored
    if (request?.execution !== 'solver') throw new Error('The solver fills it')
    expect(request).toMatchObject({
      requestId,
      user,
      recipient,
      referrer: 'us',
      apiKey: 'a',
      tradeType: 'EXACT_INPUT',
      destinationChainId: destination.chainId,
      amountOut: quote.currencyOut.amount,
      minimumAmountOut: quote.currencyOut.minimumAmount,
      funding: { depositDeadline: 1_800_001_800, partial: true },
      deadline: 1_800_604_800,
    })
    expect(deadline).toBe(1_800_001_800)
    expect(request.inputs).toEqual(
      quote.pricedOrigins.map(({ leg: { input, output }, ...funding }) => ({
        chainId: input.currency.chainId,
        user: funding.user,
        refundTo: funding.refundTo,
        currency: input.currency.address,
        amount: input.amount,
        depositCurrency: output.currency.address,
        depositAmount: output.amount,
        leastDeposit: output.minimumAmount,
        payoutAmount: funding.payoutAmount,
        settlement: funding.settlement,
        surplusBps: funding.surplusBps,
      })),
    )
    expect(request.inputs.map(({ depositAmount }) => depositAmount)).toEqual(
      request.order.inputs.map(({ payment }) => payment.amount),
    )
    expect(request.fill.payoutAmount).toBe(quote.destination.input.amount)
    const [first] = request.inputs
    expect([request.originChainId, request.originCurrency, request.amountIn]).toEqual([
      first?.chainId,
      first?.currency,
      first?.amount,
    ])
    expect(steps.map(({ id, items: [item] }) => [id, item?.data.from, item?.data.chainId])).toEqual(
      [
        ['deposit', user, originChain],
        ['approve', other, thirdChain],
        ['deposit', other, thirdChain],
      ],
    )
    expect(await Promise.all(steps.map(({ items: [item] }) => item?.data.gas()))).toEqual([
      100_000n,
      100_000n,
      undefined,
    ])
  })

  it('does not fill partially by default', async () => {
    const { deps, stored } = createQuoteDeps()
    await (await multiInputQuote(deps, asked(), loaders, client)).steps()
    expect(stored).toMatchObject([{ funding: { partial: false } }])
  })

  it('sums the balances of all accounts in the destination currency', async () => {
    const { deps } = createQuoteDeps()
    const held = new Map([
      [other, 7_000_000n],
      [user, 3n * ether],
    ])
    const quote = await multiInputQuote(
      deps,
      asked(),
      {
        ...loaders,
        balance: async (currency, holder, blockHash) => {
          expect(blockHash).toBe(wideMarket.chains.get(currency.chainId)?.block.hash)
          return toAmount(held.get(evmAddress(holder)) ?? 0n)
        },
      },
      client,
    )
    expect(await quote.userBalance()).toBe(7_000_000n + 9_000_000_000n)
  })

  it('reads all allowances in parallel', async () => {
    const { deps } = createQuoteDeps()
    const origins = chainIds.map((id) => originOf(currencyOf(id, 'USDT'), 10_000_000n))
    const all = Promise.withResolvers<void>()
    let waiting = 0
    const quote = await multiInputQuote(
      deps,
      asked({ origins }),
      {
        ...loaders,
        allowance: async ({ currency, account: holder, spender }) => {
          expect(holder).toBe(user)
          expect(Object.values(contractsOn(currency.chainId))).toContain(spender)
          waiting += 1
          if (waiting === origins.length) all.resolve()
          await all.promise
          return toAmount(0n)
        },
      },
      client,
    )
    expect((await quote.steps()).map(({ id }) => id)).toEqual(
      origins.flatMap(() => ['approve', 'deposit']),
    )
  })

  it('refuses swaps that lose too much, and names the origins at fault', async () => {
    const { deps } = createQuoteDeps()
    const long = currencyOf(thirdChain, 'LONG')
    const origins = [
      originOf(currencyOf(originChain, 'USDC'), 1_000_000_000n),
      originOf(long, 12_000_000n * ether),
    ]
    expect(
      await errorOf(multiInputQuote(deps, asked({ origins }), loaders, client)),
    ).toMatchInlineSnapshot(`
      {
        "code": "SWAP_IMPACT_TOO_HIGH",
        "data": {
          "maxPercent": "-15.00",
          "origins": [
            1,
          ],
          "swapImpact": {
            "percent": "-39.29",
          },
        },
        "message": "Swap impact is too high: -39.29%. Swap a smaller amount, above all of origins.1.",
      }
    `)
    const lenient = createQuoteDeps({ maxSwapImpact: toBps(9_000n) })
    await multiInputQuote(lenient.deps, asked({ origins }), loaders, client)
  })

  it('needs contracts only on the chains that are paid on', async () => {
    const without = (chainId: ChainId) =>
      createQuoteDeps({
        contracts: new Map(chainIds.filter((id) => id !== chainId).map((id) => [id, contracts])),
      })
    const failed = async (chainId: ChainId, changes = {}) => {
      const { deps, stored } = without(chainId)
      const quote = await multiInputQuote(deps, asked(changes), loaders, client)
      const error = await errorOf(quote.steps())
      expect(stored).toHaveLength(error === undefined ? 1 : 0)
      return error?.data
    }
    for (const chainId of chainIds) expect(await failed(chainId)).toEqual({ chainId })
    // The USDC origin is enough for one dollar.
    const output = { tradeType: 'EXACT_OUTPUT', amount: '1000000' }
    expect(await failed(originChain, output)).toBeUndefined()
  })

  it('refuses a recipient that does not accept native currency, unless it signs a deposit itself', async () => {
    const tried: string[] = []
    const { deps } = createQuoteDeps({
      simulator: {
        ...createQuoteDeps().deps.simulator,
        wouldRevert: async ({ to, chainId }) => {
          tried.push(`${to} on ${chainId}`)
          return to !== nativeAddress
        },
      },
    })
    const native = currencyOf(destinationChain, 'ETH')
    expect(isSameCurrency(native, destination)).toBe(false)
    const toNative = { destinationCurrency: native.address }
    const refused = await multiInputQuote(deps, asked(toNative), loaders, client)
    expect(await errorOf(refused.requestId())).toMatchObject({
      code: 'INVALID_RECIPIENT',
      data: { field: 'recipient', chainId: destinationChain },
    })
    expect(new Set(tried)).toEqual(
      new Set([`${recipient} on ${destinationChain}`, `${nativeAddress} on ${destinationChain}`]),
    )
    const own = await multiInputQuote(
      deps,
      asked({ ...toNative, recipient: other }),
      loaders,
      client,
    )
    expect(await errorOf(own.requestId())).toBeUndefined()
  })

  it('simulates the order’s calls from its executor, after the solver has sent the output there', async () => {
    const callers = new Set<string>()
    const txs = [{ to: account('6'), value: '0', data: '0x1234' }]
    const { deps } = createQuoteDeps({
      simulator: {
        ...createQuoteDeps().deps.simulator,
        simulate: async (chainId, simulator) => {
          expect(chainId).toBe(destinationChain)
          expect(simulator[0]?.from).toBe(solver)
          callers.add(`${simulator.at(-1)?.from}`)
          return simulator.map(({ to }) => {
            return { succeeds: to !== account('6'), gas: 50_000n, reason: 'Closed' }
          })
        },
      },
    })
    const quote = await multiInputQuote(deps, asked({ txs }), loaders, client)
    expect(await errorOf(quote.steps())).toMatchObject({
      code: 'DESTINATION_TX_FAILED',
      message: `txs.0: the call would fail on chain ${destinationChain}: Closed`,
    })
    const { router } = contractsOn(destinationChain)
    expect([...callers]).toEqual([expect.stringMatching(/^0x/)])
    expect(callers).not.toContain(router)
  })

  it('tells what each user lacks, and has one batch for each account and chain', async () => {
    const { deps, stored } = createQuoteDeps()
    const reads = {
      ...loaders,
      balance: async () => toAmount(7n),
      allowance: async () => toAmount(7n),
    }
    const quote = await multiInputQuote(deps, asked(), reads, client)
    const issues = await Promise.all(
      quote.issues.origins.map(async ({ at, user: payer, balance, allowance }) => [
        at,
        payer,
        (await balance())?.expected,
        (await allowance())?.expected,
      ]),
    )
    expect(issues.sort()).toEqual([
      [0, other, 50_000_000n, 50_000_000n],
      [1, user, ether, undefined],
    ])
    expect(stored).toEqual([])
    expect(await quote.issues.gas()).toEqual({ reason: expect.any(String) })
    const batches = batchesOf(await quote.steps()) ?? []
    expect(
      batches.map(({ from, chainId, calls }) => [from, Number(chainId), calls.length]),
    ).toEqual([
      [user, originChain, 1],
      [other, thirdChain, 2],
    ])
  })

  it('warns if the payment of a contract wallet goes to its own address without code', async () => {
    const { deps } = createQuoteDeps()
    const readAuthorities: typeof deps.simulator.readAuthorities = async (chainId, accounts) =>
      accounts.map(() => ({ code: chainId === originChain ? '0x60' : '0x', nonce: 0 }))
    const simulator = { ...deps.simulator, readAuthorities }
    const input = asked({ recipient: user })
    const quote = await multiInputQuote({ ...deps, simulator }, input, loaders, client)
    expect((await quote.warnings()).map(({ code }) => code)).toContain('RECIPIENT_WITHOUT_CODE')
  })
})
