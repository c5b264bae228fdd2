import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { SolverRig } from '#test/support/rigs/solverRig.ts'

/** An account's balance of a currency, by its name in words. */
type Entry = Readonly<{ name: string; currency: Currency; holder: Address }>

/** Changes of balances by the name of the entry. */
export type Changes = ReadonlyMap<string, bigint>

export const entryName = (name: string, { chainId, symbol }: Currency): string =>
  `${name}: ${symbol} on ${chainId}`

/** Balances of accounts in a rig's currencies, as the chains have them. */
export function createRigLedger(rig: SolverRig, currencies: readonly Currency[]) {
  const heightOf = (chainId: ChainId) => rig.wallet.clientOn(chainId).getBlockNumber()
  const chainIds = [...new Set(currencies.map(({ chainId }) => chainId))]

  const readHeights = async (): Promise<ReadonlyMap<ChainId, bigint>> =>
    new Map(await Promise.all(chainIds.map(async (id) => [id, await heightOf(id)] as const)))

  const entriesOf = (accounts: ReadonlyMap<string, Address>): readonly Entry[] =>
    [...accounts].flatMap(([name, holder]) =>
      currencies.map((currency) => ({ name: entryName(name, currency), currency, holder })),
    )

  /** The gas that each account has paid on a chain after this block, in wei. */
  async function gasSince(chainId: ChainId, block: bigint): Promise<ReadonlyMap<string, bigint>> {
    const client = rig.wallet.clientOn(chainId)
    const paid = new Map<string, bigint>()
    for (let at = block + 1n; at <= (await heightOf(chainId)); at += 1n) {
      const { transactions } = await client.getBlock({ blockNumber: at, includeTransactions: true })
      for (const { hash, from } of transactions) {
        const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
        const sender = from.toLowerCase()
        paid.set(sender, (paid.get(sender) ?? 0n) + gasUsed * effectiveGasPrice)
      }
    }
    return paid
  }

  const read = async (entries: readonly Entry[]): Promise<Changes> =>
    new Map(
      await Promise.all(
        entries.map(
          async ({ name, currency, holder }) =>
            [name, await rig.balanceOf(currency, holder)] as const,
        ),
      ),
    )

  return {
    gasSince,
    /** Reads the balances of lasting accounts now. New accounts hold nothing yet. */
    async open(lasting: ReadonlyMap<string, Address>) {
      const heights = await readHeights()
      const before = await read(entriesOf(lasting))
      return {
        /** How balances have changed since then, without the gas that the accounts have paid themselves. */
        async changes(created: ReadonlyMap<string, Address>): Promise<Changes> {
          const entries = entriesOf(new Map([...lasting, ...created]))
          const after = await read(entries)
          const gas = new Map<ChainId, ReadonlyMap<string, bigint>>()
          for (const [id, height] of heights) gas.set(id, await gasSince(id, height))
          return new Map(
            entries.map(({ name, currency, holder }) => {
              const isNative = currency.address === nativeAddress
              const spent = isNative ? (gas.get(currency.chainId)?.get(holder) ?? 0n) : 0n
              return [name, (after.get(name) ?? 0n) - (before.get(name) ?? 0n) + spent]
            }),
          )
        },
      }
    },
  }
}
