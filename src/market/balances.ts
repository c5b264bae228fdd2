import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/chainClient.ts'
import { currencyReader } from '#src/contracts/artifacts/currencyReader.ts'
import { AppError } from '#src/errors.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { askInHalves, runReader } from './runReader.ts'

/** Whose balance or allowance, and at which block: that of the market which the answer is made from. */
type BalanceKey = Readonly<{
  chainId: ChainId
  currency: Address
  account: Address
  /** Absent: the account's balance; else what it lets this address take. */
  spender?: Address
  blockHash: Hash
}>

export type BalanceLoader = DataLoader<BalanceKey, Amount, string>

type Answer = Readonly<{ isKnown: boolean; amount: bigint }>

/** How many balances and allowances are remembered, of whatever block. */
const mostRemembered = 10_000

/**
 * Makes loaders, one for each request: all loads of one turn of the event loop cost one eth_call for
 * each block that they name, and nothing where the amount at that block was read before. A load
 * fails with UNSUPPORTED_CURRENCY where the contract does not tell it, and with RPC_HTTP_ERROR
 * where the node fails.
 */
export function createBalances(clients: ReadonlyMap<ChainId, ChainClient>): () => BalanceLoader {
  const remembered = new LRUCache<string, Amount>({ max: mostRemembered })

  /** All of one block. */
  async function look(blockHash: Hash, keys: readonly BalanceKey[]): Promise<void> {
    const client = keys[0] && clients.get(keys[0].chainId)
    if (client === undefined) return
    const queries = keys.map((key) => ({ spender: nativeAddress, ...key }))
    const balances = await askInHalves<(typeof queries)[number], Answer>(
      queries,
      (some) =>
        runReader(client, currencyReader, { functionName: 'holdings', args: [some], blockHash }),
      () => [{ isKnown: false, amount: 0n }],
    )
    keys.forEach((key, at) => {
      const balance = balances[at]
      if (balance?.isKnown) remembered.set(keyOf(key), toAmount(balance.amount))
    })
  }

  return () =>
    new DataLoader(
      async (keys) => {
        const found = keys.map((key) => remembered.get(keyOf(key)))
        const failures = new Map<Hash, Error>()
        const unknown = keys.filter((_, at) => found[at] === undefined)
        const blocks = [...Map.groupBy(unknown, ({ blockHash }) => blockHash)]
        await Promise.all(
          blocks.map(([blockHash, group]) =>
            look(blockHash, group).catch((error) => void failures.set(blockHash, error)),
          ),
        )
        return keys.map(
          (key, at) =>
            found[at] ?? remembered.get(keyOf(key)) ?? failures.get(key.blockHash) ?? untold(key),
        )
      },
      { cacheKeyFn: keyOf },
    )
}

const keyOf = ({ chainId, currency, account, spender, blockHash }: BalanceKey): string =>
  `${chainId}:${blockHash}:${currency}:${account}:${spender ?? ''}`

const untold = ({ chainId, currency }: BalanceKey): AppError =>
  new AppError(
    'UNSUPPORTED_CURRENCY',
    `${currency} on chain ${chainId} does not tell balances or allowances`,
    {
      chainId,
      currency,
    },
  )
