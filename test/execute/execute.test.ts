import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Authorization } from '#src/core/units/authorization.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { allGasCode, burnerCode, counterCode } from '#test/support/fixtures/byteCodes.ts'
import { contractAttacks } from '#test/support/fixtures/contractAttacks.ts'
import { createGaslessUser } from '#test/support/gateways/gaslessUser.ts'
import { type Answer, startRelayedStack } from '#test/support/gateways/relayedStack.ts'
import { executeSdkBatch } from '#test/support/gateways/sdkBatch.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import { batchOf } from '#test/support/wallets/batchCalls.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

const [ethereum, rollup] = [990001, 990002] as const

let rig: Awaited<ReturnType<typeof startRelayedStack>>
beforeAll(async () => {
  rig = await startRelayedStack()
})
afterAll(() => rig.stack.stop())

describe('a wallet without native currency', () => {
  it('approves and deposits in one batch, and its request succeeds', async () => {
    const { requestId, calls } = await rig.quoteOf(rig.user)
    const data = {
      to: rig.user.account.address,
      data: batchOf(calls),
      authorizationList: [await rig.sign(rig.user)],
    }
    const options = { ...rig.unpaid, requestId, originGasOverhead: 80_000 }
    const accepted = { status: 200, body: { message: 'Transaction submitted', requestId } }
    expect(await rig.execute(data, options, rig.keys.plain)).toEqual(accepted)
    // The same once more, as a client does that has lost the answer.
    expect(await rig.execute(data, options, rig.keys.plain)).toEqual(accepted)
    expect((await rig.statusOf(requestId))['status']).toMatch(
      /depositing|pending|submitted|success/,
    )
    expect(await rig.outcomeOf(requestId)).toMatchObject({ status: 'success' })
    expect(await rig.user.client.getBalance({ address: rig.user.account.address })).toBe(0n)
    expect(await rig.user.balanceOf('USDC')).toBe(450_000_000n)
    await vi.waitUntil(
      async () => (await rig.stack.store.relayedCallsOf(requestId))[0]?.status === 'succeeded',
      { timeout: waitLimitMs, interval: 50 },
    )
    const relayed = await rig.stack.store.relayedCallsOf(requestId)
    expect(relayed).toMatchObject([{ status: 'succeeded', apiKey: 'plain', isQuoted: true }])
    const [{ txHash = '0x', gas, maxCost, chargedUsd } = {} as never] = relayed
    const receipt = await rig.user.client.getTransactionReceipt({ hash: txHash })
    expect([receipt.from, receipt.type]).toEqual([rig.relayer, 'eip7702'])
    expect(receipt.gasUsed).toBeLessThan(gas)
    const cost = receipt.gasUsed * receipt.effectiveGasPrice
    expect(cost).toBeLessThan(maxCost)
    // Charged what was spent, at about $3,000 an ether.
    expect(chargedUsd).toBeGreaterThan(0n)
    expect(Number(chargedUsd) / 1e6).toBeLessThan((Number(maxCost) / 1e18) * 10_000)
    expect((await rig.stack.store.gasChargedUsd('plain', 0)) as bigint).toBe(chargedUsd)
    const shown = await rig.ask(
      `query ($id: RequestId!) { relayedCalls(requestId: $id) { status transactionHash failReason } }`,
      { id: requestId },
    )
    expect(shown).toEqual({
      data: {
        relayedCalls: [{ status: 'SUCCEEDED', transactionHash: txHash, failReason: null }],
      },
    })
    // The signature of the authorization is shown nowhere.
    expect(JSON.stringify(await rig.statusOf(requestId))).not.toContain(
      data.authorizationList[0]?.r.slice(2),
    )
    const again = await rig.execute({ to: newAccount() }, { requestId, ...rig.unpaid })
    expect([again.status, again.body['message']]).toEqual([
      400,
      'requestId: the request is success, and awaits no deposit.',
    ])
  })
})

it('the official SDK sends a quote as one batch of a wallet without native currency', async () => {
  const user = await createGaslessUser(rig.stack, ethereum, { USDC: 60_000_000n })
  const { requestId, reported } = await executeSdkBatch({
    url: rig.stack.url,
    apiKey: rig.keys.app,
    user,
    chainId: ethereum,
    executor: rig.multicall3,
    order: {
      currency: user.addressOf('USDC'),
      amount: '50000000',
      recipient: newAccount(),
      toChainId: rollup,
      toCurrency: rig.stack.currencyOn(rollup, 'USDC'),
    },
  })
  const stages = ['signing_authorization', 'signing_batch', 'submitting', 'polling', 'success']
  expect(reported).toEqual(stages)
  expect(await rig.statusOf(requestId)).toMatchObject({ status: 'success' })
  expect(await user.balanceOf('USDC')).toBe(10_000_000n)
  expect(await user.client.getBalance({ address: user.account.address })).toBe(0n)
})

describe('a call without a request', () => {
  it('is sent once for an idempotency key, over both APIs, and has a status', async () => {
    const counter = await rig.place(counterCode)
    const options = { idempotencyKey: 'count-1' }
    const first = await rig.execute({ to: counter }, options)
    expect(first.status).toBe(200)
    const requestId = String(first.body['requestId'])
    const overGraphql = await rig.ask(
      `mutation ($input: ExecuteInput!) { execute(input: $input) { message requestId } }`,
      {
        input: { chainId: ethereum, to: counter, data: '0x', subsidizeFees: true, ...options },
      },
      rig.keys.app,
    )
    expect(overGraphql).toEqual({ data: { execute: first.body } })
    expect(await rig.outcomeOf(requestId)).toMatchObject({
      status: 'success',
      originChainId: ethereum,
      failReason: 'N/A',
      txHashes: [expect.stringMatching(/^0x/)],
    })
    expect(await rig.user.client.getStorageAt({ address: counter, slot: '0x0' })).toMatch(/^0x0*1$/)
    const other = await rig.execute({ to: newAccount() }, options)
    expect([other.status, other.body['message']]).toEqual([
      400,
      'idempotencyKey: was used for another call.',
    ])
    // Another client's key of the same name is another one.
    expect(JSON.stringify(await rig.execute({ to: counter }, options, rig.keys.poor))).toContain(
      'BUDGET',
    )
  })

  it('may take only currencies that somebody sent the relayer by mistake', async () => {
    const thief = newAccount()
    const transfer = (amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [thief, amount] })
    const currency = rig.user.addressOf('USDC')
    const empty = await rig.execute({ to: currency, data: transfer(1n) })
    expect([empty.status, empty.body['errorCode']]).toEqual([400, 'CALL_REVERTED'])
    const held = await rig.user.client.getBalance({ address: rig.relayer })
    const stray = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [rig.relayer, 7n],
    })
    const batch = batchOf([{ to: currency, data: stray }])
    const gift = await rig.execute({ to: rig.user.account.address, data: batch })
    await rig.outcomeOf(String(gift.body['requestId']))
    const taken = await rig.execute({ to: currency, data: transfer(7n) })
    expect(await rig.outcomeOf(String(taken.body['requestId']))).toMatchObject({
      status: 'success',
    })
    expect(await rig.user.balanceOf('USDC', thief)).toBe(7n)
    // Gas alone has left it.
    const spent = held - (await rig.user.client.getBalance({ address: rig.relayer }))
    expect(spent).toBeLessThan(10n ** 16n)
  })
})

describe('a call is refused, and nothing is sent', () => {
  let sent: number
  const nonce = () => rig.user.client.getTransactionCount({ address: rig.relayer })
  beforeAll(async () => {
    sent = await nonce()
  })
  afterAll(async () => {
    expect(await nonce()).toBe(sent)
  })

  const refused = ({ status, body }: Answer, code: string, words: RegExp) => {
    expect([body['errorCode'], status]).toEqual([code, body['statusCode']])
    expect(body['message']).toMatch(words)
    expect(body['error']).toBe(body['message'])
  }

  it('without an API key, or with an unknown one', async () => {
    const none = await rig.post('/execute', rig.bodyOf({ to: newAccount() }))
    refused(none, 'UNAUTHORIZED', /x-api-key/)
    expect(none.status).toBe(401)
    refused(
      await rig.execute({ to: newAccount() }, {}, 'unknown-key-1234567'),
      'UNAUTHORIZED',
      /unknown/,
    )
  })

  it('with a list of all wrong fields, also if it sends value', async () => {
    const { status, body } = await rig.post(
      '/execute',
      {
        executionKind: 'userOperation',
        data: { chainId: ethereum, data: '0x1', value: '1', to: '0x12' },
        executionOptions: { subsidizeFees: 'yes' },
        idempotencyKey: '',
        surprise: 1,
      },
      rig.keys.app,
    )
    expect([status, body['errorCode']]).toEqual([400, 'INVALID_REQUEST'])
    const { issues } = body['errorData'] as unknown as { issues: { path: string[] }[] }
    expect(issues.map(({ path }) => path.join('.')).sort()).toEqual([
      ...['data.data', 'data.to', 'data.value', 'executionKind'],
      ...['executionOptions.subsidizeFees', 'idempotencyKey', 'surprise'],
    ])
    refused(
      await rig.execute({ to: newAccount(), value: '0x1' }),
      'INVALID_REQUEST',
      /sends no value/,
    )
  })

  it('if it has calls on the destination chain, which belong in the quote', async () => {
    const destinationChainExecutionData = { calls: [] }
    const executionOptions = { subsidizeFees: true, destinationChainExecutionData }
    const answer = await rig.execute({ to: newAccount() }, { executionOptions })
    refused(answer, 'UNSUPPORTED_EXECUTION_TYPE', /quote with txs/)
  })

  it('without a sponsor, or with a key that is not a sponsor’s', async () => {
    refused(
      await rig.execute({ to: newAccount() }, rig.unpaid),
      'INVALID_REQUEST',
      /sponsor has to pay/,
    )
    refused(
      await rig.execute({ to: newAccount() }, {}, rig.keys.plain),
      'FORBIDDEN',
      /not a sponsor/,
    )
  })

  it('beyond the budget of the key', async () => {
    const answer = await rig.execute({ to: newAccount() }, {}, rig.keys.poor)
    refused(answer, 'GAS_BUDGET_EXCEEDED', /may spend \$0\.000001 on gas within 24 hours/)
    expect(answer.status).toBe(429)
  })

  it('on an unknown chain, and to the relayer itself', async () => {
    const data = { chainId: 1, to: newAccount() }
    refused(await rig.execute(data), 'UNSUPPORTED_CHAIN', /chain 1 is not supported/)
    refused(await rig.execute({ to: rig.relayer }), 'INVALID_REQUEST', /relayer itself/)
  })

  it('if it uses more gas than the relayer’s limit, or burns all gas', async () => {
    const big = await rig.execute({ to: await rig.place(burnerCode(25_000)) })
    refused(big, 'INVALID_REQUEST', /uses \d+ gas, more than the 500000/)
    refused(await rig.execute({ to: await rig.place(allGasCode) }), 'CALL_REVERTED', /would revert/)
  })

  it('by our contracts, because they give the relayer no rights', async () => {
    const contracts = rig.stack.contractsOn(ethereum)
    const currency = rig.user.addressOf('USDC')
    const attacks = contractAttacks(contracts, { relayer: rig.relayer, currency })
    for (const attack of attacks)
      refused(await rig.execute(attack), 'CALL_REVERTED', /would revert/)
  })

  describe('for a request', () => {
    it('that is unknown, with status 404', async () => {
      const requestId = `0x${'12'.repeat(32)}`
      const answer = await rig.execute({ to: newAccount() }, { ...rig.unpaid, requestId })
      refused(answer, 'UNKNOWN_REQUEST', /Unknown request/)
      expect(answer.status).toBe(404)
    })

    it('if it makes no deposit or only a part of it', async () => {
      const poor = await createGaslessUser(rig.stack, ethereum, { USDC: 60_000_000n })
      sent = await nonce()
      const { requestId, calls } = await rig.quoteOf(poor)
      const options = { ...rig.unpaid, requestId }
      const [approval] = calls
      const authorizationList = [await rig.sign(poor)]
      const to = poor.account.address
      if (approval === undefined) throw new Error('The quote has no approval')
      const only = { to, data: batchOf([approval]), authorizationList }
      refused(await rig.execute(only, options), 'INVALID_REQUEST', /makes no deposit/)
      const { orderId } = (await rig.stack.store.find(requestId)) as never as { orderId: Hex }
      const args = [to, poor.addressOf('USDC'), 1n, orderId] as const
      const least = encodeFunctionData({
        abi: depository.abi,
        functionName: 'depositErc20',
        args,
      })
      const tiny = [approval, { to: rig.stack.contractsOn(ethereum).depository, data: least }]
      const small = { to, data: batchOf(tiny), authorizationList }
      refused(await rig.execute(small, options), 'INVALID_REQUEST', /deposits less/)
      // A forged signature is that of some other account: the user's own has no code then, and does nothing.
      const [real] = authorizationList
      const forged = {
        ...(real as never as Authorization),
        nonce: 0,
        r: `0x${'11'.repeat(32)}` as const,
      }
      const { authority: __, ...given } = forged
      const batch = { to, data: batchOf(calls), authorizationList: [given] }
      const answer = await rig.execute(batch, options)
      expect([answer.status, answer.body['errorCode']]).toEqual([400, 'INVALID_REQUEST'])
      // A stale one, and one for another chain, are named by their field.
      for (const [change, path] of [
        [{ nonce: 5 }, 'nonce'],
        [{ chainId: rollup }, 'chainId'],
      ] as const) {
        const list = [await rig.sign(poor, change)]
        const stale = await rig.execute({ ...batch, authorizationList: list }, options)
        refused(stale, 'INVALID_REQUEST', new RegExp(`authorizationList\\.0\\.${path}: Must be`))
      }
      expect(await rig.statusOf(requestId)).toMatchObject({ status: 'waiting' })
      expect(await rig.stack.store.relayedCallsOf(requestId)).toEqual([])
    })
  })
})
