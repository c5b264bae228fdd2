import fc from 'fast-check'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { DepositPayment } from '#src/requests/state/deposit.ts'
import { transactionOf } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { lyingCurrency } from '#test/support/artifacts/lyingCurrency.ts'
import {
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { isLong } from '#test/support/runs.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
  for (const { id } of rig.config.chains)
    rig.solve(id, { limits: { ...rig.config.solver, settleAfterSeconds: 1 } })
  const { address } = rig.currencyOf([ethereum, 'USDC'])
  await rig.wallet
    .clientOn(ethereum)
    .setCode({ address: evmAddress(address), bytecode: lyingCurrency.deployedBytecode })
})
afterAll(() => rig.stop())

const kinds = ['fill', 'refund'] as const
const isRefusing = fc.boolean()

/** A request, and which of those who are paid on the origin chain refuse it. */
const kindOfRequest = fc.record({
  end: fc.constantFrom(...kinds),
  symbol: fc.constantFrom('ETH', 'USDC'),
  /** The app fees, in basis points. */
  appFees: fc.array(fc.record({ share: fc.bigInt(1n, 200n), isRefusing }), { maxLength: 2 }),
  hasTopup: fc.boolean(),
  isRefusingRefund: isRefusing,
})
type Kind = Parameters<Parameters<(typeof kindOfRequest)['map']>[0]>[0]

const amounts = { ETH: 5n * 10n ** 16n, USDC: 200n * 10n ** 6n } as const

/** Makes an account refuse payments in the currency on the origin chain. */
async function refuse(symbol: Kind['symbol'], account: Address): Promise<void> {
  if (symbol === 'ETH') {
    await rig.wallet.clientOn(ethereum).setCode({ address: account, bytecode: '0x5f5ffd' })
    return
  }
  const { abi } = lyingCurrency
  const data = encodeFunctionData({ abi, functionName: 'lieAbout', args: [account, 5] })
  await rig.stranger.call(ethereum, { to: rig.currencyOf([ethereum, 'USDC']).address, data })
}

type Made = Readonly<{ kind: Kind; quoted: SolverRequest; apps: readonly Address[] }>

async function make(kind: Kind): Promise<Made> {
  const { end, symbol, appFees, hasTopup, isRefusingRefund } = kind
  const apps = appFees.map(newAccount)
  const quoted = await rig.quote([ethereum, symbol], [rollup, symbol], {
    amount: amounts[symbol],
    recipient: newAccount(),
    refundTo: newAccount(),
    disableOriginSwaps: true,
    appFees: appFees.map(({ share: fee }, at) => ({
      recipient: apps[at] ?? nativeAddress,
      fee: toBps(fee),
    })),
    ...(hasTopup && symbol === 'USDC' && { topup: toUsd(2_000_000n) }),
    ...(end === 'refund' && { referrer: 'debug-force-refund' }),
  })
  for (const [at, app] of apps.entries()) if (appFees[at]?.isRefusing) await refuse(symbol, app)
  if (isRefusingRefund) await refuse(symbol, evmAddress(quoted.refundTo))
  await rig.deposit(quoted)
  return { kind, quoted, apps }
}

const balanceOf = ([chainId, symbol]: Place, account: Address) =>
  rig.balanceOf(rig.currencyOf([chainId, symbol]), account)

const claimableOf = (symbol: Kind['symbol'], account: Address) =>
  rig.clientOn(ethereum).readContract({
    address: rig.contractsOn(ethereum).depository,
    abi: depositoryArtifact.abi,
    functionName: 'claimable',
    args: [evmAddress(rig.currencyOf([ethereum, symbol]).address), account],
  })

/** The amounts that an account was paid, or refused, out of the deposits. */
async function shownOf({ requestId }: SolverRequest, account: Address) {
  const deposits = await rig.store.depositsOf(requestId)
  const sum = (payments: readonly DepositPayment[]) =>
    payments.reduce((all, each) => (each.recipient === account ? all + each.amount : all), 0n)
  return {
    known: deposits.every(({ paid }) => paid !== undefined),
    paid: sum(deposits.flatMap(({ paid = [] }) => paid)),
    unpaid: sum(deposits.flatMap(({ unpaid = [] }) => unpaid)),
  }
}

async function expectReceived({ kind, quoted, apps }: Made): Promise<void> {
  const { end, symbol } = kind
  const { state } = await rig.outcome(quoted.requestId)
  expect([kind, state.status]).toEqual([kind, end === 'fill' ? 'success' : 'refund'])
  const paid = transactionOf(state.fill)?.paid
  expect(paid?.amount ?? 0n).toBe(await balanceOf([rollup, symbol], evmAddress(quoted.recipient)))
  if (symbol === 'USDC')
    expect(paid?.topup ?? 0n).toBe(await balanceOf([rollup, 'ETH'], evmAddress(quoted.recipient)))
  for (const account of [...apps, quoted.refundTo])
    expect({ kind, ...(await shownOf(quoted, evmAddress(account))) }).toEqual({
      kind,
      known: true,
      paid: await balanceOf([ethereum, symbol], evmAddress(account)),
      unpaid: await claimableOf(symbol, evmAddress(account)),
    })
  if (end === 'fill') return
  const refund = transactionOf(state.refunds?.[0])?.paid
  expect(refund?.amount).toBe(await balanceOf([ethereum, symbol], evmAddress(quoted.refundTo)))
  expect(refund?.claimable ?? 0n).toBe(await claimableOf(symbol, evmAddress(quoted.refundTo)))
}

it('shows what fills, top-ups, refunds and app fees have paid as balances have it, refused payments apart', async () => {
  const requests = fc.array(kindOfRequest, { minLength: 8, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(requests, async (some) => {
      const made: Made[] = []
      for (const kind of some) made.push(await make(kind))
      for (const { quoted } of made) await rig.outcome(quoted.requestId)
      await rig.passSettlement(ethereum)
      await vi.waitFor(async () => {
        for (const { quoted } of made)
          for (const { status } of await rig.store.depositsOf(quoted.requestId))
            expect(status).toMatch(/settled|refunded/)
      }, patience)
      for (const each of made) await expectReceived(each)
    }),
    { numRuns: isLong ? 20 : 2, endOnFailure: true },
  )
})
