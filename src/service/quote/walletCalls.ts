import { numberToHex } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import type { QuotedStep } from '#src/service/quotedSteps.ts'

/**
 * The transactions of a quote as a wallet takes them in one batch, with quantities as 0x and hexadecimal digits.
 * @source EIP-5792, `wallet_sendCalls`
 */
export type WalletCalls = Readonly<{
  from: Account
  chainId: `0x${string}`
  calls: readonly Readonly<{ to: Account; data: `0x${string}`; value: `0x${string}` }>[]
}>

/** `undefined` if a step needs a signature, or is on an svm chain. All transactions of a single quote are of one account on one chain. */
export const walletCallsOf = (steps: readonly QuotedStep[]): WalletCalls | undefined =>
  batchesOf(steps)?.[0]

/**
 * One batch for each account and chain, in the order of the steps. `undefined` if a step needs a signature, or is on an
 * svm chain, whose wallets know no such batches.
 */
export function batchesOf(steps: readonly QuotedStep[]): readonly WalletCalls[] | undefined {
  if (steps.some(({ signature, svmItem }) => (signature ?? svmItem) !== undefined)) return undefined
  const transactions = steps.flatMap(({ items }) => items.map(({ data }) => data))
  const batches = Map.groupBy(transactions, ({ from, chainId }) => `${from} ${chainId}`)
  return [...batches.values()].flatMap((batch) => {
    const [first] = batch
    if (first === undefined) return []
    const calls = batch.map(({ to, data, value }) => ({ to, data, value: numberToHex(value) }))
    return [{ from: first.from, chainId: numberToHex(first.chainId), calls }]
  })
}
