import { setTimeout } from 'node:timers/promises'
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

/** How many the nodes are asked for at once. */
const mostAtOnce = 100

/** How long a read waits for the one before it, to join it with others: a slow node holds up no more. */
const longestWaitMs = 20

/**
 * Makes loaders, one for each request: all loads of one turn of the event loop cost one eth_call for
 * each block that they name, and nothing where the amount at that block was read before. Requests
 * share their calls: what comes while one is under way goes together next. A load fails with
 * UNSUPPORTED_CURRENCY where the contract does not tell it, and with RPC_HTTP_ERROR where the node
 * fails.
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

  /** What each key comes to, or the error that it fails with. */
  async function read(keys: readonly BalanceKey[]): Promise<(Amount | Error)[]> {
    const failures = new Map<Hash, Error>()
    const blocks = [...Map.groupBy(keys, ({ blockHash }) => blockHash)]
    await Promise.all(
      blocks.map(([blockHash, group]) =>
        look(blockHash, group).catch((error) => void failures.set(blockHash, error)),
      ),
    )
    return keys.map(
      (key) => remembered.get(keyOf(key)) ?? failures.get(key.blockHash) ?? untold(key),
    )
  }

  const readers = new Map([...clients.keys()].map((chainId) => [chainId, shareReads(read)]))
  const load = (keys: readonly BalanceKey[]): Promise<(Amount | Error)[]> =>
    Promise.all(
      keys.map((key) => {
        const reading = () => readers.get(key.chainId)?.load(key) ?? untold(key)
        return remembered.get(keyOf(key)) ?? Promise.resolve(reading()).catch((error) => error)
      }),
    )
  return () => new DataLoader(load, { cacheKeyFn: keyOf })
}

/** Joins what is asked for while a read is under way, but for one that takes long. */
function shareReads(
  read: (keys: readonly BalanceKey[]) => Promise<(Amount | Error)[]>,
): DataLoader<BalanceKey, Amount> {
  let underWay: Promise<unknown> | undefined
  const start = (keys: readonly BalanceKey[]) => {
    const reading = read(keys).finally(() => {
      if (underWay === reading) underWay = undefined
    })
    underWay = reading
    return reading
  }
  return new DataLoader(start, {
    cache: false,
    maxBatchSize: mostAtOnce,
    batchScheduleFn: (send) => {
      if (underWay === undefined) setImmediate(send)
      else void Promise.race([underWay, setTimeout(longestWaitMs)]).then(send)
    },
  })
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
