import type { Hash } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { type AnvilClient, createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { runChain } from '#src/devnet/runChain.ts'
import { createGasFees } from '#src/market/reads/gasFees.ts'
import { feesOf } from '#src/protocol/steps/buildSteps.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { createTestClient, recordLog } from '#test/support/chains/testChain.ts'
import { patience } from '#test/support/patience.ts'
import { runs } from '#test/support/runs.ts'

const [plan] = chainPlans

let running: Awaited<ReturnType<typeof runChain>>
let anvil: AnvilClient
let client: ChainClient
let accounts: readonly Address[]
beforeAll(async () => {
  const { log } = recordLog()
  running = await runChain({ log, plan, port: 0, traffic: false, ...testPace, pools: [] })
  const { rpcUrl } = running.chain
  anvil = createAnvilClient(rpcUrl)
  client = createTestClient({ rpcUrls: [rpcUrl] })
  accounts = (await anvil.getAddresses()).map(toAddress)
})
afterAll(async () => {
  client.close()
  await running.stop()
})

/** The fees that a quote of this moment names. */
async function quotedFees(): Promise<ReturnType<typeof feesOf>> {
  return feesOf(await createGasFees(client)({ ...(await anvil.getBlock()), gas: null }))
}

type Fields = Parameters<AnvilClient['sendTransaction']>[0]

const send = (account: Address, fields: Partial<Fields>): Promise<Hash> =>
  anvil.sendTransaction({
    account,
    to: account,
    chain: null,
    gas: 21_000n,
    ...fields,
  } as Fields)

/** Waits until the node has nothing left to mine. Returns the transactions that are in no block. */
async function findLost(hashes: readonly Hash[]): Promise<readonly Hash[]> {
  // Between two beats: within one, what anvil has dropped is not back yet.
  const isEmpty = () =>
    running.suspendMining(async () => {
      const { pending, queued } = await anvil.getTxpoolStatus()
      return pending + queued === 0
    })
  await vi.waitUntil(isEmpty, patience)
  const receipts = await Promise.all(
    hashes.map((hash) => anvil.getTransactionReceipt({ hash }).catch(() => undefined)),
  )
  return hashes.filter((_, at) => receipts[at] === undefined)
}

test('mines every transaction with a quote’s fees, also several of one account in a block', async () => {
  const count = runs(500)
  const perAccount = count / accounts.length
  const hashes = await Promise.all(
    accounts.map(async (account) => {
      const sent: Hash[] = []
      // A wallet sends the next one as soon as it has the hash of the last.
      while (sent.length < perAccount)
        sent.push(await send(account, { ...(await quotedFees()), value: 1n }))
      return sent
    }),
  )
  expect(hashes.flat()).toHaveLength(count)
  expect(await findLost(hashes.flat())).toEqual([])
})

test('replacing a transaction keeps the later transactions of its account', async () => {
  const [account] = accounts
  if (account === undefined) throw new Error('anvil has no accounts')
  const fees = await quotedFees()
  const hashes = await running.suspendMining(async () => {
    const nonce = await anvil.getTransactionCount({ address: account })
    const at = (later: number, maxFeePerGas = fees.maxFeePerGas) =>
      send(account, { ...fees, maxFeePerGas, nonce: nonce + later })
    const [, ...waiting] = [await at(0), await at(1), await at(2)]
    return [await at(0, 2n * fees.maxFeePerGas), ...waiting]
  })
  expect(await findLost(hashes)).toEqual([])
})
