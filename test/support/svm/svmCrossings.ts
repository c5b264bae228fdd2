import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { ConfigInput } from '#src/config/config.ts'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'
import { users } from '#src/devnet/accounts.ts'
import { type SvmDevnetSigner, svmUsers } from '#src/devnet/svm/svmAccounts.ts'
import type { SvmChainDescription } from '#src/devnet/svm/svmChainDescription.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { patience } from '#test/support/patience.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'
import {
  createSvmDevnetClient,
  executeSvmStep,
  type SvmStepData,
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

/** The whole stack with its Solana chain, for the tests of a file. */
export function svmCrossings(change: Partial<ConfigInput> = {}) {
  const [ethereum, rollup, solana] = [990001, 990002, 990004] as const
  let stack: Stack
  let rest: RestClient
  let wallet: Wallet
  let client: SvmClient
  beforeAll(async () => {
    stack = await startStack(change, ['gateway', 'tracker', 'solver'], undefined, {
      hasSvm: true,
      settleAfterSeconds: 1,
    })
    rest = await createRestClient(stack.url)
    wallet = createWallet(stack.devnet.description, users[0])
    client = createSvmDevnetClient(svmChain())
  })
  afterAll(async () => {
    client?.close()
    await stack?.stop()
  })

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
    const evm = wallet.clientOn(chainId)
    const holder = account as `0x${string}`
    if (/^0x0+$/.test(currency)) return evm.getBalance({ address: holder })
    return evm.readContract({
      address: currency as `0x${string}`,
      abi: [
        {
          type: 'function',
          name: 'balanceOf',
          stateMutability: 'view',
          inputs: [{ type: 'address' }],
          outputs: [{ type: 'uint256' }],
        },
      ],
      functionName: 'balanceOf',
      args: [holder],
    })
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
    rest: () => rest,
    client: () => client,
    wallet: () => wallet,
    svmChain,
    user,
    accountOn,
    balance,
    quote,
    execute,
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
