import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import type { Account } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { tokensIn } from '#src/protocol/svm/accounts.ts'
import { sweepCall } from '#src/protocol/svm/depository/depositCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import type { WatchedAddress } from '#src/requests/addressStore.ts'
import type { SweepCandidate } from '#src/solver/sweeps/sweepCandidates.ts'
import { createSweepLoop } from '#src/solver/sweeps/sweepLoop.ts'
import type { SvmOutbox } from './svmOutbox.ts'
import type { SvmSolverChain, SvmSolverPorts } from './svmPorts.ts'
import { simulateFailure } from './svmSimulation.ts'
import type { SvmView } from './svmView.ts'

/** Nonce accounts that sweeps leave to fills. */
const reservedForFills = 4

/** Sweeps the deposit addresses of a Solana chain: a currency in each transaction. */
export function createSvmSweeps(
  ports: SvmSolverPorts,
  solverChain: SvmSolverChain,
  outbox: SvmOutbox,
): (view: SvmView) => Promise<void> {
  const { client, log, market } = ports
  const { chain, solver, program } = solverChain

  async function readBalances(candidates: readonly SweepCandidate[]) {
    const holders = candidates.map(({ watched: { address }, currencies }) =>
      currencies.map((currency) => {
        const [owner, mint] = [toPubkey(address), toPubkey(currency)]
        return { mint, at: mint === svmNative ? owner : associatedTokenAddress(owner, mint) }
      }),
    )
    const { accounts } = await client.getAccounts(
      holders.flat().map(({ at }) => at),
      'finalized',
    )
    const found = accounts.values()
    return holders.map((each) =>
      each.flatMap(({ mint }) => {
        const account = found.next().value
        const amount = mint === svmNative ? (account?.lamports ?? 0n) : tokensIn(account, mint)
        return amount > 0n ? [{ currency: mint, amount: toAmount(amount) }] : []
      }),
    )
  }

  async function sweep(
    { requestId, orderId, depositor, address }: WatchedAddress,
    [currency]: readonly Account[],
    { head }: SvmView,
  ): Promise<'done' | 'refused'> {
    const gas = market.latest(chain.id)?.gas
    if (currency === undefined || gas?.vmType !== 'svm') return 'done'
    if (outbox.free() <= reservedForFills) return 'done'
    const facts = { chainId: chain.id, requestId, address, currency }
    const key = {
      id: orderId,
      depositor: toPubkey(depositor),
      currency: toPubkey(currency),
      // Tells later payments apart, whose records may exist at the same time.
      nonce: head.number,
    }
    const instructions = [sweepCall(program, { ...key, sweeper: solver })]
    const { gas: units } = sizesOf(gas).sweep(currency)
    const reason = await simulateFailure(client, solver, { instructions, units })
    if (reason !== undefined) {
      log.info({ ...facts, reason }, 'A deposit address cannot be swept; will retry')
      return 'refused'
    }
    const saved = await outbox.send(
      {
        instructions,
        units,
        transactionId: `sweep:${requestId}:${head.number}`,
        purpose: 'sweep',
        requestId,
        depositIds: [],
        spends: [],
      },
      gas.microLamportsPerUnit,
      (transaction) => ({ transactions: [transaction] }),
    )
    if (saved === 'saved') log.info(facts, 'Sweeps a deposit address')
    return 'done'
  }

  return createSweepLoop<SvmView>(ports, solverChain, {
    readBalances,
    underWay: ({ open }) =>
      new Set(
        open
          .filter(({ purpose, status }) => purpose === 'sweep' && status === 'sent')
          .map(({ requestId }) => requestId),
      ),
    sweep,
  })
}
