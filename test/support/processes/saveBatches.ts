import { randomBytes } from 'node:crypto'
import type { Hash } from 'viem'
import { evmAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

/**
 * Saves batches of one request per account. Each batch has a deposit and a transaction for its `seq`. Prints `seq`
 * and request id after each save. Runs until it is killed.
 */
const deps = { log: silentLog, bus: createLocalBus() }
const store = await openRequestStore(deps, JSON.parse(process.argv[2] ?? ''))

async function saveForever(account: Hash): Promise<never> {
  const requestId: Hash = `0x${randomBytes(32).toString('hex')}`
  const quoted = quotedRequest(requestId)
  const { user, originCurrency: currency, originChainId: chainId } = quoted
  await store.put(quoted)
  let request = await store.find(requestId)
  for (let seq = 1; request !== undefined; seq += 1) {
    const state = { ...request.state, seq }
    const block = { number: BigInt(seq), hash: requestId }
    const of = { chainId, requestId, version: 0 }
    await store.save({
      requests: [{ ...request, state }],
      deposits: [
        {
          ...of,
          depositId: `${requestId}:${seq}`,
          txHash: requestId,
          timestamp: seq,
          orderId: requestId,
          depositor: evmAddress(user),
          currency: evmAddress(currency),
          amount: toAmount(1n),
          status: 'seen',
        },
      ],
      transactions: [
        {
          ...of,
          transactionId: `fill:${requestId}:${seq}`,
          purpose: 'fill',
          account: evmAddress(account as typeof user),
          nonce: seq,
          depositIds: [],
          spends: [],
          attempts: [],
          status: 'sent',
          createdAt: seq,
        },
      ],
      cursor: { chainId, genesis: requestId, block },
    })
    process.stdout.write(`${seq} ${requestId}\n`)
    request = { ...request, state, version: request.version + 1 }
  }
  throw new Error('The request was not stored')
}

const accounts = ['1', '2', '3'].map((digit): Hash => `0x${digit.repeat(40)}`)
await Promise.all(accounts.map(saveForever))
