import type { Hash } from 'viem'
import { expect, it, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { ethereum, rollup, units, useQuotes } from '#test/support/gateways/useQuotes.ts'
import { patience } from '#test/support/patience.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { createWallet } from '#test/support/wallets/wallet.ts'

const { stack, wallet, settled, quoteOf } = useQuotes({ roles: ['gateway', 'tracker', 'solver'] })

const statusQuery = `query Status($id: RequestId!) {
  requestStatus(requestId: $id) {
    status details failReason inTxHashes
    steps { name items { status transaction { hash } } }
  }
}`

type Shown = Readonly<{
  status: string
  details: string | null
  failReason: string | null
  inTxHashes: readonly Hash[]
  steps: readonly Readonly<{
    name: string
    items: readonly Readonly<{ status: string; transaction: Readonly<{ hash: Hash }> | null }>[]
  }>[]
}>

async function statusOf(id: string): Promise<Shown> {
  const { data } = await stack().query<{ requestStatus: Shown }, object>(statusQuery, { id })
  if (data?.requestStatus == null) throw new Error(`No request ${id}`)
  return data.requestStatus
}

async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const init = body && { method: 'POST', headers, body: JSON.stringify(body) }
  return (await (await fetch(`${stack().url}${path}`, init)).json()) as Record<string, unknown>
}

const restStatus = (id: string) => ask(`/intents/status/v3?requestId=${id}`)

/** A quote of an ERC-20 whose deposit reverts: nothing is approved. */
async function quoteUnapproved(user: (typeof users)[number]) {
  await settled()
  const { requestId, steps } = await quoteOf([ethereum, 'USDC'], [rollup, 'USDC'], {
    user: user.address,
    recipient: newAccount(),
    amount: units('100', 6),
    disableOriginSwaps: true,
  })
  const [approve, deposit] = steps
  if (approve === undefined || deposit === undefined) throw new Error('It needs no approval')
  const owner = createWallet(stack().devnet.description, user)
  const [receipt] = await owner.execute([deposit])
  expect(receipt?.status).toBe('reverted')
  return { requestId, steps, owner, hash: receipt?.transactionHash ?? '0x' }
}

const detailsOf = (hash: Hash) =>
  `The deposit ${hash} on chain ${ethereum} reverted. Only gas was spent. Send it again, or ask for a new quote.`

it.each([
  ['named with its request', true],
  ['named without a request', false],
] as const)('shows a reverted deposit, %s, and fills the next deposit', async (_, named) => {
  const [, first, second] = users
  const { requestId, steps, owner, hash } = await quoteUnapproved(named ? first : second)
  await ask('/transactions/index', {
    txHash: hash,
    chainId: `${ethereum}`,
    ...(named && { requestId }),
  })
  await vi.waitUntil(async () => (await statusOf(requestId)).details !== null, patience)
  expect(await statusOf(requestId)).toEqual({
    status: 'waiting',
    details: detailsOf(hash),
    failReason: null,
    inTxHashes: [],
    steps: [
      { name: 'APPROVE', items: [{ status: 'waiting', transaction: null }] },
      { name: 'DEPOSIT', items: [{ status: 'reverted', transaction: { hash } }] },
    ],
  })
  expect(await restStatus(requestId)).toMatchObject({
    status: 'waiting',
    details: detailsOf(hash),
    failReason: 'N/A',
    inTxHashes: [],
  })

  const [, deposited] = await owner.execute(steps)
  await vi.waitUntil(async () => (await statusOf(requestId)).status === 'success', patience)
  expect(await statusOf(requestId)).toMatchObject({
    details: null,
    inTxHashes: [deposited?.transactionHash],
    steps: [
      { items: [{ status: 'implied' }] },
      { items: [{ status: 'confirmed', transaction: { hash: deposited?.transactionHash } }] },
    ],
  })
  expect(await restStatus(requestId)).not.toHaveProperty('details')
})

it('does not show a reverted transaction of another account', async () => {
  const [, , , user, other] = users
  const { requestId, steps } = await quoteUnapproved(user)
  const stranger = createWallet(stack().devnet.description, other)
  const deposit = steps.at(-1)
  if (deposit === undefined) throw new Error('No deposit')
  const [receipt] = await stranger.execute([deposit])
  expect(receipt?.status).toBe('reverted')
  const index = (txHash: Hash | undefined) =>
    ask('/transactions/index', { txHash, chainId: `${ethereum}`, requestId })
  await index(receipt?.transactionHash)
  // The tracker inspects one after the other: the user's own comes last.
  const [own] = await createWallet(stack().devnet.description, user).execute([deposit])
  await index(own?.transactionHash)
  await vi.waitUntil(async () => (await statusOf(requestId)).details !== null, patience)
  expect((await statusOf(requestId)).details).toBe(detailsOf(own?.transactionHash ?? '0x'))
  expect(wallet().address).not.toBe(user.address)
})
