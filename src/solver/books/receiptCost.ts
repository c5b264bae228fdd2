import { type Hex, parseTransaction } from 'viem'
import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Account, type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { decodeFill } from '#src/protocol/calls/fillCall.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { managedSwaps } from '#src/requests/tracker/read/payments.ts'
import { type Spending, spendings } from '#src/requests/tracker/read/trackedLogs.ts'
import type { SolverChain } from '#src/solver/ports.ts'
import { type Amounts, type BookPrices, canonical } from './booking.ts'
import type { ReadCost } from './books.ts'

type Contracts = Pick<SolverChain, 'contracts'>

/** Reads the costs of transactions on an EVM chain from their receipts. */
export const createReceiptCosts =
  (client: ChainClient, { contracts }: Contracts): ReadCost =>
  async (transaction, market) => {
    const { mined } = transaction
    const receipt = mined && (await readReceipt(client, evmHash(mined.hash)))
    return (
      receipt && {
        gas: receipt.cost,
        taken: takenBy(transaction, receipt, { contracts, market }),
      }
    )
  }

type Logged = Parameters<typeof spendings>[1]

/**
 * What the fill took from the solver, by currency: what it sent minus what came back. Native and wrapped native currency
 * count as one.
 */
export function takenBy(
  { account, attempts, mined, spends, purpose }: SolverTransaction,
  receipt: Logged,
  { contracts, market }: Contracts & Readonly<{ market: BookPrices['market'] }>,
): Amounts {
  const wrappedNative = evmAddress(market.chain.wrappedNative)
  const moved = spendings({ wrappedNative }, receipt)
  const attempt = attempts.find(({ hash }) => hash === mined?.hash)
  const { value = 0n, data = '0x' } = attempt === undefined ? {} : parseTransaction(attempt.raw)
  const on = { contracts, wrappedNative }
  const returned = purpose === 'fill' ? returnedNative({ value, data }, receipt, moved, on) : 0n
  // A contract of others can log any transfer to the solver.
  const counted = new Set([...spends.map(({ currency }) => currency), wrappedNative])
  const taken = new Map<Account, bigint>([[nativeAddress, value - returned]])
  for (const { account: from, recipient, currency, amount } of moved) {
    if (!counted.has(currency) || recipient === undefined || from === recipient) continue
    const key = canonical(currency, market)
    if (from === account) taken.set(key, (taken.get(key) ?? 0n) + amount)
    if (recipient === account) taken.set(key, (taken.get(key) ?? 0n) - amount)
  }
  return taken
}

/**
 * The native currency that the router gave back to the solver, of which no log tells. Only swaps in Uniswap v4 leave
 * any: what came with the fill and from wrapped currency, plus what these swaps gave and minus what they took. Of a
 * native output nothing is left.
 */
function returnedNative(
  { value, data }: Readonly<{ value: bigint; data: Hex }>,
  receipt: Logged,
  moved: readonly Spending[],
  on: Contracts & Readonly<{ wrappedNative: Address }>,
): bigint {
  const swaps = managedSwaps(on, receipt)
  if (swaps.length === 0) return 0n
  const { topup, paysNative } = decodeFill(data)
  if (paysNative) return 0n
  const { router } = on.contracts
  let held = value - topup
  for (const { account, currency, recipient, amount } of moved) {
    if (account !== router || recipient !== undefined) continue
    held += currency === on.wrappedNative ? amount : -amount
  }
  for (const [at, { address, data, logIndex }] of swaps.entries()) {
    const gain = BigInt.asIntN(128, BigInt(data.slice(0, 66)))
    const [from, to] = gain < 0n ? [router, address] : [address, router]
    const next = swaps[at + 1]?.logIndex ?? Number.POSITIVE_INFINITY
    // The transfer of an ERC-20 follows its swap.
    const isErc20 = moved.some(
      (each) =>
        each.account === from &&
        each.recipient === to &&
        logIndex < each.logIndex &&
        each.logIndex < next,
    )
    if (!isErc20) held += gain
  }
  return held > 0n ? held : 0n
}
