import type { Hash } from 'viem'
import { callContracts } from '#src/chains/read/callContracts.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Address } from '#src/core/units/address.ts'
import { amountForUsdDown } from '#src/core/units/usd.ts'
import {
  allowanceRead,
  amountIn,
  balanceRead,
  permitsIn,
  type QuotedPermits,
} from '#src/protocol/permits/permitCall.ts'
import {
  permitMemoryMs,
  permitsBlockedUntil,
  type RevertedPermit,
} from '#src/requests/permitStore.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { OwnChain, SolverLimits, SolverMarket } from '#src/solver/ports.ts'

/** A permit whose transaction is sent, or would be. */
export type PermitUse = Readonly<{
  payer: Address
  currency: Address
  amount: bigint
  /** Whether Permit2 transfers the currency. */
  usesAllowance: boolean
  /** Whether its transaction also sets the payer's allowance for Permit2. */
  setsAllowance: boolean
  /** Maximum cost of its transaction, in wei. */
  maxCost: bigint
}>

/** A sent permit that the balances do not reflect yet. `isUsed`: a block has its nonce, and no deposit was seen yet. */
type SentPermit = PermitUse & Readonly<{ isUsed: boolean }>

/** What the payer has at the newest block. `allowance`: for Permit2. */
export type Holding = Readonly<{ balance: bigint; allowance: bigint }>

/** Why a permit is not sent now. `otherPermit`: another permit of the payer comes first. */
type Hindrance = 'blocked' | 'otherPermit' | 'balance' | 'allowance' | 'budget'

/** Decides which permits may be sent, and counts those that are. */
type PermitBudget = Readonly<{
  hindranceOf: (use: PermitUse, holding: Holding) => Hindrance | undefined
  add: (use: PermitUse) => void
}>

type Facts = Readonly<{
  sent: readonly SentPermit[]
  reverts: readonly RevertedPermit[]
  /** Permits of each payer that took effect on the chain in the last day. Each has paid for its gas. */
  paid: ReadonlyMap<Address, number>
  /** Maximum gas, in wei, that permits of payers without a paid one may burn within an hour. */
  maxLoss: bigint
  /** Unix milliseconds. */
  now: number
}>

/** Sent permits of one payer at a time, however many it has paid. */
const maxSentPerPayer = 16
const hourMs = 3_600_000

/**
 * A permit's transaction reverts at the solver's cost if the money has left by then: the payer can move it in the same
 * block, after every check. So the number of a payer's sent permits is limited to one more than it has paid, and the
 * gas that unknown payers together can burn is limited for each hour. Sent permits count against balance and allowance.
 */
export function createPermitBudget({ sent, reverts, paid, maxLoss, now }: Facts): PermitBudget {
  const all: SentPermit[] = [...sent]
  const isUnknown = (payer: Address) => (paid.get(payer) ?? 0) === 0
  const burned = sum(reverts.filter(({ at }) => at > now - hourMs).map(({ cost }) => cost))
  const atRisk = () => sum(all.flatMap(({ payer, maxCost }) => (isUnknown(payer) ? [maxCost] : [])))

  return {
    hindranceOf(use, { balance, allowance }) {
      const { payer, currency, amount } = use
      if (permitsBlockedUntil(reverts.filter((each) => each.payer === payer)) > now)
        return 'blocked'
      const own = all.filter((each) => each.payer === payer)
      const maxSent = Math.min(1 + (paid.get(payer) ?? 0), maxSentPerPayer)
      if (own.length >= maxSent || own.some(({ isUsed }) => isUsed)) return 'otherPermit'
      const alike = own.filter((each) => each.currency === currency)
      const byAllowance = alike.filter(({ usesAllowance }) => usesAllowance)
      if (use.usesAllowance && [use, ...byAllowance].some((each) => each.setsAllowance))
        if (byAllowance.length > 0) return 'otherPermit'
      if (balance - amountOf(alike) < amount) return 'balance'
      const needsAllowance = use.usesAllowance && !use.setsAllowance
      if (needsAllowance && allowance - amountOf(byAllowance) < amount) return 'allowance'
      const lost = burned + atRisk()
      // One may always be sent, also where it alone costs more.
      return isUnknown(payer) && lost > 0n && lost + use.maxCost > maxLoss ? 'budget' : undefined
    },
    add: (use) => void all.push({ ...use, isUsed: false }),
  }
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)
const amountOf = (uses: readonly PermitUse[]) => sum(uses.map(({ amount }) => amount))

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

type Ports = Readonly<{
  store: RequestStore
  market: SolverMarket
  /** Milliseconds since 1970. */
  now: () => number
}>

/** Reads from the store what the permits of a chain have cost and paid, also before this process. */
export function createReadPermitBudget(
  { store, market, now }: Ports,
  { chain }: OwnChain,
  { maxRevertedPermitsUsd }: SolverLimits,
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

const payerOf = ({ payer }: Readonly<{ payer: Address }>) => payer
