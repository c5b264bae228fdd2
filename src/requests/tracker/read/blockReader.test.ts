import fc from 'fast-check'
import { encodeAbiParameters, type Hash, pad, toEventSelector } from 'viem'
import { expect, it } from 'vitest'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import { parseLogs } from '#src/chains/rpc/rpcAnswer.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { Payer } from '#src/requests/trackingStore.ts'
import {
  noise,
  type Payment,
  plainTransfer,
  recordedDeposit,
  transferLog,
} from '#test/support/chains/payments.ts'
import { createPaymentsChain } from '#test/support/chains/paymentsChain.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { runs } from '#test/support/runs.ts'
import { partialStore } from '#test/support/store/partialStore.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createBlockReader } from './blockReader.ts'
import { readEvents } from './readEvents.ts'

const accountOf = (at: number): Address => toAddress(`0x${at.toString(16).padStart(40, '0')}`)
const idOf = (at: number): Hash => `0x${at.toString(16).padStart(64, '0')}`
const [depository, router, approvalProxy] = [accountOf(0xd1), accountOf(0xd2), accountOf(0xd3)]
const [currency, hostile, wrappedNative] = [accountOf(0xc1), accountOf(0xc2), accountOf(0xc3)]
const users = [accountOf(0xa1), accountOf(0xa2), accountOf(0xa3)] as const
const tracked = {
  chainId: toChainId(990_001),
  wrappedNative,
  depositCurrencies: new Set([currency]),
  contracts: { depository, router, approvalProxy },
}

/** A request for the own swap of each user; the transaction of each is a send of 5 units. */
const requests = users.map((user, at): StoredRequest => {
  const { orderId, order, inputs, fill, funding, ...shared } = quotedRequest(
    idOf(at + 1),
  ) as Extract<QuotedRequest, { execution: 'solver' }>
  const call = sendOf(user, at, '')
  const [step] = shared.steps
  const data = { ...step?.items[0]?.data, from: user, to: call.to, data: call.input }
  return {
    ...shared,
    user,
    execution: 'user',
    originCurrency: currency,
    amountIn: toAmount(5n),
    steps: [{ ...step, items: [{ status: 'incomplete', data }] }],
  } as unknown as StoredRequest
})

function sendOf(from: Address, at: number, name: string): Payment {
  return plainTransfer(accountOf(0xb1), { name, from, currency, amount: 5n, id: idOf(at + 1) })
}

const payment = fc.record({
  kind: fc.constantFrom('deposit', 'plain', 'send', 'relayed', 'transfer', 'wrap', 'named'),
  user: fc.nat(2),
  of: fc.constantFrom(currency, hostile, wrappedNative),
  by: fc.constantFrom(router, hostile),
})
type Paid = typeof payment extends fc.Arbitrary<infer Value> ? Value : never

const topics = { wrap: 'Deposit(address,uint256)', named: 'RouterMulticall(address,bytes)' }

function paymentOf({ kind, user: at, of, by }: Paid, name: string): Payment {
  const user = users[at] ?? users[0]
  const paid = { name, from: user, currency: of, amount: 5n, id: idOf(at + 1) }
  const send = sendOf(user, at, name)
  const run = {
    address: by,
    topics: [toEventSelector(topics.named)],
    data: encodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }],
      [approvalProxy, idOf(at + 1)],
    ),
  }
  switch (kind) {
    case 'deposit':
      return recordedDeposit(depository, paid)
    case 'plain':
      return plainTransfer(depository, paid)
    case 'send':
      return send
    // Sent by a bundler for a contract wallet: the user's own log is the evidence.
    case 'relayed':
      return { ...send, from: accountOf(0xb2) }
    case 'transfer':
      return noise(name, user, [transferLog(of, { from: user, to: depository, amount: 5n })])
    case 'wrap': {
      const wrap = { address: of, topics: [toEventSelector(topics.wrap), pad(user)] }
      return noise(name, user, [{ ...wrap, data: idOf(5) }])
    }
    case 'named':
      return { ...send, from: accountOf(0xb2), events: [...send.events, run] }
  }
}

const case_ = fc.record({
  blocks: fc.array(fc.array(payment, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  /** Above this height all bloom filters are empty. */
  bloomsUntil: fc.bigInt(1n, 4n),
  /** Which users await their swap. Undefined: too many do. */
  awaiting: fc.option(fc.subarray([0, 1, 2]), { nil: undefined }),
  /** Contracts whose logs no bloom filter has: all, as on some rollups, or those that the system calls. */
  unbloomed: fc.constantFrom<readonly Address[]>(...[[], [depository], [depository, router]], [
    depository,
    currency,
    router,
    hostile,
    wrappedNative,
  ]),
})

it('finds the same events as a read of every log, for any bloom filters', async () => {
  const met = { deposits: 0, plain: 0, swaps: 0, runs: 0 }
  await fc.assert(
    fc.asyncProperty(case_, async ({ blocks, bloomsUntil, awaiting, unbloomed }) => {
      const bloomHas = (address: Address, height: bigint) =>
        height <= bloomsUntil && !unbloomed.includes(address)
      const chain = createPaymentsChain({ timestamp: 1_790_000_000, finalityDepth: 1, bloomHas })
      const { client } = chain.connect([{}])
      const waiting = (awaiting ?? [0, 1, 2]).map(
        (at): Payer => ({ user: users[at] ?? users[0], currency }),
      )
      const store = partialStore({
        findAll: async (ids: readonly string[]) =>
          requests.filter(({ requestId }) => ids.includes(requestId)),
        awaitedPayers: async (_: unknown, payers: readonly Payer[]) =>
          payers.filter((each) =>
            waiting.some(({ user }) => user === each.user && each.currency === currency),
          ),
        allAwaitedPayers: async () => (awaiting === undefined ? undefined : waiting),
      })
      const signal = new AbortController().signal
      const readBlock = createBlockReader({ client, log: silentLog, store }, tracked)
      for (const [at, payments] of blocks.entries()) {
        chain.mine(payments.map((each, place) => paymentOf(each, `${at} ${place}`)))
        const header = await readHeaderAt(client, BigInt(at + 1))
        if (header === undefined) throw new Error('No block')
        const request = { method: 'eth_getLogs', params: [{ blockHash: header.hash, topics: [] }] }
        const logs = (await client.ask(request, parseLogs)) ?? []
        const events = await readEvents({ client, store }, tracked, { ...header, logs }, signal)
        const read = await readBlock(header, signal)
        expect(await readEvents({ client, store }, tracked, read, signal)).toEqual(events)
        met.deposits += events.deposits.filter(({ record }) => record !== undefined).length
        met.plain += events.deposits.filter(({ record }) => record === undefined).length
        met.swaps += events.swaps.length
        met.runs += events.runs.length
      }
    }),
    { numRuns: runs(300, 150) },
  )
  expect(Object.values(met).every((times) => times > 0)).toBe(true)
})

it('sends a node two requests for a block without payments, and none for the transactions of others', async () => {
  const chain = createPaymentsChain({ timestamp: 1_790_000_000, finalityDepth: 1 })
  const { client, sent } = chain.connect([{}])
  const awaited = Array.from({ length: 1_500 }, (_, at) => ({
    user: accountOf(0x1000 + at),
    currency,
  }))
  const store = partialStore({
    findAll: async () => [],
    allAwaitedPayers: async () => awaited,
  })
  const readBlock = createBlockReader({ client, log: silentLog, store }, tracked)
  const spam = Array.from({ length: 40 }, (_, at) => {
    const transfer = { from: accountOf(0xe00 + at), to: depository, amount: 1n }
    return noise(`spam ${at}`, hostile, [transferLog(hostile, transfer)])
  })
  for (let height = 1n; height <= 3n; height += 1n) {
    chain.mine(spam)
    const header = await readHeaderAt(client, height)
    if (header === undefined) throw new Error('No block')
    sent.length = 0
    expect((await readBlock(header, new AbortController().signal)).logs).toEqual([])
  }
  expect(sent.map(({ method, params }) => ({ method, params }))).toMatchInlineSnapshot(`
    [
      {
        "method": "eth_getLogs",
        "params": [
          {
            "address": [
              "0x00000000000000000000000000000000000000d1",
              "0x00000000000000000000000000000000000000d2",
            ],
            "blockHash": "0x335c69ff8fc1f879ae13b68aa507973dfb42539f861e13922f0b1a4b74f2f379",
            "topics": [
              [
                "0x8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477",
                "0x49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e1",
                "0x46c2216241d96d6e66d4c4167daf35ec8128f071fa007461204724ff5f7b35d8",
                "0xb73380adf63287700849d7f49a534bd0e8fba084c6d20c250a2de24be74d2e6f",
                "0x3dac79845d4b63cb85d1a68582c461c6298fbd26cfacd8a88d0f145fc39340ef",
                "0xb79bedda498c1cccf46fe8f24a27a5405a25186994fc12cfd72886efa2ba9141",
                "0x3cd3ef084c965559733c3eb57698eaa15794be9d5a3ff3fe2a53612aa77a0166",
                "0xcceda04bf5b3b12ed328861c4d5132ccde0b298bd9775393c6d7db3357c1dab5",
              ],
            ],
          },
        ],
      },
    ]
  `)
})
