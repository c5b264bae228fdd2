import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, vi } from 'vitest'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { relayer as relayerKey } from '#src/devnet/accounts.ts'
import { soleLease } from '#src/requests/lease.ts'
import type { RelayedCall } from '#src/requests/relayedCall.ts'
import { createCallers } from '#src/service/callers.ts'
import { createRelayedCallService } from '#src/service/relayedCalls/relayedCalls.ts'
import { createRelayer } from '#src/solver/relayer/relayer.ts'
import { createVerifiedChains, evmGenesisReads } from '#src/solver/verifiedChains.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { ethereum, patience, type SolverRig } from './solverRig.ts'

const apiKey = 'app-key-0123456789'
const client = { apiKey, network: '127.0.0.1' }

type Changes = Partial<Pick<Parameters<typeof createRelayer>[0], 'store' | 'client' | 'now'>>
type Executed = Parameters<ReturnType<typeof createRelayedCallService>['execute']>[0]

/** Accepts and sends calls on the first chain of a rig. */
export function useRelayer(rigOf: () => SolverRig) {
  const running: AbortController[] = []
  const ended: Promise<void>[] = []
  afterEach(async () => {
    for (const each of running.splice(0)) each.abort()
    await Promise.all(ended.splice(0))
  })

  /** Runs the relayer of a chain until the test ends, or `stop` is called. */
  function relay(changes: Changes = {}) {
    const stopping = new AbortController()
    const clients = new Map([[ethereum, rigOf().clientOn(ethereum)]])
    const deps = {
      log: rigOf().log,
      store: rigOf().store,
      bus: rigOf().bus,
      market: rigOf().market,
      now: Date.now,
    }
    const account = privateKeyToAccount(relayerKey.privateKey)
    const relayer = createRelayer(
      {
        ...deps,
        client: rigOf().clientOn(ethereum),
        account,
        lease: soleLease,
        span: undefined,
        verifiedChains: createVerifiedChains({ ...deps, genesisReads: evmGenesisReads(clients) }),
        ...changes,
      },
      { chain: rigOf().chainOf(ethereum), identity: rigOf().solverAddress },
    )
    const done = relayer.run(stopping.signal)
    running.push(stopping)
    ended.push(done)
    return {
      ...relayer,
      stop: async () => {
        stopping.abort()
        await done
      },
    }
  }

  let hashes = 0
  const operationsOf = (gasBudgetUsd?: bigint) => {
    const key = { name: 'app', key: apiKey, sponsors: true, discounts: false, operator: false }
    const budget = gasBudgetUsd === undefined ? {} : { gasBudgetUsd: toUsd(gasBudgetUsd) }
    return createRelayedCallService({
      config: rigOf().config,
      requests: rigOf().store,
      market: rigOf().market,
      now: Date.now,
      identify: createCallers([{ ...key, ...budget }]),
      randomHash: () => {
        hashes += 1
        return `0x${hashes.toString(16).padStart(64, '0')}`
      },
    })
  }

  async function execute(to: Hex, change: Partial<Executed> = {}, by = operationsOf(10n ** 12n)) {
    const input: Executed = {
      chainId: ethereum,
      to: toAddress(to),
      data: '0x',
      value: toAmount(0n),
      subsidizeFees: true,
      ...change,
    }
    return by.execute(input, client)
  }

  const anvil = () => rigOf().wallet.clientOn(ethereum)
  async function place(code: Hex): Promise<Address> {
    const address = newAccount()
    await anvil().setCode({ address, bytecode: code })
    return address
  }
  const countOf = async (address: Hex) =>
    Number(await anvil().getStorageAt({ address, slot: '0x0' }))

  async function callOf({ requestId }: Readonly<{ requestId: Hex }>): Promise<RelayedCall> {
    const [call] = await rigOf().store.relayedCallsOf(requestId)
    if (call === undefined) throw new Error('The call is not stored')
    return call
  }

  const reaches = (executed: Readonly<{ requestId: Hex }>, status: RelayedCall['status']) =>
    vi.waitUntil(async () => {
      const call = await callOf(executed)
      return call.status === status && call
    }, patience)

  return { relay, operationsOf, execute, anvil, place, countOf, callOf, reaches }
}
