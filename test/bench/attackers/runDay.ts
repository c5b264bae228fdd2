import type { Address } from '#src/core/units/address.ts'
import { solver } from '#src/devnet/accounts.ts'
import { mineSeconds } from '#test/support/chains/sendUntilMined.ts'
import { type Actor, createActor, fund } from './actor.ts'
import { type Attack, createAttack, type Day, type Strategy } from './attack.ts'
import { type HonestResult, readOutcomes, runHonest } from './honest.ts'
import type { Ledger, Move } from './ledger.ts'
import { readHeights, readSolverGas, type SolverGas } from './solverGas.ts'
import type { Place, Trade, Trading } from './trade.ts'
import { waitFor } from './waitFor.ts'
import type { World } from './world.ts'

type StrategyResult = Readonly<{
  name: string
  runs: number
  refusals: number
  /** In US dollars. */
  gain: number
  /** The depositories' balance for it, in US dollars: open deposits, and payments that its contracts refused. */
  kept: number
  /** What honest users lose by it, or cannot trade because of it, in US dollars. */
  harm: number
}>

export type DayResult = Readonly<{
  name: string
  honest: readonly HonestResult[]
  strategies: readonly StrategyResult[]
  /** In US dollars: what the solver and the depositories hold more than before, less what they owe for open deposits. */
  solverGain: number
  gas: SolverGas
  /** In US dollars: what filled honest requests paid more than their recipients got. */
  fees: number
}>

type Bench = Readonly<{ world: World; trading: Trading; ledger: Ledger; users: readonly Actor[] }>

/** Runs a day with this many honest requests, and as many attacks; without attacks if `isQuiet`. */
export async function runDay(
  { world, trading, ledger, users }: Bench,
  day: Day,
  { count, isQuiet }: Readonly<{ count: number; isQuiet: boolean }>,
): Promise<DayResult> {
  const strategies = isQuiet ? [] : day.strategies
  const attacks = strategies.map(() => createAttack(world, trading, ledger, createActor(world)))
  await fund(
    world,
    attacks.map(({ actor }) => actor),
    { USDC: 70_000n * 10n ** 6n, USDT: 10_000n * 10n ** 6n, DAI: 10_000n * 10n ** 18n },
  )
  const accounts = [
    solver.address,
    ...world.devnet.description.chains.map(({ contracts }) => contracts.depository),
  ]
  const since = await readHeights(world)
  const held = await ledger.read(accounts)
  const before = await Promise.all(attacks.map(({ actor }) => ledger.read([actor.address])))
  const [finished] = await Promise.all([
    runHonest(trading, users, count, day.avoided),
    runStrategies(day, strategies, attacks, count),
  ])
  await quieten(
    world,
    trading,
    attacks.flatMap(({ trades }) => trades),
  )
  const honest = await readOutcomes(trading, ledger, finished)
  const trades = [...honest.map(({ trade }) => trade), ...attacks.flatMap((each) => each.trades)]
  const creditors = attacks.flatMap((each) => [...each.creditors])
  const owed =
    (await owedTo(trading, ledger, trades, new Set(creditors), day.moves)) +
    (await ledger.claimable(creditors, day.moves))
  const gained = await Promise.all(
    attacks.map(
      async ({ addresses, exits }, at) =>
        ledger.gain(before[at] ?? [], await ledger.read(addresses), day.moves) +
        (await exitable(world, ledger, exits)),
    ),
  )
  const kept = await Promise.all(
    attacks.map(
      async ({ trades: own, creditors: refusing }) =>
        (await owedTo(trading, ledger, own, refusing, day.moves)) +
        (await ledger.claimable(refusing, day.moves)),
    ),
  )
  const solverGain = ledger.gain(held, await ledger.read(accounts), day.moves) - owed
  const gas = await readSolverGas(world, ledger, since, day.moves)
  await day.end?.(world)
  return {
    name: day.name,
    honest,
    strategies: strategies.map(({ name }, at) => ({
      name,
      runs: runsOf(count, strategies.length, at),
      refusals: attacks[at]?.refusals() ?? 0,
      gain: gained[at] ?? 0,
      kept: kept[at] ?? 0,
      harm: attacks[at]?.harm() ?? 0,
    })),
    solverGain,
    gas,
    fees: feesOf(ledger, honest, day.moves),
  }
}

/** Number of runs of the strategy at this index, so that all together run `count` times. */
const runsOf = (count: number, strategies: number, at: number): number =>
  Math.floor(count / strategies) + (at < count % strategies ? 1 : 0)

async function runStrategies(
  { isSequential = false }: Day,
  strategies: readonly Strategy[],
  attacks: readonly Attack[],
  count: number,
): Promise<void> {
  const runOne = async ({ run }: Strategy, at: number): Promise<void> => {
    const attack = attacks[at]
    if (attack !== undefined) await run(attack, runsOf(count, strategies.length, at))
  }
  if (isSequential) for (const [at, each] of strategies.entries()) await runOne(each, at)
  else await Promise.all(strategies.map(runOne))
}

/** Blocks of a second each after which everything is final, and every filled deposit is old enough to be settled. */
const finalBlocks = 66
/** Maximum duration of the last payouts. */
const patienceSeconds = 30

/** Makes final what is on its way: refunds of failed fills wait for it, and small settlements for sixty seconds. */
async function quieten(world: World, trading: Trading, trades: readonly Trade[]): Promise<void> {
  await makeFinal(world)
  await Promise.all(trades.map((trade) => trading.ended(trade, patienceSeconds)))
  await makeFinal(world)
}

/** Mines, and waits until the solver has nothing more to do. */
async function makeFinal(world: World): Promise<void> {
  const { chains } = world.devnet.description
  for (const { id } of chains)
    await world.devnet.suspendMining(id, () => mineSeconds(world.on(id), finalBlocks))
  const heights = await readHeights(world)
  await waitFor(async () => {
    const [seen = [], open = []] = await Promise.all(
      ['block', 'open_transactions'].map((name) => world.metric(`crossquote_solver_${name}{`)),
    )
    return chains.every(({ id, name }) => {
      // A later block shows it what it sent in the first one.
      const hasSeen = metricOf(seen, name) > Number(heights.get(id) ?? 0n) + 2
      return hasSeen && metricOf(open, name) === 0
    })
  }, patienceSeconds)
}

/** The value of a metric for a chain; NaN if there is none. */
const metricOf = (lines: readonly string[], chain: string): number =>
  Number(
    lines
      .find((line) => line.includes(`"${chain}"`))
      ?.split(' ')
      .at(-1) ?? 'none',
  )

/**
 * Value of the deposits that were neither filled nor refunded: the depositories hold it for their users. What creditors
 * refused is counted as claimable.
 */
async function owedTo(
  trading: Trading,
  ledger: Ledger,
  trades: readonly Trade[],
  creditors: ReadonlySet<Address>,
  moves: readonly Move[] | undefined,
): Promise<number> {
  let sum = 0
  for (const trade of trades) {
    if (creditors.has(trade.refundTo) || (await trading.outcome(trade)) !== 'neither') continue
    sum += ledger.worthOf(...trade.origin, trade.amount, moves)
  }
  return sum
}

/** Value of what the depositories hold of these currencies. */
async function exitable(world: World, ledger: Ledger, places: readonly Place[]): Promise<number> {
  const values = places.map(async ([chainId, symbol]) => {
    const { depository } = world.contractsOn(chainId)
    const currency = world.currencyOn(chainId, symbol)
    return ledger.worthOf(chainId, symbol, await ledger.balanceOf(chainId, currency, depository))
  })
  return (await Promise.all(values)).reduce((sum, each) => sum + each, 0)
}

const feesOf = (ledger: Ledger, honest: readonly HonestResult[], moves?: readonly Move[]): number =>
  honest.reduce((sum, { trade, outcome, received }) => {
    if (outcome !== 'filled') return sum
    const { origin, destination, amount } = trade
    const paid = ledger.worthOf(...origin, amount, moves)
    return sum + paid - ledger.worthOf(...destination, received, moves)
  }, 0)
