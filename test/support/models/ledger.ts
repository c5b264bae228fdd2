import { erc20Abi, parseEventLogs } from 'viem'
import { nativeAddress } from '#src/core/units/address.ts'
import { evmHash } from '#src/core/units/txId.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { useQuotes } from '#test/support/gateways/useQuotes.ts'

/** Balances by chain and by currency symbol. */
export type Ledger = ReadonlyMap<number, ReadonlyMap<string, bigint>>

type Heights = ReadonlyMap<number, bigint>

/** Balances at the given blocks, and the collectors’ native balances. */
export type Opening = Readonly<{
  heights: Heights
  held: Ledger
  collectors: readonly string[]
  collected: Heights
}>

type Change = Readonly<{ chainId: number; currency: string; amount: bigint }>

/** Compares the combined balances of the solver and the depositories with the expected ones. */
export function createLedger({
  stack,
  wallet,
  balanceOf,
  symbolOf,
  symbolsOn,
}: Pick<
  ReturnType<typeof useQuotes>,
  'stack' | 'wallet' | 'balanceOf' | 'symbolOf' | 'symbolsOn'
>) {
  const solver = () => stack().config.solver.address
  const chainIds = () => stack().config.chains.map(({ id }) => id)

  const everywhere = async <Value>(valueOn: (chainId: number) => Promise<Value>) =>
    new Map(await Promise.all(chainIds().map(async (id) => [id, await valueOn(id)] as const)))

  const heads = (): Promise<Heights> => everywhere((id) => wallet().clientOn(id).getBlockNumber())

  async function balancesOn(chainId: number, height: bigint) {
    const { depository } = stack().contractsOn(chainId)
    const held = await Promise.all(
      symbolsOn(chainId).map(async (symbol) => {
        const amounts = [solver(), depository].map((holder) =>
          balanceOf([chainId, symbol], holder, height),
        )
        return [symbol, sum(await Promise.all(amounts))] as const
      }),
    )
    return new Map(held)
  }

  /** The combined native balance of these accounts on each chain. */
  const collectedBy = (collectors: readonly string[], heights: Heights): Promise<Heights> =>
    everywhere(async (id) => {
      const [native = ''] = symbolsOn(id)
      const height = heights.get(id) ?? 0n
      return sum(await Promise.all(collectors.map((each) => balanceOf([id, native], each, height))))
    })

  /** Gas that the solver paid in the blocks after `from`, in wei. */
  async function gasOf(chainId: number, from: bigint, to: bigint): Promise<bigint> {
    const client = wallet().clientOn(chainId)
    let paid = 0n
    for (let blockNumber = from + 1n; blockNumber <= to; blockNumber += 1n) {
      const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
      for (const { hash } of transactions.filter(({ from: sender }) => sender === solver())) {
        const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
        paid += gasUsed * effectiveGasPrice
      }
    }
    return paid
  }

  /** Transfers to the solver within its own payment, such as refunds of an excess input. */
  async function receivedBy({ chainId, mined }: SolverTransaction): Promise<readonly Change[]> {
    if (mined === undefined) return []
    const hash = evmHash(mined.hash)
    const { logs } = await wallet().clientOn(chainId).getTransactionReceipt({ hash })
    return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).flatMap(
      ({ address, args: { to, value } }) =>
        to.toLowerCase() === solver() ? [{ chainId, currency: address, amount: value }] : [],
    )
  }

  /** Deposits of the requests minus the amounts spent by their fills and refunds. */
  async function changesOf(requestId: string): Promise<readonly Change[]> {
    const { store } = stack()
    const transactions = await store.transactionsOf(requestId)
    const payments = transactions.filter(
      ({ purpose, status }) => purpose !== 'settlement' && status !== 'reverted',
    )
    return [
      ...(await store.depositsOf(requestId)),
      ...(await Promise.all(payments.map(receivedBy))).flat(),
      ...payments.flatMap(({ chainId, spends }) =>
        spends.map(({ currency, amount }) => ({ chainId, currency, amount: -amount })),
      ),
    ]
  }

  return {
    /** `collectors` receive only native app fees. */
    open: async (collectors: readonly string[] = []): Promise<Opening> => {
      const heights = await heads()
      const [held, collected] = await Promise.all([
        everywhere((id) => balancesOn(id, heights.get(id) ?? 0n)),
        collectedBy(collectors, heights),
      ])
      return { heights, held, collectors, collected }
    },
    /** The current balances, and the expected ones after these requests. The collectors are those of `open`. */
    close: async (
      { heights, held, collectors, collected }: Opening,
      requestIds: readonly string[],
    ): Promise<Readonly<{ found: Ledger; expected: Ledger }>> => {
      const ends = await heads()
      // Read concurrently, because nodes keep only the state of a few blocks.
      const [found, collectedNow] = await Promise.all([
        everywhere((id) => balancesOn(id, ends.get(id) ?? 0n)),
        collectedBy(collectors, ends),
      ])
      const changes = (await Promise.all(requestIds.map(changesOf))).flat()
      const expected = await everywhere(async (id) => {
        const [from, to] = [heights, ends].map((each) => each.get(id) ?? 0n) as [bigint, bigint]
        const fees = (collectedNow.get(id) ?? 0n) - (collected.get(id) ?? 0n)
        const leaves = (await gasOf(id, from, to)) + fees
        const balances = new Map(held.get(id))
        const own = changes.filter(({ chainId }) => chainId === id)
        for (const { currency, amount } of [...own, { currency: nativeAddress, amount: -leaves }]) {
          const symbol = symbolOf(id, currency)
          balances.set(symbol, (balances.get(symbol) ?? 0n) + amount)
        }
        return balances
      })
      return { found, expected }
    },
  }
}

const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n)
