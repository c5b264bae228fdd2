import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import type { Address } from '#src/core/units/address.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { SolverChain } from '#src/solver/ports.ts'
import { estimateGas, type Fees } from '#src/solver/sending/estimateGas.ts'
import type { Sender, UnsentTransaction } from '#src/solver/sending/outbox.ts'

/** The approval proxy's allowances for the solver's currencies. */
export type Allowances = Readonly<{
  /** Whether the allowance covers `amount`. If not, sends an approval, unless one is pending. */
  covers: (currency: Address, amount: bigint, view: ChainView, fees: Fees) => Promise<boolean>
  /** Discards the remembered allowance, after a fill failed. */
  forget: (currency: Address) => void
}>

export function createAllowances(
  { client, log }: Readonly<{ client: ChainClient; log: Log }>,
  { chain, contracts, solver }: SolverChain,
  outbox: Sender,
): Allowances {
  const spender = contracts.approvalProxy
  /** Lower bounds of the allowances. A fill that needs more reads the allowance again. */
  const known = new Map<Address, bigint>()
  /** Block of the last approval, by currency. The view of the same block does not include it. */
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
    // Some currencies can change a nonzero allowance only to 0: this round sets it to 0, the next one to the maximum.
    for (const amount of [maxUint256, 0n]) {
      const call = approve(currency, amount)
      const estimate = await estimateGas(client, solver, call, fees)
      if (estimate.kind !== 'gas') continue
      const transactionId = `approval:${currency}:${view.head.hash}`
      const unsent: UnsentTransaction = {
        transactionId,
        purpose: 'approval',
        depositIds: [],
        spends: [],
        call,
        gas: estimate.gas,
      }
      await outbox.send(unsent, fees, (transaction) => ({ transactions: [transaction] }))
      sentAt.set(currency, view.head.number)
      log.info({ chainId: chain.id, currency }, 'Approves a currency for the approval proxy')
      return
    }
    log.error({ chainId: chain.id, currency }, 'A currency of the solver rejects every approval')
  }

  return {
    async covers(currency, amount, view, fees) {
      if ((known.get(currency) ?? 0n) >= amount) return true
      const isPending = view.open.some(
        ({ transactionId, status }) =>
          transactionId.startsWith(`approval:${currency}:`) && status === 'sent',
      )
      const allowed = await read(currency)
      known.set(currency, allowed)
      if (allowed >= amount) return true
      if (isPending || sentAt.get(currency) === view.head.number) return false
      await send(currency, view, fees)
      return false
    },
    forget: (currency) => void known.delete(currency),
  }
}
