import type { MultiOrder } from '#src/core/pricing/order.ts'
import { priceMulti } from '#src/core/pricing/priceMulti.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { ownSteps } from '#src/requests/progress.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import type { Place, SolverRig } from './solverRig.ts'

/** Seconds until the deposit deadline: far longer than a test takes. Tests move the chain clock past it. */
const fundingSeconds = 100_000

type Terms = Readonly<{
  partial?: boolean
  /** Exact output. Absent: the order has exact inputs. */
  output?: bigint
  recipient?: Address
  referrer?: string
}>

/** Quotes orders that several accounts pay for, and makes their deposits. */
export function createMultiInputRig(rig: SolverRig) {
  const users = [rig.wallet, rig.stranger].map((wallet) => ({
    wallet,
    address: toAddress(wallet.address),
  }))

  return {
    users: users.map(({ address }) => address),

    /**
     * Quotes and stores a request. The users are assigned to inputs in rotation. Each input has its own new refund
     * address.
     */
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
      // The deadline follows the chains' clocks, which tests move.
      const timestamps = [...snapshot.chains.values()].map(({ block }) => Number(block.timestamp))
      const funding = { depositDeadline: Math.max(...timestamps) + fundingSeconds, partial }
      const priced = priceMulti(order, snapshot)
      return rig.find(await rig.quoting(priced, snapshot, { request: { referrer }, funding }))
    },

    /** Executes the steps of one input. Returns the receipt of its deposit. */
    deposit(request: SolverRequest, input: number) {
      const { first, last } = ownSteps(request, input)
      const user = users.find(({ address }) => address === request.inputs[input]?.user)
      if (user === undefined) throw new Error('It has no wallet here')
      return rig.deposit({ steps: request.steps.slice(first, last + 1) }, user.wallet)
    },

    /** Mines the chain past the request's deposit deadline, with enough blocks to confirm it. */
    async end({ funding }: SolverRequest, chainId: ChainId): Promise<void> {
      const blocks = 1 + rig.chainOf(chainId).depositConfirmations
      await rig.mineAt(chainId, BigInt(funding?.depositDeadline ?? 0) + 1n, blocks)
    },
  }
}
