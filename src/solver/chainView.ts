import { numberToHex } from 'viem'
import type { ReadFinal } from '#src/chains/follow/finality.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Header, parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import { RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { Address } from '#src/units/address.ts'
import type { SolverChain, SolverDeps } from './solverDeps.ts'

/** The state of a chain at the start of one round of the solver. */
export type ChainView = Readonly<{
  head: Header
  /** Transaction counts of the account: in blocks, and with its transactions in the mempool. */
  nonces: Readonly<{ mined: number; pending: number }>
  /** Stored transactions of the account that are not final, or that the market's block does not include yet; by nonce. */
  open: readonly SolverTransaction[]
  /** Height of the last final block; -1 while none is known. Read once, at the first call. */
  finalHeight: () => Promise<bigint>
}>

export async function readView(
  {
    client,
    store,
    market,
    readFinal,
  }: Pick<SolverDeps, 'client' | 'store' | 'market'> & Readonly<{ readFinal: ReadFinal }>,
  { chain, solver }: SolverChain,
): Promise<ChainView> {
  const head = await client.ask(latest, parseHeader)
  if (head === undefined) throw new RpcUnavailableError(chain)
  const marketHeight = market.latest(chain.id)?.block.number ?? head.number
  const [mined, pending, open] = await Promise.all([
    countAt(client, solver, 'latest'),
    countAt(client, solver, 'pending'),
    store.openTransactions(chain.id, marketHeight),
  ])
  const own = open.filter(({ account }) => account === solver)
  let finalHeight: Promise<bigint> | undefined
  return {
    head,
    nonces: { mined, pending: Math.max(mined, pending) },
    open: own.toSorted((one, other) => one.nonce - other.nonce),
    finalHeight: () => {
      finalHeight ??= readFinal(head.number).then((final) => final?.number ?? -1n)
      return finalHeight
    },
  }
}

const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }

/** Number of the account's transactions in blocks up to the given one. */
export async function countAt(
  client: ChainClient,
  account: Address,
  block: 'latest' | 'pending' | bigint,
): Promise<number> {
  const tag = typeof block === 'bigint' ? numberToHex(block) : block
  const request = { method: 'eth_getTransactionCount', params: [account, tag] }
  const count = await client.ask(request, (answer) => Number(answer))
  if (count === undefined) throw new Error('eth_getTransactionCount has no answer')
  return count
}
