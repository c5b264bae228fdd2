import { type Hex, toFunctionSelector } from 'viem'
import { solver } from '#src/devnet/accounts.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import type { Ledger, Move } from './ledger.ts'
import type { World } from './world.ts'

const purposes = ['fills', 'refunds', 'settlements', 'others', 'reverted'] as const
type Purpose = (typeof purposes)[number]

/** The solver's gas costs, in US dollars. */
export type SolverGas = Readonly<Record<Purpose, number>>

const selectorsOf = (name: 'refund' | 'settle'): ReadonlySet<Hex> =>
  new Set(
    depository.abi.flatMap((item) =>
      item.type === 'function' && item.name === name ? [toFunctionSelector(item)] : [],
    ),
  )
const refunds = selectorsOf('refund')
const settlements = selectorsOf('settle')

type Heights = ReadonlyMap<number, bigint>

export async function readHeights(world: World): Promise<Heights> {
  const heights = world.devnet.description.chains.map(
    async ({ id }) => [id, await world.on(id).getBlockNumber()] as const,
  )
  return new Map(await Promise.all(heights))
}

/** Reads the solver's transactions from the blocks since these heights. Those that a reorg removed cost nothing. */
export async function readSolverGas(
  world: World,
  ledger: Ledger,
  since: Heights,
  moves: readonly Move[] = [],
): Promise<SolverGas> {
  const spent: Record<Purpose, number> = {
    fills: 0,
    refunds: 0,
    settlements: 0,
    others: 0,
    reverted: 0,
  }
  for (const [id, from] of since) {
    const client = world.on(id)
    const { approvalProxy } = world.contractsOn(id)
    const purposeOf = (to: string | null, input: Hex): Purpose => {
      if (to?.toLowerCase() === approvalProxy) return 'fills'
      const selector = input.slice(0, 10) as Hex
      if (refunds.has(selector)) return 'refunds'
      return settlements.has(selector) ? 'settlements' : 'others'
    }
    const head = await client.getBlockNumber()
    for (let blockNumber = from + 1n; blockNumber <= head; blockNumber += 1n) {
      const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
      for (const { from: sender, to, input, hash } of transactions) {
        if (sender.toLowerCase() !== solver.address) continue
        const { gasUsed, effectiveGasPrice, status } = await client.getTransactionReceipt({ hash })
        const purpose = status === 'success' ? purposeOf(to, input) : 'reverted'
        spent[purpose] += ledger.worthOfNative(id, gasUsed * effectiveGasPrice, moves)
      }
    }
  }
  return spent
}

/** The sum of several days. */
export const addGas = (days: readonly SolverGas[]): SolverGas => {
  const sum = (purpose: Purpose) => days.reduce((total, each) => total + each[purpose], 0)
  return {
    fills: sum('fills'),
    refunds: sum('refunds'),
    settlements: sum('settlements'),
    others: sum('others'),
    reverted: sum('reverted'),
  }
}
