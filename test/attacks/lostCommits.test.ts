import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { countAt } from '#src/chains/read/transactionCount.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { solver as solverKey } from '#src/devnet/accounts.ts'
import { reconcileNonces } from '#src/reconcile/reconcileNonces.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { newAccount } from '#test/support/chains/newAccount.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { losingStore } from '#test/support/store/losingStore.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const quoteOf = (): Promise<SolverRequest> =>
  rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount: 10n ** 17n,
    recipient: newAccount(),
    refundTo: newAccount(),
    disableOriginSwaps: true,
  })

const filled = ({ recipient }: SolverRequest): Promise<bigint> =>
  rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)

/** Counts how often the solver has asked for the nonces of its account: twice a round. */
function countRounds(client: ChainClient) {
  let asks = 0
  const ask: ChainClient['ask'] = (request, ...rest) => {
    if (request.method === 'eth_getTransactionCount') asks += 1
    return client.ask(request, ...rest)
  }
  return { client: { ...client, ask }, rounds: () => Math.floor(asks / 2) }
}

it('stops the account at a nonce that the store does not have, until an operator accepts it', async () => {
  const account = privateKeyToAccount(solverKey.privateKey)
  const anvil = rig.wallet.clientOn(rollup)
  const nonce = await anvil.getTransactionCount(account)
  const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 9n }
  const raw = await account.signTransaction({
    ...{ ...fees, type: 'eip1559', chainId: rollup, nonce, to: newAccount(), gas: 21_000n },
  })
  await sendUntilMined(anvil, [raw])
  const solver = solve(rollup)
  await vi.waitUntil(() => solver.status().unknownNonces === 1, patience)
  const quoted = await quoteOf()
  await rig.deposit(quoted)

  const reconcile = (accept?: number) =>
    reconcileNonces(
      {
        store: rig.store,
        now: Date.now,
        countAt: (block) => countAt(rig.clientOn(rollup), rig.solverAddress, block),
      },
      { chainId: rollup, account: rig.solverAddress, ...(accept !== undefined && { accept }) },
    )
  const found = { mined: nonce + 1, pending: nonce + 1, stored: nonce }
  expect(await reconcile()).toEqual({ ...found, outcome: 'unknown' })
  for (const wrong of [nonce, nonce + 2])
    await expect(reconcile(wrong)).rejects.toThrow(`The nonce ${wrong} is not accepted`)
  expect(await rig.store.transactionsOf(quoted.requestId)).toEqual([])
  expect(await reconcile(nonce + 1)).toEqual({ ...found, outcome: 'accepted' })
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(solver.status().unknownNonces).toBe(0)
  expect(await reconcile()).toMatchObject({ outcome: 'known' })
})

it('pays once if the database loses the commit of a fill that was sent', async () => {
  const quoted = await quoteOf()
  const isFill = ({ purpose }: { purpose: string }) => purpose === 'fill'
  const primary = losingStore(rig.store, ({ transactions = [] }) => transactions.some(isFill))
  const first = solve(rollup, { store: primary })
  await rig.deposit(quoted)
  await vi.waitUntil(async () => (await filled(quoted)) > 0n, patience)
  await first.stop()

  const { client, rounds } = countRounds(rig.clientOn(rollup))
  const second = solve(rollup, { client })
  await vi.waitUntil(
    async () => rounds() > 5 || isTerminal((await rig.find(quoted.requestId)).state.status),
    patience,
  )
  const gained = (await filled(quoted)) - quoted.amountOut
  expect(gained, `the recipient gained ${gained} wei beside the fill`).toBe(0n)
  expect(second.status().unknownNonces).toBe(1)
})
