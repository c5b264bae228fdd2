import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, numberToHex } from 'viem'
import { type Address, evmAddress, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { users } from '#src/devnet/accounts.ts'
import type { Step } from '#src/protocol/step.ts'
import { ownSteps } from '#src/requests/progress.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import type { Wallet } from '#test/support/wallets/wallet.ts'
import { createAddressPayments } from './addressPayments.ts'
import { createMultiInputRig } from './multiInputRig.ts'
import { signAndStore } from './signedPayment.ts'
import { ethereum, type Place, rollup, type SolverRig } from './solverRig.ts'

const kinds = ['single', 'plain', 'strict', 'open', 'permit', 'multi-input'] as const

/** A kind of request, with the options that change who is paid. */
export type RequestKind = Readonly<{
  kind: (typeof kinds)[number]
  symbol: 'ETH' | 'USDC'
  /** In basis points, each for a recipient of its own. */
  appFees: readonly bigint[]
  isSponsored: boolean
  /** What the user pays above the quote, in percent. */
  surplus: bigint
  /** Value of the gas top-up; 0: none. */
  topup: Usd
}>

/** Leaves out what the kind cannot have: ether tops up no ether, a permit names its amount, several inputs have no options. */
function possible({ topup, ...each }: RequestKind): RequestKind {
  const none = toUsd(0n)
  if (each.kind === 'permit') return { ...each, symbol: 'USDC', surplus: 0n, topup }
  if (each.kind === 'multi-input') return { ...each, appFees: [], isSponsored: false, topup: none }
  return { ...each, topup: each.symbol === 'ETH' ? none : topup }
}

const optionsOf = (kind: RequestKind['kind']): fc.Arbitrary<RequestKind> =>
  fc
    .record({
      kind: fc.constant(kind),
      symbol: fc.constantFrom('ETH', 'USDC'),
      appFees: fc.array(fc.bigInt(1n, 200n), { maxLength: 2 }),
      isSponsored: fc.boolean(),
      surplus: fc.constantFrom(0n, 1n, 70n, 300n),
      topup: fc.constantFrom(toUsd(0n), toUsd(2_000_000n)),
    })
    .map(possible)

/** One request of each kind, each with options of its own. */
export const oneOfEachKind: fc.Arbitrary<readonly RequestKind[]> = fc.tuple(...kinds.map(optionsOf))

/** A request that was quoted and paid for. */
export type PaidRequest = Readonly<{
  of: RequestKind
  quoted: SolverRequest
  /** What each account has paid, without gas. */
  paid: readonly Readonly<{ payer: Address; amount: bigint }>[]
  /** Recipients of the app fees. */
  apps: readonly Address[]
}>

const wholeOf = { ETH: 5n * 10n ** 16n, USDC: 200n * 10n ** 6n } as const

/** Quotes requests of all kinds from the first chain of a bridging rig to the second, and pays for them. */
export function createKindsOfRequest(rig: SolverRig) {
  const addresses = createAddressPayments(rig)
  const multiInput = createMultiInputRig(rig)
  const addressOf = ({ address }: Wallet): Address => toAddress(address.toLowerCase())

  async function quote(of: RequestKind, apps: readonly Address[]): Promise<SolverRequest> {
    const from: Place = [ethereum, of.symbol]
    const to: Place = [rollup, of.symbol]
    const amount = wholeOf[of.symbol]
    const recipient = newAccount()
    if (of.kind === 'multi-input')
      return multiInput.quote(
        [amount, 2n * amount].map((each) => [...from, each] as const),
        to,
        {
          recipient,
        },
      )
    return rig.quote(from, to, {
      amount,
      recipient,
      refundTo: newAccount(),
      disableOriginSwaps: true,
      appFees: of.appFees.map((fee, at) => ({
        recipient: apps[at] ?? nativeAddress,
        fee: toBps(fee),
      })),
      explicitDeposit: of.kind !== 'plain',
      ...(of.isSponsored && { sponsorship: {} }),
      ...(of.topup > 0n && { topup: of.topup }),
      ...(of.kind === 'permit' && { permit: { kind: 'eip3009' as const } }),
      ...((of.kind === 'strict' || of.kind === 'open') && { useDepositAddress: true }),
      isOpen: of.kind === 'open',
    })
  }

  /** Executes steps with another amount in the place of the quoted one. */
  async function execute(
    { steps, symbol, by }: Readonly<{ steps: readonly Step[]; symbol: string; by: Wallet }>,
    quoted: bigint,
    amount: bigint,
  ): Promise<void> {
    const currency = rig.currencyOf([ethereum, symbol]).address
    const [{ data } = fail()] = steps.at(-1)?.items ?? []
    if (currency !== nativeAddress && data.to !== currency) {
      const args = [data.to, amount] as const
      const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
      await by.call(ethereum, { to: currency, data: approve })
    }
    const { status } = await by.call(ethereum, {
      to: data.to,
      data: data.data.replace(wordOf(quoted), wordOf(amount)),
      value: data.value > 0n ? amount : 0n,
    })
    if (status !== 'success') throw new Error('The payment reverted')
  }

  /** Returns what each account paid. */
  async function pay(of: RequestKind, quoted: SolverRequest): Promise<PaidRequest['paid']> {
    const more = (amount: bigint) => (amount * (100n + of.surplus)) / 100n
    const { depositAddress } = quoted
    const amount = more(quoted.amountIn)
    if (depositAddress !== undefined) {
      await addresses.pay([ethereum, of.symbol], evmAddress(depositAddress), amount)
      return [{ payer: addressOf(rig.stranger), amount }]
    }
    if (of.kind === 'permit') {
      await signAndStore(rig, quoted)
      return [{ payer: users[0].address, amount: quoted.amountIn }]
    }
    const paid: { payer: Address; amount: bigint }[] = []
    for (const [at, { user, depositAmount }] of quoted.inputs.entries()) {
      const by = user === addressOf(rig.stranger) ? rig.stranger : rig.wallet
      const { first, last } = ownSteps(quoted, at)
      const steps = quoted.steps.slice(first, last + 1)
      await execute({ steps, symbol: of.symbol, by }, depositAmount, more(depositAmount))
      paid.push({ payer: addressOf(by), amount: more(depositAmount) })
    }
    return paid
  }

  return {
    async make(of: RequestKind): Promise<PaidRequest> {
      const apps = of.appFees.map(newAccount)
      const quoted = await quote(of, apps)
      return { of, quoted, paid: await pay(of, quoted), apps }
    },

    /** The request that its deposits belong to: for an open address that of its payment. */
    async paying({ of, quoted }: PaidRequest): Promise<SolverRequest> {
      if (of.kind !== 'open') return rig.outcome(quoted.requestId)
      const [payment = fail()] = await addresses.payments(quoted, 1)
      return rig.outcome(payment.requestId)
    },
  }
}

const wordOf = (amount: bigint): string => numberToHex(amount, { size: 32 }).slice(2)

function fail(): never {
  throw new Error('The request has none')
}
