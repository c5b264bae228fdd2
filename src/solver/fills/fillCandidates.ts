import { readCode } from '#src/chains/read/readAuthority.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mayDelegate } from '#src/core/units/authorization.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { advance } from '#src/requests/machine.ts'
import type { FillTerms } from '#src/requests/quotedRequest.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { type Deposit, isMined, type MinedDeposit } from '#src/requests/state/deposit.ts'
import { fundingDepositIds } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { isReverted } from '#src/requests/state/solverTransaction.ts'
import { type PaidRequest, withParents } from '#src/solver/depository/settlementPayouts.ts'
import type { Exposed } from '#src/solver/deposits/readyCandidates.ts'
import { currentAttempt } from '#src/solver/sending/outbox.ts'

/** A request without a pending fill. */
export type Candidate = Readonly<{
  request: SolverRequest
  /** The request of the open deposit address that it pays. */
  parent?: SolverRequest | undefined
  /** All deposits that fund it. */
  deposits: readonly MinedDeposit[]
  exposed?: Exposed
  /** Number of its fills that were signed and had no effect. */
  tries: number
  /** Set once a fill of the request reverted in a final block. */
  reverted: RevertedFill | undefined
  /** Authorizations that the fill must apply; `stale` if the chain would skip one. Absent: none, or not yet read. */
  authorizations?: FillTerms['authorizationList'] | 'stale' | undefined
  /** Whether the recipient has a token account for the currency of the order. Absent: it needs none. */
  hasTokenAccount?: boolean
}>

/** The outcome of the fills of a request that reverted in final blocks. */
type RevertedFill = Readonly<{
  /** Gas cost of these fills, in wei. */
  cost: Amount
  /** Whether a second and last fill may pay the recipient without the order's calls. */
  maySkipCalls: boolean
}>

type Ports = Readonly<{
  store: RequestStore
  /** Milliseconds since 1970. */
  now: () => number
}>

/** The outcome of the fills of a request, by what the chain's virtual machine lets them do. */
export type RevertsOf = (
  request: SolverRequest,
  fills: readonly SolverTransaction[],
) => Promise<RevertedFill | undefined>

/** Reads the deposits and earlier fills of requests. Leaves out those that have a fill or lack a deposit. */
export function createFillCandidates({ store, now }: Ports, revertsOf: RevertsOf) {
  async function candidateOf(
    { request, parent }: PaidRequest,
    known: ReadonlyMap<string, Deposit>,
  ): Promise<Candidate | undefined> {
    const deposits = creditedOf(request, known)
    if (deposits === undefined) return undefined
    const transactions = await store.transactionsOf(request.requestId)
    const fills = transactions.filter(({ purpose }) => purpose === 'fill')
    const underWay = fills.find(({ status }) => status !== 'reverted')
    if (underWay === undefined) {
      // A reorg may have undone a deposit meanwhile: the request waits until a block includes it again.
      if (!deposits.every(isMined)) return undefined
      const reverted = await revertsOf(request, fills)
      return { request, parent, deposits, tries: fills.length, reverted }
    }
    // A reorg has undone the fill: the same transaction is sent again, and no second one is created.
    if (underWay.status === 'sent') {
      const event = { type: 'fillSent', transaction: currentAttempt(underWay) } as const
      const state = advance(request, event, now())
      if (state !== request.state) await store.save({ requests: [{ ...request, state }] })
    }
    return undefined
  }

  return async (requests: readonly SolverRequest[]): Promise<readonly Candidate[]> => {
    const found = await store.findDeposits(requests.flatMap(fundingDepositIds))
    const known = new Map(found.map((each) => [each.depositId, each]))
    const paid = await withParents(store, requests)
    const candidates = await Promise.all(paid.map((each) => candidateOf(each, known)))
    return candidates.filter((each) => each !== undefined)
  }
}

/** The chains of all inputs, including missed ones: a block of their chain proved that they were missed. */
export const originChainIdsOf = ({ inputs }: SolverRequest): readonly ChainId[] => [
  ...new Set(inputs.map(({ chainId }) => chainId)),
]

/** The deposits of a request; undefined while an input is open or a deposit is not credited. */
function creditedOf(
  request: SolverRequest,
  known: ReadonlyMap<string, Deposit>,
): readonly Deposit[] | undefined {
  if (request.state.inputStates.some(({ status }) => status === 'open')) return undefined
  const depositIds = fundingDepositIds(request)
  const deposits = depositIds.flatMap((depositId) => known.get(depositId) ?? [])
  const isCredited = deposits.every(({ status }) => status === 'credited')
  return isCredited && deposits.length > 0 && deposits.length === depositIds.length
    ? deposits
    : undefined
}

/**
 * The cost of the reverted fills, and whether a second fill may skip the order's calls. It may after one reverted fill
 * of an order with calls, if the recipient is a wallet. A wallet refuses no payment, so the calls caused the revert.
 * Undefined if no fill has reverted.
 */
export async function revertedFillOf(
  client: Rpc,
  { order, recipient }: SolverRequest,
  fills: readonly SolverTransaction[],
): Promise<RevertedFill | undefined> {
  const reverted = fills.filter(isReverted)
  const [first] = reverted
  if (first === undefined) return undefined
  const cost = toAmount(reverted.reduce((sum, { failedCost = 0n }) => sum + failedCost, 0n))
  const isFirst = reverted.length === 1 && first.failedCost !== undefined
  const maySkipCalls =
    isFirst && order.output.calls.length > 0 && (await isWallet(client, evmAddress(recipient)))
  return { cost, maySkipCalls }
}

/** Whether an account has no code, or only an EIP-7702 delegation. */
const isWallet = async (client: Rpc, account: Address): Promise<boolean> =>
  mayDelegate({ code: await readCode(client, account) })
