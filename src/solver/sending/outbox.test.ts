import { type Hex, parseTransaction, RpcRequestError } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { toAddress } from '#src/core/units/address.ts'
import { solver as solverKey } from '#src/devnet/accounts.ts'
import { soleLease } from '#src/requests/lease.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { newSigner, signAuthorization } from '#test/support/fixtures/signAuthorization.ts'
import { createOutbox } from './outbox.ts'

type Deps = Parameters<typeof createOutbox>[0]

const chainId = 990002
const account = privateKeyToAccount(solverKey.privateKey)
const solver = toAddress(account.address)
const target = toAddress(`0x${'ab'.repeat(20)}`)
const fees = { maxFeePerGas: 10n, maxPriorityFeePerGas: 2n }

/** An outbox whose store takes everything, and the transactions that it stores. */
async function openOutbox() {
  const saved: SolverTransaction[] = []
  const store = {
    nextNonce: async () => 0,
    save: async ({ transactions = [] }: Batch) => {
      saved.push(...transactions)
      return 'saved'
    },
  }
  let isPoor = false
  const client = {
    ask: async ({ method }: { method: string }, parse: (answer: unknown) => unknown) => {
      if (isPoor && method === 'eth_estimateGas')
        throw new RpcRequestError({
          body: {},
          url: '',
          error: { code: -32_000, message: 'insufficient funds for gas' },
        })
      return parse('0x5208')
    },
  }
  const outbox = createOutbox(
    {
      client,
      store,
      lease: soleLease,
      log: createLog('silent'),
      account,
      now: () => 0,
    } as unknown as Deps,
    { chain: { id: chainId }, solver } as Parameters<typeof createOutbox>[1],
  )
  const head = { baseFeePerGas: 7n, number: 1n }
  await outbox.open({ head, nonces: { mined: 0, pending: 0 }, open: [] } as never)
  const lastRaw = () => saved.at(-1)?.attempts.at(-1)?.raw ?? ('0x' as Hex)
  const spendAll = () => {
    isPoor = true
  }
  return { outbox, spendAll, last: () => saved.at(-1) as SolverTransaction, lastRaw }
}

const nothing = { depositIds: [], spends: [] } as const

it('keeps authorizations when it raises the fees of a fill, and drops them when it cancels the fill', async () => {
  const { outbox, last, lastRaw } = await openOutbox()
  const { authority: _, ...signed } = await signAuthorization(newSigner(), {
    chainId,
    address: target,
    nonce: 3,
  })
  const unsent = { transactionId: 'fill:1', purpose: 'relayedCall', ...nothing } as const
  const call = { to: target, data: '0x01', value: 5n, authorizationList: [signed] } as const
  await outbox.send({ ...unsent, call, gas: 90_000n }, fees, (each) => ({ transactions: [each] }))
  const first = parseTransaction(lastRaw())
  expect(first).toMatchObject({ type: 'eip7702', nonce: 0, value: 5n, ...fees })
  const raised = { maxFeePerGas: 20n, maxPriorityFeePerGas: 4n }
  await outbox.replace(last(), raised, (each) => ({ transactions: [each] }))
  const { r, s, v, yParity, ...second } = parseTransaction(lastRaw())
  expect(second.authorizationList).toEqual(first.authorizationList)
  expect(second).toMatchObject({ type: 'eip7702', nonce: 0, value: 5n, gas: 90_000n, ...raised })
  await outbox.cancel(last(), { maxFeePerGas: 40n, maxPriorityFeePerGas: 8n })
  expect(parseTransaction(lastRaw())).toMatchObject({ type: 'eip1559', nonce: 0 })
  await outbox.flushed()
})

it('leaves a transaction as it is while the gas of its cancellation cannot be estimated', async () => {
  const { outbox, last, spendAll } = await openOutbox()
  const unsent = { transactionId: 'fill:1', purpose: 'relayedCall', ...nothing } as const
  const call = { to: target, data: '0x01', value: 5n } as const
  await outbox.send({ ...unsent, call, gas: 90_000n }, fees, (each) => ({ transactions: [each] }))
  const sent = last()
  spendAll()
  expect(await outbox.cancel(sent, { maxFeePerGas: 40n, maxPriorityFeePerGas: 8n })).toBe(
    'conflict',
  )
  expect(last()).toBe(sent)
  await outbox.flushed()
})
