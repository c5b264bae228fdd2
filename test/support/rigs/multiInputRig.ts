import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import { priceMulti } from '#src/pricing/priceMulti.ts'
import { ownSteps } from '#src/requests/state/ownSteps.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { newAccount } from '#test/support/chains/newAccount.ts'
import type { Place, SolverRig } from './solverRig.ts'

/** Far longer than a test takes: time is up when the test says so. */
const fundingSeconds = 100_000

type Terms = Readonly<{
  partial?: boolean
  /** Absent: all of every origin is paid in. */
  output?: bigint
  recipient?: Address
  referrer?: string
}>

/** Quotes and deposits of orders that several accounts pay for. */
export function createMultiInputRig(rig: SolverRig) {
  const users = [rig.wallet, rig.stranger].map((wallet) => ({
    wallet,
    address: toAddress(wallet.address),
  }))

  return {
    users: users.map(({ address }) => address),

    /** The request as it is once it is stored; its users take turns, and each input is refunded to an account of its own. */
    async quote(
      origins: readonly (readonly [...Place, amount: bigint])[],
      to: Place,
      { partial = false, output, recipient = newAccount(), referrer }: Terms = {},
    ): Promise<SolverRequest> {
      await rig.settled()
      const order: MultiOrder = {
        user: rig.wallet.address as Address,
        recipient,
        origins: origins.map(([chainId, symbol, amount], at) => ({
          user: users[at % users.length]?.address as Address,
          refundTo: newAccount(),
          currency: rig.currencyOf([chainId, symbol]),
          amount: toAmount(amount),
        })),
        destination: rig.currencyOf(to),
        ...(output !== undefined && { output: toAmount(output) }),
        originGasOverhead: 0n,
        txs: [],
      }
      const snapshot = rig.market.snapshot(rig.config.chains.map(({ id }) => id))
      // Tests move the chains' clocks.
      const timestamps = [...snapshot.chains.values()].map(({ block }) => Number(block.timestamp))
      const funding = { depositDeadline: Math.max(...timestamps) + fundingSeconds, partial }
      const priced = priceMulti(order, snapshot)
      return rig.find(await rig.quoting(priced, snapshot, { request: { referrer }, funding }))
    },

    /** Does what the steps of one input say: the receipt of its deposit. */
    deposit(request: SolverRequest, input: number) {
      const { first, last } = ownSteps(request, input)
      const user = users.find(({ address }) => address === request.inputs[input]?.user)
      if (user === undefined) throw new Error('It has no wallet here')
      return rig.deposit({ steps: request.steps.slice(first, last + 1) }, user.wallet)
    },

    /** Has the chain come to where the request's deposits are too late, deep enough to count. */
    async end({ funding }: SolverRequest, chainId: ChainId): Promise<void> {
      const blocks = 1 + rig.chainOf(chainId).depositConfirmations
      await rig.mineAt(chainId, BigInt(funding?.depositDeadline ?? 0) + 1n, blocks)
    },
  }
}
