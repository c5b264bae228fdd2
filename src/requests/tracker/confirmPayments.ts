import { encodeFunctionData, erc20Abi, type Hash, type Hex, numberToHex } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import { readHeaderOf } from '#src/chains/read/readBlock.ts'
import type { Receipt } from '#src/chains/read/readTransaction.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import type { Deposit, DepositPayment } from '#src/requests/state/deposit.ts'
import type {
  ObservedTransaction,
  Payment,
  StoredRequest,
} from '#src/requests/state/requestState.ts'
import type { Outcome } from './decide/unitOfWork.ts'
import { spendings, type Tracked } from './read/trackedLogs.ts'

type Place = Readonly<{ account: Address; currency: Address }>

/** By how much a block has changed the balance of an account; undefined if no node tells. */
export type BalanceChange = (block: BlockId, place: Place) => Promise<bigint | undefined>

/** Gas of one read of a balance: a currency that burns gas must not delay the tracker. */
const readGas = numberToHex(300_000)

/** Reads balances before and after a block, by the blocks' hashes. A failure is no answer: the amounts are for people. */
export function createBalanceChange({ ask }: Rpc, signal?: AbortSignal): BalanceChange {
  async function balanceAt(blockHash: Hash, { account, currency }: Place): Promise<bigint> {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
    const request =
      currency === nativeAddress
        ? { method: 'eth_getBalance', params: [account, { blockHash }] }
        : { method: 'eth_call', params: [{ to: currency, data, gas: readGas }, { blockHash }] }
    const answer = await ask(request, (answered) => answered as Hex, signal)
    if (answer === undefined || answer === '0x') throw new Error('No balance')
    return BigInt(answer)
  }
  return async (block, place) => {
    try {
      const header = await readHeaderOf({ ask }, block, signal)
      if (header === undefined) return undefined
      const [before, after] = await Promise.all([
        balanceAt(header.parentHash, place),
        balanceAt(block.hash, place),
      ])
      return after - before
    } catch {
      signal?.throwIfAborted()
      return undefined
    }
  }
}

type On = Readonly<{
  contracts: Tracked['contracts']
  wrappedNative: Address
  balanceChange: BalanceChange
}>

/** An amount that a transaction seems to have paid. */
type Claim = Place &
  Readonly<{
    hash: Hash
    amount: bigint
    /** The contract that paid it; undefined for amounts that are read from logs. */
    payer?: Address
  }>

/**
 * Leaves out payments that balances do not confirm. A currency may log other amounts than it moves, or transfers that
 * never happened, and native currency has no logs. What our contracts pay in native currency is exact.
 */
export async function confirmPayments(
  on: On,
  receipts: readonly Receipt[],
  outcomes: readonly (Outcome & Readonly<{ hash: Hash }>)[],
  {
    requests,
    deposits,
  }: Readonly<{
    requests: readonly StoredRequest[]
    deposits: readonly Deposit[]
  }>,
): Promise<ReadonlyMap<Hash, Outcome>> {
  const { router, depository } = on.contracts
  const claimsOf = (
    hash: Hash,
    payer: Address,
    currency: Address | undefined,
    payments: readonly DepositPayment[] = [],
  ): readonly Claim[] =>
    currency === undefined || currency === nativeAddress
      ? []
      : payments.map(({ recipient, amount }) => ({
          hash,
          account: evmAddress(recipient),
          currency,
          amount,
          payer,
        }))
  const ofRequest = (hash: Hash, requestId: Hash, { paid, appFees }: Payments) => {
    const request = requests.find((each) => each.requestId === requestId)
    // A fill's request may have an origin currency of another virtual machine, and pays no app fees.
    const currency = appFees && request && evmAddress(request.originCurrency)
    return {
      paid: paid ? [claimOf(hash, paid)] : [],
      appFees: claimsOf(hash, router, currency, appFees),
    }
  }
  const ofDeposit = (hash: Hash, depositId: string, payments: readonly DepositPayment[]) => {
    const deposit = deposits.find((each) => each.depositId === depositId)
    const currency = deposit && evmAddress(deposit.currency)
    return claimsOf(hash, depository, currency, payments)
  }
  const claims = outcomes.flatMap(({ hash, ofRequests = noMap, ofDeposits = noMap }) => [
    ...[...ofRequests].flatMap(([id, each]) => Object.values(ofRequest(hash, id, each)).flat()),
    ...[...ofDeposits].flatMap(([id, payments]) => ofDeposit(hash, id, payments)),
  ])
  const isConfirmed = await confirmClaims(on, receipts, claims)
  return new Map(
    outcomes.map(({ hash, ofRequests = noMap, ofDeposits = noMap, status }) => {
      const confirmed = [...ofRequests].map(([id, payments]) => {
        const { paid, appFees } = payments
        const own = ofRequest(hash, id, payments)
        return [
          id,
          {
            ...(paid && own.paid.every(isConfirmed) && { paid }),
            ...(appFees && own.appFees.every(isConfirmed) && { appFees }),
          },
        ] as const
      })
      const left = [...ofDeposits].filter(([id, payments]) =>
        ofDeposit(hash, id, payments).every(isConfirmed),
      )
      return [hash, { status, ofRequests: new Map(confirmed), ofDeposits: new Map(left) }]
    }),
  )
}

/** A top-up of native currency adds to an output in native currency. */
const claimOf = (hash: Hash, { recipient, currency, amount, topup }: Payment): Claim => ({
  hash,
  account: evmAddress(recipient),
  currency: evmAddress(currency),
  amount: currency === nativeAddress ? amount + (topup ?? 0n) : amount,
})

type Payments = Pick<ObservedTransaction, 'paid' | 'appFees'>

const noMap: ReadonlyMap<never, never> = new Map<never, never>()

/** Returns whether balances confirm a claim, together with all claims of its account, currency and block. */
async function confirmClaims(
  on: On,
  receipts: readonly Receipt[],
  claims: readonly Claim[],
): Promise<(claim: Claim) => boolean> {
  const blockOf = ({ hash }: Claim) => receipts.find((each) => each.hash === hash)?.block
  const groups = Map.groupBy(
    claims,
    (claim) => `${blockOf(claim)?.hash}:${claim.account}:${claim.currency}`,
  )
  const checked = [...groups.values()].map(async (group) => {
    const [first] = group
    const block = first && blockOf(first)
    const change =
      first === undefined || block === undefined ? undefined : await on.balanceChange(block, first)
    if (change === undefined) return []
    const inBlock = receipts.filter((each) => each.block.hash === block?.hash)
    return isExplained(on, inBlock, group, change) ? group : []
  })
  const confirmed = new Set((await Promise.all(checked)).flat().map(claimKey))
  return (claim) => confirmed.has(claimKey(claim))
}

const claimKey = ({ hash, account, currency }: Claim): string => `${hash}:${account}:${currency}`

/** Whether the claims of one place make up the change of its balance, or all its logs do, the claims among them. */
function isExplained(
  { wrappedNative }: On,
  receipts: readonly Receipt[],
  claims: readonly Claim[],
  change: bigint,
): boolean {
  const [place] = claims
  if (place === undefined) return false
  const { account, currency } = place
  const sum = sumOf(claims)
  if (currency === nativeAddress)
    return change === sum - sumOf(receipts.filter(({ from }) => from === account).map(costOf))
  if (change === sum) return true
  const logged = (some: readonly Receipt[]) => sumOf(some.map(changeIn({ wrappedNative }, place)))
  const left = receipts.flatMap((each) => spendings({ wrappedNative }, each))
  const isLogged = ({ hash, amount, payer }: Claim) => {
    if (payer === undefined) return logged(receipts.filter((each) => each.hash === hash)) === amount
    const at = left.findIndex(
      (each) =>
        each.txHash === hash &&
        each.currency === currency &&
        each.account === payer &&
        each.recipient === account &&
        each.amount === amount,
    )
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  return claims.every(isLogged) && change === logged(receipts)
}

/** By how much a transaction has changed a balance, as its logs tell. */
const changeIn =
  ({ wrappedNative }: Pick<On, 'wrappedNative'>, { account, currency }: Place) =>
  (receipt: Receipt) => {
    const changes = spendings({ wrappedNative }, receipt).map((each) => {
      const isWrap = currency === wrappedNative && each.currency === nativeAddress
      if (each.currency !== currency && !isWrap) return 0n
      const arrived = isWrap ? each.account === account : each.recipient === account
      const left = !isWrap && each.account === account
      return (arrived ? each.amount : 0n) - (left ? each.amount : 0n)
    })
    return { amount: changes.reduce((sum, each) => sum + each, 0n) }
  }

const sumOf = (amounts: readonly Readonly<{ amount: bigint }>[]): bigint =>
  amounts.reduce((sum, { amount }) => sum + amount, 0n)

const costOf = ({ cost }: Receipt) => ({ amount: cost })
