import { setTimeout } from 'node:timers/promises'
import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { AppError } from '#src/core/errors.ts'
import { type Account, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type BlockHash, evmHash } from '#src/core/units/txId.ts'
import type { OtherChain } from '#src/market/otherChain.ts'
import { currencyReader } from '#src/protocol/contracts/artifacts/currencyReader.ts'
import { type CallGates, createGatedAsk, createGatedRun } from './gatedAsk.ts'
import { callWithBisection, runReader } from './runReader.ts'

/** A balance or an allowance at the block of the market snapshot. */
type BalanceKey = Readonly<{
  chainId: ChainId
  currency: Account
  account: Account
  /** With a spender: the account's allowance for it. Without: the account's balance. */
  spender?: Account
  blockHash: BlockHash
}>

export type BalanceLoader = DataLoader<BalanceKey, Amount, string>

type Answer = Readonly<{ isKnown: boolean; amount: bigint }>

/** Entries in the cache of balances and allowances. */
const maxCached = 10_000

const maxPerCall = 100

/** Longest time that a read waits for the previous one, to be batched with others. Bounds the delay by a slow node. */
const maxWaitMs = 20

/** Half of a request's usual deadline, so that the error of a quote can still name the chain whose node is frozen. */
const readSeconds = 5

/**
 * Creates loaders, one for each request. All loads in one turn of the event loop cost one eth_call per block; cached
 * amounts cost none. Requests share calls: loads that come during a call are batched into the next one. A load throws
 * UNSUPPORTED_CURRENCY if the contract does not report the amount, RPC_HTTP_ERROR if the node fails or takes too long,
 * and OVERLOADED if too many reads wait.
 */
export function createBalances(
  clients: ReadonlyMap<ChainId, ChainClient>,
  gates: CallGates,
  others: ReadonlyMap<ChainId, Pick<OtherChain, 'readBalances'>> = new Map(),
): () => BalanceLoader {
  const cache = new LRUCache<string, Amount>({ max: maxCached })
  const ask = createGatedAsk(clients, gates, readSeconds)
  const run = createGatedRun(gates, readSeconds)

  /** Reads amounts of one block into the cache. */
  async function readBlock(blockHash: BlockHash, keys: readonly BalanceKey[]): Promise<void> {
    const [first] = keys
    if (first === undefined) return
    const other = others.get(first.chainId)
    if (other !== undefined)
      return readOther(keys, () => run(first.chainId, 'reads', () => other.readBalances(keys)))
    const queries = keys.map(({ currency, account, spender = nativeAddress }) => ({
      currency: evmAddress(currency),
      account: evmAddress(account),
      spender: evmAddress(spender),
    }))
    const balances = await ask(first.chainId, 'reads', (client) =>
      callWithBisection<(typeof queries)[number], Answer>(
        queries,
        (some) =>
          runReader(client, currencyReader, {
            functionName: 'holdings',
            args: [some],
            blockHash: evmHash(blockHash),
          }),
        () => [{ isKnown: false, amount: 0n }],
      ),
    )
    keys.forEach((key, at) => {
      const balance = balances[at]
      if (balance?.isKnown) cache.set(keyOf(key), toAmount(balance.amount))
    })
  }

  /** Other virtual machines have no allowances, and answer with their newest balances. */
  async function readOther(
    keys: readonly BalanceKey[],
    ask: () => Promise<readonly Amount[]>,
  ): Promise<void> {
    const balances = await ask()
    keys.forEach((key, at) => {
      const balance = balances[at]
      if (balance !== undefined && key.spender === undefined) cache.set(keyOf(key), balance)
    })
  }

  /** The amount of each key, or its error. */
  async function read(keys: readonly BalanceKey[]): Promise<(Amount | Error)[]> {
    const failures = new Map<BlockHash, Error>()
    const blocks = [...Map.groupBy(keys, ({ blockHash }) => blockHash)]
    await Promise.all(
      blocks.map(([blockHash, group]) =>
        readBlock(blockHash, group).catch((error) => void failures.set(blockHash, error)),
      ),
    )
    return keys.map(
      (key) => cache.get(keyOf(key)) ?? failures.get(key.blockHash) ?? unreadableError(key),
    )
  }

  const readers = new Map(
    [...clients.keys(), ...others.keys()].map((chainId) => [chainId, shareReads(read)]),
  )
  const load = (keys: readonly BalanceKey[]): Promise<(Amount | Error)[]> =>
    Promise.all(
      keys.map((key) => {
        const reading = () => readers.get(key.chainId)?.load(key) ?? unreadableError(key)
        return cache.get(keyOf(key)) ?? Promise.resolve(reading()).catch((error) => error)
      }),
    )
  return () => new DataLoader(load, { cacheKeyFn: keyOf })
}

/** Batches the loads that come during a read, for at most `maxWaitMs`. */
function shareReads(
  read: (keys: readonly BalanceKey[]) => Promise<(Amount | Error)[]>,
): DataLoader<BalanceKey, Amount> {
  let running: Promise<unknown> | undefined
  const start = (keys: readonly BalanceKey[]) => {
    const reading = read(keys).finally(() => {
      if (running === reading) running = undefined
    })
    running = reading
    return reading
  }
  return new DataLoader(start, {
    cache: false,
    maxBatchSize: maxPerCall,
    batchScheduleFn: (send) => {
      if (running === undefined) setImmediate(send)
      else void Promise.race([running, setTimeout(maxWaitMs)]).then(send)
    },
  })
}

const keyOf = ({ chainId, currency, account, spender, blockHash }: BalanceKey): string =>
  `${chainId}:${blockHash}:${currency}:${account}:${spender ?? ''}`

const unreadableError = ({ chainId, currency }: BalanceKey): AppError =>
  new AppError(
    'UNSUPPORTED_CURRENCY',
    `${currency} on chain ${chainId} does not report balances or allowances`,
    {
      chainId,
      currency,
    },
  )
