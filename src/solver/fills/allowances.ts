import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import type { TransactionCall } from '#src/execution/calls/transactionCall.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { estimateGas } from '#src/solver/sending/estimateGas.ts'
import type { Fees } from '#src/solver/sending/fees.ts'
import type { Draft, Outbox } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import type { Address } from '#src/units/address.ts'

/** What the approval proxy may take of the solver's currencies. */
export type Allowances = Readonly<{
  /** Whether it may take `amount`: where not, an approval is sent, unless one is on its way. */
  allows: (currency: Address, amount: bigint, view: ChainView, fees: Fees) => Promise<boolean>
  /** A fill failed: what is known of the allowance may be wrong. */
  forget: (currency: Address) => void
}>

export function createAllowances(
  { client, log }: Pick<SolverDeps, 'client' | 'log'>,
  { chain, contracts, solver }: SolverChain,
  outbox: Outbox,
): Allowances {
  const spender = contracts.approvalProxy
  /** At the least: fills use it up, and it is read again where they ask for more. */
  const known = new Map<Address, bigint>()
  /** Approvals that were sent since the view was read. */
  const sentAt = new Map<Address, bigint>()

  const read = (currency: Address) =>
    client.readContract({
      address: currency,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [solver, spender],
    })

  const approve = (currency: Address, amount: bigint): TransactionCall => ({
    to: currency,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
    value: 0n,
  })

  async function send(currency: Address, view: ChainView, fees: Fees): Promise<void> {
    // Some currencies change an allowance that is not 0 only to 0: that comes first, and the rest at the next look.
    for (const amount of [maxUint256, 0n]) {
      const call = approve(currency, amount)
      const estimate = await estimateGas(client, solver, call)
      if (estimate.kind !== 'gas') continue
      const transactionId = `approval:${currency}:${view.head.hash}`
      const draft: Draft = {
        transactionId,
        purpose: 'approval',
        depositIds: [],
        spends: [],
        call,
        gas: estimate.gas,
      }
      await outbox.send(draft, fees, (transaction) => ({ transactions: [transaction] }))
      sentAt.set(currency, view.head.number)
      log.info({ chainId: chain.id, currency }, 'The approval proxy is allowed to spend a currency')
      return
    }
    log.error({ chainId: chain.id, currency }, 'A currency of the solver’s refuses every approval')
  }

  return {
    async allows(currency, amount, view, fees) {
      if ((known.get(currency) ?? 0n) >= amount) return true
      const isOnItsWay = view.open.some(
        ({ transactionId, status }) =>
          transactionId.startsWith(`approval:${currency}:`) && status === 'sent',
      )
      const allowed = await read(currency)
      known.set(currency, allowed)
      if (allowed >= amount) return true
      if (isOnItsWay || sentAt.get(currency) === view.head.number) return false
      await send(currency, view, fees)
      return false
    },
    forget: (currency) => void known.delete(currency),
  }
}
