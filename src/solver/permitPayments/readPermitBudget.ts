import type { Hash } from 'viem'
import { callContracts } from '#src/chains/read/callContracts.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { amountForUsdDown } from '#src/core/units/usd.ts'
import { allowanceRead, amountIn, balanceRead } from '#src/protocol/permits/permitReads.ts'
import { permitsIn, type QuotedPermits } from '#src/protocol/permits/signedCall.ts'
import { permitMemoryMs } from '#src/requests/permitBlock.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import {
  createPermitBudget,
  type Holding,
  type PermitBudget,
  type PermitUse,
  type SentPermit,
} from './permitBudget.ts'

type Quoted = Readonly<{ quoted: QuotedPermits }>

export const permitUse = (
  { paying, maxCost = 0n }: QuotedPermits,
  setsAllowance: boolean,
): PermitUse => ({
  payer: paying.payer,
  currency: paying.currency,
  amount: paying.amount,
  usesAllowance: paying.kind === 'permit2',
  setsAllowance,
  maxCost,
})

/**
 * The payer's balance and its allowance for Permit2, for each permit, at a block. Undefined if the currency does not
 * answer.
 * @throws what `callContracts` throws
 */
export async function readHoldings(
  client: ChainClient,
  permits: readonly Quoted[],
  blockHash: Hash,
): Promise<readonly (Holding | undefined)[]> {
  const calls = permits.flatMap(({ quoted: { paying } }) => [
    balanceRead(paying),
    allowanceRead(paying),
  ])
  const answers = (await callContracts(client, calls, blockHash)).map(amountIn)
  return permits.map((_, at) => {
    const [balance, allowance = 0n] = answers.slice(2 * at, 2 * at + 2)
    return balance === undefined ? undefined : { balance, allowance }
  })
}

/** Reads from the store what the permits of a chain have cost and paid, also before this process. */
export function createReadPermitBudget(
  { store, market, now }: Pick<SolverDeps, 'store' | 'market' | 'now'>,
  { chain }: Pick<SolverChain, 'chain'>,
  { maxRevertedPermitsUsd }: Pick<SolverConfig['limits'], 'maxRevertedPermitsUsd'>,
): (dues: readonly Quoted[], view: ChainView) => Promise<PermitBudget> {
  /** The sent permits that the state at the head does not include. */
  async function readSent({ open, head, nonces }: ChainView): Promise<readonly SentPermit[]> {
    const isUnderWay = ({ purpose, status, mined }: SolverTransaction) =>
      purpose === 'permit' &&
      (status === 'sent' || (mined !== undefined && mined.block.number > head.number))
    const sent = open.filter(isUnderWay)
    const ids = sent.flatMap(({ requestId }) => requestId ?? [])
    const requests = ids.length === 0 ? [] : await store.findAll(ids)
    const quotedOf = new Map(requests.map(({ requestId, steps }) => [requestId, permitsIn(steps)]))
    return sent.flatMap(({ requestId = '0x', status, nonce }) => {
      const quoted = quotedOf.get(requestId)
      if (quoted === undefined) return []
      const isUsed = status === 'sent' && nonce < nonces.mined
      return [{ ...permitUse(quoted, quoted.allowance !== undefined), isUsed }]
    })
  }

  /** The hourly limit in wei; 0 without a price. */
  function maxLoss(): bigint {
    const seen = market.latest(chain.id)
    const native = seen?.chain.native
    const price = native && seen.usdPrices.get(native.address)
    return native === undefined || price === undefined
      ? 0n
      : amountForUsdDown(maxRevertedPermitsUsd, native.decimals, price)
  }

  return async (dues, view) => {
    const since = now() - permitMemoryMs
    const sent = await readSent(view)
    const payers = new Set([...dues.map(({ quoted }) => quoted.paying), ...sent].map(payerOf))
    const [reverts, paid] = await Promise.all([
      store.revertedPermits(chain.id, since),
      store.countPaidPermits(chain.id, [...payers], since),
    ])
    return createPermitBudget({ sent, reverts, paid, maxLoss: maxLoss(), now: now() })
  }
}

const payerOf = ({ payer }: Pick<PermitUse, 'payer'>) => payer
