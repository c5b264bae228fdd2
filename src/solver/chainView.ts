import type { ReadFinal } from '#src/chains/follow/finality.ts'
import { countAt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Header, parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import { RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { AccountChain, SolverMarket, WorkerChain } from './ports.ts'

type OpenPorts = Readonly<{ store: RequestStore; market: SolverMarket }>
type Ports = OpenPorts & Readonly<{ client: ChainClient; readFinal: ReadFinal }>

/** The state of a chain of any virtual machine at the start of one round of the solver. */
export type WorkView = Readonly<{
  head: Pick<Header, 'number' | 'timestamp'>
  /** Stored transactions of the account that are not final or not in the market's block yet, sorted by nonce. */
  open: readonly SolverTransaction[]
  /** Height of the last final block; -1 while none is known. Read once, at the first call. */
  finalHeight: () => Promise<bigint>
}>

/** The state of an EVM chain. */
export type ChainView = WorkView &
  Readonly<{
    head: Header
    /** Transaction counts of the account: mined, and including its transactions in the mempool. */
    nonces: Readonly<{ mined: number; pending: number }>
  }>

export async function readView(
  { client, store, market, readFinal }: Ports,
  { chain, solver }: AccountChain,
): Promise<ChainView> {
  const head = await client.ask(latest, parseHeader)
  if (head === undefined) throw new RpcUnavailableError(chain)
  const [mined, pending, open] = await Promise.all([
    countAt(client, solver, 'latest'),
    countAt(client, solver, 'pending'),
    readOpen({ store, market }, { chain, solver }, head),
  ])
  let finalHeight: Promise<bigint> | undefined
  return {
    head,
    nonces: { mined, pending: Math.max(mined, pending) },
    open,
    finalHeight: () => {
      finalHeight ??= readFinal(head.number).then((final) => final?.number ?? -1n)
      return finalHeight
    },
  }
}

/** Reads the present value of `ChainView.open` from the store. */
export async function readOpen(
  { store, market }: OpenPorts,
  { chain, solver }: WorkerChain,
  head: WorkView['head'],
): Promise<readonly SolverTransaction[]> {
  const marketHeight = market.latest(chain.id)?.block.number ?? head.number
  const open = await store.openTransactions(chain.id, marketHeight)
  return open
    .filter(({ account }) => account === solver)
    .toSorted((one, other) => one.nonce - other.nonce)
}

/** The market of all chains; undefined if one of `chainIds` has no current market. */
export function currentMarket(
  market: SolverMarket,
  chainIds: readonly ChainId[],
): Market | undefined {
  try {
    return market.snapshot(chainIds)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
