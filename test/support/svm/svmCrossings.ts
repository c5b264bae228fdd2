import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import { reconcileNonces } from '#src/cli/reconcile/reconcile.ts'
import type { ConfigInput } from '#src/config/config.ts'
import { createLog } from '#src/config/log.ts'
import { toAddress } from '#src/core/units/address.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'
import { solver, users } from '#src/devnet/accounts.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import type { SvmNode } from '#src/devnet/svm/startSvmNode.ts'
import { type SvmDevnetSigner, svmUsers } from '#src/devnet/svm/svmAccounts.ts'
import type { SvmChainDescription } from '#src/devnet/svm/svmChainDescription.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { mineUntilFinal } from '#test/support/chains/sendUntilMined.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { type Stack, type StackOptions, startStack } from '#test/support/gateways/stack.ts'
import { patience } from '#test/support/patience.ts'
import { balanceOf } from '#test/support/wallets/balanceOf.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'
import {
  createSvmDevnetClient,
  executeSvmStep,
  type SvmStepData,
  sendSvm,
  svmBalanceOf,
} from './svmWallet.ts'

/** A currency by its symbol on a chain. */
export type Place = readonly [chainId: number, symbol: string]

type Quote = Readonly<{
  steps: readonly Readonly<{
    requestId: string
    depositAddress?: string
    items: readonly Readonly<{ data: SvmStepData & { chainId: number } }>[]
  }>[]
  details: Readonly<{ currencyOut: Readonly<{ amount: string; minimumAmount: string }> }>
}>

/**
 * The whole stack with its Solana chain, for the tests of a file.
 * @param prepare runs before the solver starts, and may change the configuration
 */
export function svmCrossings(
  prepare?: (node: SvmNode, config: ConfigInput) => Promise<Partial<ConfigInput>>,
) {
  const [ethereum, rollup, solana] = [990001, 990002, 990004] as const
  let directory: string
  let devnet: Devnet
  let stack: Stack
  let rest: RestClient
  let wallet: Wallet
  let client: SvmClient
  let change: Partial<ConfigInput> = {}
  async function start(options: Pick<StackOptions, 'fill'> = {}): Promise<void> {
    const all = { ...options, devnet, settleAfterSeconds: 1 }
    stack = await startStack(change, ['gateway', 'tracker', 'solver'], undefined, all)
    rest = await createRestClient(stack.url)
  }
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'devnet-'))
    const log = createLog('silent')
    const chains = { chainIds: [ethereum, rollup], hasSvm: true }
    devnet = await startDevnet({ log, directory, firstPort: 0, ...chains, ...testPace })
    if (devnet.svmChain !== undefined)
      change = (await prepare?.(devnet.svmChain.node, devnet.config)) ?? {}
    await start()
    wallet = createWallet(stack.devnet.description, users[0])
    client = createSvmDevnetClient(svmChain())
  })
  afterAll(async () => {
    client?.close()
    await stack?.stop()
    await devnet?.stop()
    rmSync(directory, { recursive: true })
  })

  /** Loses the database. Its successor has only these requests, as they were quoted. */
  async function loseDatabase(requests: readonly SolverRequest[]): Promise<void> {
    await stack.stop()
    const quoted = requests.map(({ state: _, version: __, ...each }) => each)
    await start({
      fill: async (store) => {
        await Promise.all(quoted.map(store.put))
        for (const chainId of [ethereum, rollup]) await acceptNonces(store, toChainId(chainId))
      },
    })
  }

  /** Accepts the transactions of the solver that a new database does not have, like an operator. */
  async function acceptNonces(store: RequestStore, chainId: ChainId): Promise<void> {
    const { address } = solver
    const evm = wallet.clientOn(chainId)
    await mineUntilFinal(evm)
    const countAt = (blockTag: 'latest' | 'pending') =>
      evm.getTransactionCount({ address, blockTag })
    const deps = { store, now: Date.now, countAt }
    const accept = await countAt('latest')
    await reconcileNonces(deps, { chainId, account: toAddress(address.toLowerCase()), accept })
  }

  const svmChain = (): SvmChainDescription => {
    const { svmChain } = stack.devnet.description
    if (svmChain === undefined) throw new Error('The devnet has no Solana chain')
    return svmChain
  }
  const user = (at = 0): SvmDevnetSigner => {
    const signer = svmUsers[at]
    if (signer === undefined) throw new Error(`The devnet has no user ${at}`)
    return signer
  }
  const accountOn = (chainId: number, at = 0): string =>
    chainId === solana ? user(at).pubkey : (users[at]?.address ?? '')

  const balance = async ([chainId, symbol]: Place, account: string): Promise<bigint> => {
    const currency = stack.currencyOn(chainId, symbol)
    if (chainId === solana) return svmBalanceOf(client, toPubkey(currency), toPubkey(account))
    return balanceOf(wallet.clientOn(chainId), currency, account)
  }

  const quote = async (from: Place, to: Place, amount: bigint, change: object = {}) =>
    (await rest.post('/quote/v2', {
      user: accountOn(from[0]),
      recipient: accountOn(to[0], 1),
      originChainId: from[0],
      originCurrency: stack.currencyOn(...from),
      destinationChainId: to[0],
      destinationCurrency: stack.currencyOn(...to),
      amount: `${amount}`,
      tradeType: 'EXACT_INPUT',
      ...change,
    })) as Quote

  async function execute({ steps }: Quote): Promise<void> {
    for (const step of steps) {
      const [item] = step.items
      if (item?.data.chainId === solana) await executeSvmStep(client, user(), item.data)
      else await wallet.execute([step as never])
    }
  }

  const requestIdOf = ({ steps }: Quote): string => steps.at(-1)?.requestId ?? ''

  /** Sends a transaction of a user of the Solana chain. */
  async function send(
    signers: readonly [SvmSigner, ...SvmSigner[]],
    instructions: readonly Instruction[],
  ): Promise<void> {
    const { error } = await sendSvm(client, signers, instructions)
    expect(error).toBeUndefined()
  }

  async function find(requestId: string): Promise<SolverRequest> {
    const found = await stack.store.find(requestId)
    if (found?.execution !== 'solver') throw new Error('Not a request of the solver')
    return found
  }

  const fillsOf = async (requestId: string) =>
    (await stack.store.transactionsOf(requestId)).filter(({ purpose }) => purpose === 'fill')

  /** Waits until a request has its first fill. Returns the attempt. */
  const fillSent = (requestId: string) =>
    vi.waitFor(async () => {
      const [attempt] = (await fillsOf(requestId))[0]?.attempts ?? []
      if (attempt === undefined) throw new Error('No fill is sent')
      return attempt
    }, patience)

  /** Waits for the end of a request. Returns its status. */
  const ended = (requestId: string): Promise<string> =>
    vi.waitFor(async () => {
      const request = await stack.store.find(requestId)
      expect(request && isTerminal(request.state.status)).toBe(true)
      return request?.state.status ?? ''
    }, patience)

  return {
    ethereum,
    rollup,
    solana,
    stack: () => stack,
    /** The node of the Solana chain, whose time tests move. */
    svmNode: () => {
      if (devnet.svmChain === undefined) throw new Error('The devnet has no Solana chain')
      return devnet.svmChain.node
    },
    loseDatabase,
    rest: () => rest,
    client: () => client,
    wallet: () => wallet,
    svmChain,
    user,
    accountOn,
    balance,
    quote,
    execute,
    send,
    find,
    fillsOf,
    fillSent,
    ended,
    requestIdOf,
    /** Quotes and pays an order, and waits for its end. */
    run: async (from: Place, to: Place, amount: bigint, change: object = {}) => {
      const quoted = await quote(from, to, amount, change)
      const before = await balance(to, accountOn(to[0], 1))
      await execute(quoted)
      const requestId = requestIdOf(quoted)
      const status = await ended(requestId)
      const received = (await balance(to, accountOn(to[0], 1))) - before
      return {
        requestId,
        status,
        received,
        minimum: BigInt(quoted.details.currencyOut.minimumAmount),
      }
    },
    /** Waits until the deposits of a request have these states, in the order in which they were made. */
    depositsEnd: (requestId: string, statuses: readonly string[]) =>
      vi.waitFor(async () => {
        const deposits = await stack.store.depositsOf(requestId)
        expect(deposits.map(({ status }) => status)).toEqual(statuses)
      }, patience),
    /** Waits until all deposits of a request are settled. */
    settledDeposits: (requestId: string) =>
      vi.waitFor(async () => {
        const deposits = await stack.store.depositsOf(requestId)
        expect(deposits.map(({ status }) => status)).toEqual(deposits.map(() => 'settled'))
        expect(deposits.length).toBeGreaterThan(0)
        return deposits
      }, patience),
  }
}
