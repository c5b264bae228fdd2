import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { type Pubkey, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { svmSolver } from '#src/devnet/svm/svmAccounts.ts'
import {
  fillMarkerAddress,
  vaultAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { keySigner } from '#src/protocol/svm/signer.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { nonceAccountsOf } from '#src/solver/svm/nonceAccounts.ts'
import { type Place, svmCrossings } from '#test/support/svm/svmCrossings.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

const crossings = svmCrossings()
const { ethereum, rollup, solana } = crossings

/** Every currency that the solver and the depositories get or pay. No fill swaps. */
const places: readonly Place[] = [
  [ethereum, 'ETH'],
  [ethereum, 'SOL'],
  [ethereum, 'USDC'],
  [rollup, 'ETH'],
  [rollup, 'SOL'],
  [rollup, 'USDC'],
  [solana, 'SOL'],
  [solana, 'USDC'],
]

type Order = Readonly<{ from: Place; to: Place; amount: bigint; terms?: object }>

const strict = { useDepositAddress: true, strict: true }
const refunded = { referrer: 'debug-force-refund' }

const orders: readonly Order[] = [
  { from: [ethereum, 'ETH'], to: [solana, 'SOL'], amount: 10n ** 18n },
  { from: [rollup, 'USDC'], to: [solana, 'USDC'], amount: 100_000_000n },
  { from: [solana, 'SOL'], to: [ethereum, 'SOL'], amount: 10n * 10n ** 9n },
  { from: [solana, 'USDC'], to: [rollup, 'USDC'], amount: 80_000_000n },
  { from: [solana, 'SOL'], to: [ethereum, 'SOL'], amount: 3n * 10n ** 9n, terms: refunded },
  { from: [solana, 'USDC'], to: [rollup, 'USDC'], amount: 60_000_000n, terms: refunded },
  { from: [solana, 'SOL'], to: [rollup, 'SOL'], amount: 2n * 10n ** 9n, terms: strict },
  { from: [solana, 'USDC'], to: [rollup, 'USDC'], amount: 50_000_000n, terms: strict },
]

const newOwner = (chainId: number): string =>
  chainId === solana ? keySigner(new Uint8Array(randomBytes(32))).pubkey : newAccount()

/** An order that has ended, and the accounts of its own that it paid. */
type Ended = Readonly<{
  order: Order
  orderId: `0x${string}`
  recipient: string
  refundTo: string
  deposits: readonly Deposit[]
}>

async function end(order: Order): Promise<Ended> {
  const { from, to, amount, terms } = order
  const accounts = { recipient: newOwner(to[0]), refundTo: newOwner(from[0]) }
  const { requestId, status } = await crossings.run(from, to, amount, { ...accounts, ...terms })
  const isRefunded = terms === refunded
  expect(status).toBe(isRefunded ? 'refund' : 'success')
  await crossings.depositsEnd(requestId, [isRefunded ? 'refunded' : 'settled'])
  const { orderId } = await crossings.find(requestId)
  return {
    order,
    orderId,
    ...accounts,
    deposits: await crossings.stack().store.depositsOf(requestId),
  }
}

/** What the solver and the depository of a chain hold. */
async function ownBalance(place: Place): Promise<bigint> {
  const [chainId] = place
  const { stack, balance, svmChain } = crossings
  const owners =
    chainId === solana
      ? [svmSolver.pubkey, vaultAddress(svmChain().programId)]
      : [stack().devnet.description.solver.address, stack().contractsOn(chainId).depository]
  let sum = 0n
  for (const owner of owners) sum += await balance(place, owner)
  return sum
}

const ownBalances = async () => {
  const found: bigint[] = []
  for (const place of places) found.push(await ownBalance(place))
  return found
}

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, each) => sum + each, 0n)

const isSame = ([chainId, symbol]: Place, other: Place) =>
  chainId === other[0] && symbol === other[1]

/** What the orders paid into the depository of a chain. */
const depositedIn = ([chainId, symbol]: Place, ended: readonly Ended[]): bigint => {
  const currency = crossings.stack().currencyOn(chainId, symbol)
  const deposits = ended.flatMap((each) => each.deposits)
  const own = deposits.filter((each) => each.chainId === chainId && each.currency === currency)
  return sumOf(own.map(({ amount }) => amount))
}

/** What recipients and depositors got. The accounts are new, but for the rent of the deposit addresses' tokens. */
async function paidIn(place: Place, ended: readonly Ended[]): Promise<bigint> {
  let sum = 0n
  for (const { order, recipient, refundTo } of ended) {
    if (isSame(order.to, place)) sum += await crossings.balance(place, recipient)
    if (isSame(order.from, place)) sum += await crossings.balance(place, refundTo)
  }
  return sum
}

/** The gas of the solver's transactions on an EVM chain since a block, in wei. */
async function gasSince(chainId: number, first: bigint): Promise<bigint> {
  const client = crossings.wallet().clientOn(chainId)
  const solver = crossings.stack().devnet.description.solver.address
  let spent = 0n
  for (let number = first; number <= (await client.getBlockNumber()); number += 1n) {
    const { transactions } = await client.getBlock({
      blockNumber: number,
      includeTransactions: true,
    })
    for (const { from, hash } of transactions) {
      if (from.toLowerCase() !== solver.toLowerCase()) continue
      const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
      spent += gasUsed * effectiveGasPrice
    }
  }
  return spent
}

/** The fees of the transactions that the solver has paid for on Solana since its last one, failed ones too. */
async function feesSince(slot: bigint): Promise<bigint> {
  const client = crossings.client()
  const history = await client.getHistory(svmSolver.pubkey, { slot })
  const found = await Promise.all(
    history.map(({ signature }) => client.getTransaction(signature, 'finalized')),
  )
  return sumOf(found.flatMap((each) => (each?.signers[0] === svmSolver.pubkey ? [each.fee] : [])))
}

const lamportsIn = async (accounts: readonly Pubkey[]): Promise<bigint> => {
  const { accounts: found } = await crossings.client().getAccounts(accounts, 'finalized')
  return sumOf(found.map((each) => each?.lamports ?? 0n))
}

/** Accounts that the solver has made, whose rent stays in them: marks of fills, and token accounts of payees. */
function madeBy(ended: readonly Ended[]): readonly Pubkey[] {
  const mint = toPubkey(crossings.stack().currencyOn(solana, 'USDC'))
  const { programId } = crossings.svmChain()
  const tokensOf = (place: Place, account: string) =>
    isSame(place, [solana, 'USDC']) ? [associatedTokenAddress(toPubkey(account), mint)] : []
  return ended.flatMap(({ order, orderId, recipient, refundTo }) => [
    fillMarkerAddress(programId, { solver: svmSolver.pubkey, id: orderId }),
    ...tokensOf(order.to, recipient),
    ...tokensOf(order.from, refundTo),
  ])
}

it('what the solver and the depositories lack is what others got, fees and rent: to the last unit', async () => {
  // The first order makes the solver's accounts, and its allowances.
  await end(orders[0] as Order)
  const nonceAccounts = nonceAccountsOf(svmSolver.pubkey)
  const clientOn = crossings.wallet().clientOn
  const firstBlocks = new Map<number, bigint>(
    await Promise.all(
      [ethereum, rollup].map(
        async (chainId) => [chainId, (await clientOn(chainId).getBlockNumber()) + 1n] as const,
      ),
    ),
  )
  const slot = await crossings.client().getSlot('finalized')
  const [before, nonceRent] = [await ownBalances(), await lamportsIn(nonceAccounts)]

  const ended: Ended[] = []
  for (const order of orders) ended.push(await end(order))

  const after = await ownBalances()
  const rent = (await lamportsIn(madeBy(ended))) + (await lamportsIn(nonceAccounts)) - nonceRent
  for (const [at, place] of places.entries()) {
    const [chainId, symbol] = place
    const first = firstBlocks.get(chainId)
    const gas = symbol === 'ETH' && first !== undefined ? await gasSince(chainId, first) : 0n
    const isLamports = isSame(place, [solana, 'SOL'])
    const costs = gas + (isLamports ? (await feesSince(slot)) + rent : 0n)
    const expected = depositedIn(place, ended) - (await paidIn(place, ended)) - costs
    expect([place, (after[at] ?? 0n) - (before[at] ?? 0n)]).toEqual([place, expected])
  }
})
