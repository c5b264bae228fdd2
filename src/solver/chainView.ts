import { numberToHex } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Header, parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import { RpcRefusedError, RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { Address } from '#src/units/address.ts'
import type { SolverChain, SolverDeps } from './solverDeps.ts'

/** A chain as the solver finds it when it looks. */
export type ChainView = Readonly<{
  head: Header
  /** How many transactions of the account blocks hold, and how many with those that wait to be in one. */
  nonces: Readonly<{ mined: number; pending: number }>
  /** What it wrote ahead that is not settled, by nonce; what the market's block does not show yet included. */
  open: readonly SolverTransaction[]
  /** The last block that can no longer be undone: by the chain's own word, else by depth. Asked for once. */
  final: () => Promise<bigint>
}>

export async function readView(
  { client, store, market }: Pick<SolverDeps, 'client' | 'store' | 'market'>,
  { chain, solver }: SolverChain,
): Promise<ChainView> {
  const head = await client.ask(latest, parseHeader)
  if (head === undefined) throw new RpcUnavailableError(chain)
  const shown = market.latest(chain.id)?.block.number ?? head.number
  const [mined, pending, open] = await Promise.all([
    countAt(client, solver, 'latest'),
    countAt(client, solver, 'pending'),
    store.openTransactions(chain.id, shown),
  ])
  const own = open.filter(({ account }) => account === solver)
  let final: Promise<bigint> | undefined
  return {
    head,
    nonces: { mined, pending: Math.max(mined, pending) },
    open: own.toSorted((one, other) => one.nonce - other.nonce),
    final: () => {
      final ??= finalNumber(client, head, chain.finalityDepth)
      return final
    },
  }
}

const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
const finalized = { method: 'eth_getBlockByNumber', params: ['finalized', false] }

/** Of the account's transactions, in blocks up to the one named. */
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

async function finalNumber(
  client: ChainClient,
  head: Header,
  finalityDepth: number,
): Promise<bigint> {
  const final = await client.ask(finalized, parseHeader).catch(orUndefinedIfRefused)
  return final?.number ?? head.number - BigInt(finalityDepth)
}

/** Not every chain knows the tag. */
function orUndefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof RpcRefusedError)) throw error
}
