import { LRUCache } from 'lru-cache'
import { AppError } from '#src/core/errors.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { BlockHash } from '#src/core/units/txId.ts'
import type { Markets } from '#src/market/markets.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import type { RequestLists } from '#src/requests/requestList.ts'
import type { HintStore } from '#src/requests/trackingStore.ts'
import { FieldError } from '#src/service/input/fieldError.ts'

/** Identifies a deposit address by the chain of its quote. */
type AddressQuestion = Readonly<{
  chainId: number
  depositAddress: Account
  /** Chain whose balances are read. Absent: the chain of the quote. */
  targetChainId?: number
  /** The only currency to read. Absent: all that the solver accepts on that chain. */
  currency?: Account
}>

/** The balances of a deposit address. `triggered` has the currencies with a balance above zero. */
export type IndexedAddress = Readonly<{
  triggered: readonly Readonly<{ currency: Currency; balance: Amount }>[]
  /** Number of currencies that were read, and of those whose read failed. */
  checked: number
  failed: number
}>

/** Reads the balances of an account at a block. */
type BalanceLoader = Readonly<{
  balance: (currency: Currency, account: Account, blockHash: BlockHash) => Promise<Amount>
}>

/** Deposit addresses, as the APIs offer them. */
export type AddressService = Readonly<{
  /**
   * Reads the balances of a deposit address, and asks the solver to sweep it.
   * @throws AppError UNKNOWN_REQUEST for an unknown address; UNSUPPORTED_CHAIN if it cannot be swept on that chain;
   * UNSUPPORTED_CURRENCY; RATE_LIMITED if it was read less than 10 seconds ago; SERVICE_UNAVAILABLE; RPC_HTTP_ERROR.
   */
  indexDepositAddress: (
    question: AddressQuestion,
    loaders: BalanceLoader,
  ) => Promise<IndexedAddress>
}>

type IndexDeps = Readonly<{
  requests: RequestLists & HintStore
  latest: Markets['latest']
  /** The native currency of the chain, and the currencies that the solver bridges there. */
  sweepable: (chainId: ChainId) => readonly Currency[]
  contracts: ReadonlyMap<ChainId, ProtocolContracts>
  /** @throws AppError UNSUPPORTED_CHAIN */
  chainIdOf: (id: number) => ChainId
  /** Milliseconds of any clock. */
  now: () => number
}>

/** Minimum time between two reads of one address. */
const minIntervalMs = 10_000
/** Number of addresses whose last read is remembered. Others can be read again at once. */
const maxRemembered = 10_000

/**
 * Reads the balances of a deposit address, and asks the solver of the chain to sweep those that are worth it.
 * @throws AppError as `AddressService.indexDepositAddress`
 */
export function createIndexDepositAddress({
  requests,
  latest,
  sweepable,
  contracts,
  chainIdOf,
  now,
}: IndexDeps): (question: AddressQuestion, loaders: BalanceLoader) => Promise<IndexedAddress> {
  const lastReads = new LRUCache<string, number>({ max: maxRemembered })

  function requireInterval(chainId: ChainId, address: Account): void {
    const key = `${chainId}:${address}`
    const waitMs = (lastReads.get(key) ?? Number.NEGATIVE_INFINITY) + minIntervalMs - now()
    if (waitMs > 0) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000)
      throw new AppError(
        'RATE_LIMITED',
        `depositAddress: it was checked less than ${minIntervalMs / 1000} s ago. Try again in ${retryAfterSeconds} s.`,
        { field: 'depositAddress', retryAfterSeconds },
      )
    }
    lastReads.set(key, now())
  }

  function currenciesOn(chainId: ChainId, only: Account | undefined): readonly Currency[] {
    const all = sweepable(chainId)
    if (only === undefined) return all
    const found = all.filter(({ address }) => address === only)
    if (found.length > 0) return found
    const symbols = all.map(({ symbol }) => symbol).join(', ')
    throw new FieldError(
      'UNSUPPORTED_CURRENCY',
      ['currency'],
      `the solver does not accept it on chain ${chainId}; it accepts ${symbols}. Anyone who knows the order id and the depositor can sweep it; the depositor can withdraw it after the exit time`,
    )
  }

  return async ({ chainId: id, targetChainId: target, depositAddress, currency }, loaders) => {
    const [originId, chainId] = [chainIdOf(id), chainIdOf(target ?? id)]
    const page = await requests.list({
      depositAddress,
      originChainId: originId,
      first: 1,
      withoutChildren: true,
    })
    const [request] = page.requests
    if (request === undefined)
      throw new AppError(
        'UNKNOWN_REQUEST',
        `depositAddress: chain ${originId} has no deposit address ${depositAddress} of this gateway.`,
        { field: 'depositAddress' },
      )
    const factory = contracts.get(chainId)?.depositAddressFactory
    if (factory === undefined || factory !== contracts.get(originId)?.depositAddressFactory)
      throw new FieldError(
        'UNSUPPORTED_CHAIN',
        ['targetChainId'],
        `the address cannot be swept on chain ${chainId}: the chain does not have the factory of chain ${originId} at the same address`,
      )
    const currencies = currenciesOn(chainId, currency)
    requireInterval(chainId, depositAddress)
    const block = latest(chainId)?.block
    if (block === undefined)
      throw new AppError('SERVICE_UNAVAILABLE', `Chain ${chainId} is not loaded yet.`, { chainId })
    const balances = await Promise.allSettled(
      currencies.map((each) => loaders.balance(each, depositAddress, block.hash)),
    )
    const triggered = currencies.flatMap((each, at) => {
      const balance = balances[at]
      return balance?.status === 'fulfilled' && balance.value > 0n
        ? [{ currency: each, balance: balance.value }]
        : []
    })
    const failed = balances.filter(({ status }) => status === 'rejected').length
    if (failed > 0 && failed === currencies.length) throw reasonOf(balances[0])
    // A payment may be newer than the block that was read, so the solver reads the balances itself.
    await requests.addSweepHint({ chainId, requestId: request.requestId })
    return { triggered, checked: currencies.length, failed }
  }
}

const reasonOf = (outcome: PromiseSettledResult<unknown> | undefined): unknown =>
  outcome?.status === 'rejected' ? outcome.reason : undefined
