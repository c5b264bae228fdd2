import { expect } from 'vitest'
import type { BlockId } from '#src/chains/chainEvent.ts'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { type BlockHash, evmHash, type TxId } from '#src/core/units/txId.ts'
import { mayFollow } from '#src/requests/machine.ts'
import type { QuotedRequest, RequestInput } from '#src/requests/quotedRequest.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { initialState, type StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { decide } from '#src/requests/tracker/decide/decide.ts'
import { isEmptyBatch } from '#src/requests/tracker/decide/unitOfWork.ts'
import { createFollowedBlocks, processedUntil } from '#src/requests/tracker/followedBlocks.ts'
import { noEvents } from '#src/requests/tracker/read/readEvents.ts'
import { hashOf } from '#test/support/fixtures/observedTransactions.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'

export const confirmations = 2
export const until = 60
export const one = toAddress(`0x${'0'.repeat(39)}1`)
export const two = toAddress(`0x${'0'.repeat(39)}2`)
export const stranger = toAddress(`0x${'0'.repeat(39)}3`)
export const currency = nativeAddress
export const another = toAddress(`0x${'0'.repeat(39)}9`)
export const [first, second] = [toChainId(990001), toChainId(990002)]
const orderId = hashOf(77)
const requestId = hashOf(78)

/** A deposit that a transaction makes. */
export type ModelDeposit = Readonly<{
  name: number
  depositor: typeof one
  currency: typeof one
  amount: bigint
}>
type Block = Readonly<{
  number: bigint
  hash: `0x${string}`
  timestamp: bigint
  deposits: readonly ModelDeposit[]
  /** The solver’s transactions in this block. */
  runs: readonly TxId[]
}>

const inputOf = (chainId: ChainId, user: typeof one, least: bigint): RequestInput => ({
  chainId,
  user,
  refundTo: user,
  currency,
  depositCurrency: currency,
  amount: toAmount(least + 5n),
  depositAmount: toAmount(least + 5n),
  leastDeposit: toAmount(least),
  payoutAmount: toAmount(least),
  settlement: toAmount(0n),
  surplusBps: toBps(0n),
})

/** Two inputs of one user in one currency, one of another user, and one on another chain. */
export const inputs = [
  inputOf(first, one, 100n),
  inputOf(first, one, 60n),
  inputOf(first, two, 100n),
  inputOf(second, one, 10n),
]

/** The store of one request with deposits on two chains. */
export function createMultiInputModel() {
  const drawn = quotedRequest(requestId)
  if (drawn.execution !== 'solver') throw new Error('Not what the solver fills')
  const [approve, deposit] = drawn.steps
  if (approve === undefined || deposit === undefined) throw new Error('No steps')
  const quoted: QuotedRequest = {
    ...drawn,
    orderId,
    inputs,
    funding: { depositDeadline: until, partial: true },
    steps: inputs.flatMap(() => [approve, deposit]),
  }
  let request: StoredRequest = { ...quoted, state: initialState(quoted), version: 1 }
  const deposits = new Map<string, Deposit>()
  const transactions = new Map<string, SolverTransaction>()

  /** Saves all of the batch or nothing, like the store. */
  function save({ requests = [], deposits: put = [], removedDeposits = [], ...rest }: Batch) {
    const isStale =
      requests.some(({ version }) => version !== request.version) ||
      [...put, ...removedDeposits].some(
        ({ depositId, version }) => (deposits.get(depositId)?.version ?? 0) !== version,
      )
    if (isStale) return 'conflict'
    for (const changed of requests) {
      expect(changed.state.seq).toBe(request.state.seq + 1)
      expect(mayFollow(request.state.status, changed.state.status)).toBe(true)
      request = changed
    }
    if (requests.length > 0) request = { ...request, version: request.version + 1 }
    for (const { depositId } of removedDeposits) deposits.delete(depositId)
    for (const each of put) deposits.set(each.depositId, { ...each, version: each.version + 1 })
    for (const each of rest.transactions ?? [])
      transactions.set(each.transactionId, { ...each, version: each.version + 1 })
    return 'saved'
  }

  return {
    request: () => request,
    deposits: () => [...deposits.values()],
    transactions: () => [...transactions.values()],
    save,
    chain: (chainId: ChainId) =>
      createChain(chainId, {
        stored: () => {
          const here = [...transactions.values()].filter((each) => each.chainId === chainId)
          const closing = new Set(here.flatMap(({ depositIds }) => depositIds))
          return {
            deposits: [...deposits.values()].filter(
              (each) => each.chainId === chainId || closing.has(each.depositId),
            ),
            requests: [request],
            transactions: here,
            payments: [...transactions.values()],
            outcomes: new Map(),
          }
        },
        save,
      }),
  }
}

type Store = Readonly<{
  stored: () => Parameters<typeof decide>[0]
  save: (batch: Batch) => 'saved' | 'conflict'
}>

/** A chain that is followed into the store, block by block. `begin` decides first and saves later. */
function createChain(chainId: ChainId, { stored, save }: Store) {
  const name = (number: number) => hashOf(chainId * 10_000 + number)
  let made = 0
  const start: Block = { number: 0n, hash: name(0), timestamp: 0n, deposits: [], runs: [] }
  const chain: Block[] = [start]
  let followed = createFollowedBlocks(start)
  let unread: readonly Block[] = []
  const rules = { id: chainId, depositConfirmations: confirmations, fillConfirmations: 3 }
  const readUpTo = (block: BlockId<BlockHash>) => {
    const [lowest] = unread
    return lowest === undefined ? block : { ...block, number: lowest.number - 1n }
  }

  const eventsIn = (blocks: readonly Block[]) => ({
    ...noEvents,
    runs: blocks.flatMap(({ runs, number, hash }) =>
      runs.map((run) => ({ hash: evmHash(run), block: { number, hash } })),
    ),
    deposits: blocks.flatMap(({ deposits, timestamp, number, hash }) =>
      deposits.map(({ name: of, amount, ...rest }, logIndex) => ({
        ...rest,
        amount: toAmount(amount),
        orderId,
        chainId,
        txHash: name(5_000 + of),
        depositId: `${chainId}:${of}`,
        timestamp: Number(timestamp),
        record: { index: 0, exitTime: 1_000_000 },
        block: { number, hash },
        logIndex,
      })),
    ),
  })

  function decideNow(read = unread) {
    const seen = {
      followed,
      events: eventsIn(read),
      // Blocks that are being read count as unread until their events are saved.
      processedUntil: processedUntil(followed, { readUpTo }, confirmations),
    }
    return decide(stored(), seen, { rules, at: 1 }).batch
  }

  /** Decides and saves until no conflict occurs. */
  function reconcile(): void {
    while (save(decideNow()) === 'conflict');
    unread = []
    expect(isEmptyBatch(decideOnlyOpen())).toBe(true)
  }
  /** Reading the last block may close the chain’s funding, which is saved too. After that, nothing may change. */
  function decideOnlyOpen() {
    for (let times = 0; times < 2; times += 1) save(decideNow())
    return decideNow()
  }

  function push(block: Block): void {
    followed.push(block)
    unread = [...unread, block]
  }

  return {
    chainId,
    reconcile,
    /** Decides before the events of the latest blocks are read. */
    reconcileUnread: () => void save(decideNow([])),
    /** Decides now. The returned function saves the decision later, after other chains may have saved. */
    begin: () => {
      const batch = decideNow()
      return () => {
        if (save(batch) === 'conflict') reconcile()
        unread = []
      }
    },
    mine: (deposits: readonly ModelDeposit[], seconds = 1, runs: readonly TxId[] = []) => {
      const held = new Set(chain.flatMap((block) => block.deposits.map((each) => each.name)))
      made += 1
      const before = chain.at(-1) ?? start
      const block: Block = {
        number: before.number + 1n,
        hash: name(made),
        timestamp: before.timestamp + BigInt(seconds),
        deposits: deposits.filter((each) => !held.has(each.name)),
        runs: runs.filter((run) => !chain.some((each) => each.runs.includes(run))),
      }
      chain.push(block)
      push(block)
    },
    reorg: (depth: number) => {
      const gone = chain.splice(Math.max(1, chain.length - depth)).reverse()
      const hashes = new Set(gone.map(({ hash }) => hash))
      unread = unread.filter(({ hash }) => !hashes.has(hash))
      followed.undo(gone)
      reconcile()
    },
    restart: () => {
      followed = createFollowedBlocks(start)
      unread = []
      for (const block of chain.slice(1)) push(block)
      reconcile()
    },
    held: () => eventsIn(chain).deposits,
  }
}
