import { LRUCache } from 'lru-cache'
import {
  decodeFunctionResult,
  domainSeparator,
  encodeFunctionData,
  type Hash,
  hexToBigInt,
  parseAbi,
} from 'viem'
import { callContracts } from '#src/chains/read/callContracts.ts'
import type { CallGate } from '#src/chains/rpc/callGate.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { permit2Abi, permit2Address } from '#src/protocol/contracts/protocolContracts.ts'
import { readPermits, type TokenPermits } from './readPermits.ts'
import { type Signer, signerOf } from './signerOf.ts'

/** How accounts can pay with a currency by signature. */
export type CurrencyPermits = TokenPermits &
  Readonly<{
    /** Whether the chain has Permit2, and an approval proxy that uses it. Without, nothing is paid by signature. */
    permit2: boolean
  }>

/** Which payments by signature currencies support: read once an hour in the background. */
export type Permits = PermitReads &
  Readonly<{
    /** As last read, without an RPC call; undefined if it was never read. A read then starts in the background. */
    known: (chainId: ChainId, currency: Address) => CurrencyPermits | undefined
    /** What decides on the account's signatures. @throws as `read` */
    signerOf: (chainId: ChainId, account: Address) => Promise<Signer>
    /** Reads currencies in the background, unless it did within the hour. Never throws. */
    refresh: (chainId: ChainId, currencies: () => readonly Address[]) => void
  }>

export type PermitReads = Readonly<{
  /** @throws AppError RPC_HTTP_ERROR if no node answers; OVERLOADED */
  read: (chainId: ChainId, currency: Address) => Promise<CurrencyPermits>
  /** The number of EIP-2612 permits that the owner has used of a currency. @throws as `read` */
  nonceOf: (chainId: ChainId, currency: Address, owner: Address) => Promise<bigint>
}>

type Deps = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  log: Log
  /** What callers ask for goes through them. */
  gates: ReadonlyMap<ChainId, CallGate>
  /** A monotonic clock, in milliseconds. */
  now: () => number
}>

const maxCached = 10_000
const hourMs = 3_600_000
const minuteMs = 60_000

const noncesAbi = parseAbi(['function nonces(address owner) view returns (uint256)'])

export function createPermits(deps: Deps, chains: readonly ChainConfig[]): Permits {
  const { clients, log, now } = deps
  const cache = new LRUCache<string, CurrencyPermits>({ max: maxCached })
  const readAt = new LRUCache<string, number>({ max: maxCached })
  const reading = new Map<string, Promise<CurrencyPermits>>()
  /** When the currencies of a chain are read again. */
  const dueAt = new Map<ChainId, number>()
  const proxies = new Map(chains.map(({ id, contracts }) => [id, contracts?.approvalProxy]))
  const ask = createGatedRead(deps)

  const readAll =
    (chainId: ChainId, currencies: readonly Address[]): ReadAtBlock<void> =>
    async (client, blockHash) => {
      const proxy = proxies.get(chainId)
      const permit2 = proxy !== undefined && (await hasPermit2(client, proxy, blockHash))
      const found = permit2 ? await readPermits(client, currencies, blockHash) : []
      currencies.forEach((currency, at) => {
        const key = keyOf(chainId, currency)
        cache.set(key, { permit2, ...found[at] })
        readAt.set(key, now())
      })
    }

  function read(chainId: ChainId, currency: Address): Promise<CurrencyPermits> {
    const key = keyOf(chainId, currency)
    const cached = cache.get(key)
    if (cached !== undefined && now() - (readAt.get(key) ?? 0) < hourMs)
      return Promise.resolve(cached)
    const current = reading.get(key)
    if (current !== undefined) return current
    const started = ask(chainId, readAll(chainId, [currency]))
      .then(() => cache.get(key) ?? { permit2: false })
      .catch((error: unknown) => {
        if (cached === undefined) throw error
        return cached
      })
      .finally(() => reading.delete(key))
    reading.set(key, started)
    return started
  }

  return {
    known: (chainId, currency) => {
      const known = cache.get(keyOf(chainId, currency))
      if (known === undefined) read(chainId, currency).catch(() => undefined)
      return known
    },
    read,
    nonceOf: (chainId, currency, owner) =>
      ask(chainId, (client, blockHash) => readNonce(client, { currency, owner }, blockHash)),
    signerOf: (chainId, account) =>
      ask(chainId, (client, blockHash) => signerOf(client, account, blockHash)),
    refresh: (chainId, currencies) => {
      if (now() < (dueAt.get(chainId) ?? 0) || proxies.get(chainId) === undefined) return
      const client = clientOf(clients, chainId)
      // Without endpoints nothing is known, now or later.
      if (client.endpoints.length === 0) return
      dueAt.set(chainId, now() + hourMs)
      readAtHead(client, readAll(chainId, currencies())).catch((error: unknown) => {
        dueAt.set(chainId, now() + minuteMs)
        log.warn(
          { chainId, reason: reasonOf(error) },
          'Could not read which currencies support permits',
        )
      })
    },
  }
}

type ReadAtBlock<Value> = (client: ChainClient, blockHash: Hash) => Promise<Value>

async function readAtHead<Value>(client: ChainClient, read: ReadAtBlock<Value>): Promise<Value> {
  const { hash } = await client.getBlock({ blockTag: 'latest' })
  return read(client, hash)
}

/** Reads at the newest block, through the gate of the chain. @throws AppError RPC_HTTP_ERROR; OVERLOADED */
const createGatedRead =
  ({ clients, log, gates }: Deps) =>
  async <Value>(chainId: ChainId, read: ReadAtBlock<Value>): Promise<Value> => {
    const gate = gates.get(chainId)
    if (gate === undefined) throw new Error(`Chain ${chainId} has no client`)
    try {
      return await gate.run(async () => readAtHead(clientOf(clients, chainId), read))
    } catch (error) {
      if (error instanceof AppError) throw error
      log.debug({ chainId, reason: reasonOf(error) }, 'Cannot read what a currency takes')
      throw new AppError('RPC_HTTP_ERROR', `No RPC endpoint of chain ${chainId} answered.`, {
        chainId,
      })
    }
  }

async function readNonce(
  client: ChainClient,
  { currency, owner }: Readonly<{ currency: Address; owner: Address }>,
  blockHash: Hash,
): Promise<bigint> {
  const data = encodeFunctionData({ abi: noncesAbi, functionName: 'nonces', args: [owner] })
  const [answer] = await callContracts(client, [{ to: currency, data }], blockHash)
  // A word. What else a contract answers is no number.
  return answer?.length === 66 ? hexToBigInt(answer) : 0n
}

const keyOf = (chainId: ChainId, currency: Address): string => `${chainId}:${currency}`

function clientOf(clients: ReadonlyMap<ChainId, ChainClient>, chainId: ChainId): ChainClient {
  const client = clients.get(chainId)
  if (client === undefined) throw new Error(`Chain ${chainId} has no client`)
  return client
}

/** Whether Permit2 is at its address, and the approval proxy is one that uses it. */
async function hasPermit2(client: ChainClient, proxy: Address, blockHash: Hash): Promise<boolean> {
  const calls = [
    { to: proxy, data: encodeFunctionData({ abi: proxyArtifact.abi, functionName: 'permit2' }) },
    {
      to: permit2Address,
      data: encodeFunctionData({ abi: permit2Abi, functionName: 'DOMAIN_SEPARATOR' }),
    },
  ]
  const [used, separator] = await callContracts(client, calls, blockHash)
  if (used === undefined || separator === undefined || used.length !== 66) return false
  const { abi } = proxyArtifact
  const named = decodeFunctionResult({ abi, functionName: 'permit2', data: used })
  const domain = { name: 'Permit2', chainId: client.chain.id, verifyingContract: permit2Address }
  return named.toLowerCase() === permit2Address && separator === domainSeparator({ domain })
}
