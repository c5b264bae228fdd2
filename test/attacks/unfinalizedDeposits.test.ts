import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isTerminal } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'
import { type RpcAnswer, type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { urlOf } from '#test/support/nodes/urlOf.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
let liar: RpcProxy
let honest: RpcProxy
beforeAll(async () => {
  rig = await startBridgingRig(
    async ({ id, rpcUrls }) => {
      if (id !== ethereum) return {}
      const tiers = { depositTiers: [{ upToUsd: '10000', blocks: 1 }], maxUnfinalizedUsd: '15500' }
      const node = urlOf(rpcUrls?.[0])
      liar = await startRpcProxy(node)
      honest = await startRpcProxy(node)
      return { ...tiers, agreeingEndpoints: 2, rpcUrls: [liar.url, honest.url] }
    },
    { finalityBlocks: defaultFinalityBlocks },
  )
  rig.track()
})
afterAll(async () => {
  await rig.stop()
  await liar.stop()
  await honest.stop()
})

const solve = useSolvers(() => rig)

const eth = (thousandths: bigint): bigint => thousandths * 10n ** 15n
/** Ether costs 3,000 dollars on the devnet. */
const dollarsOf = (wei: bigint): bigint => (wei * 3_000n) / 10n ** 18n

/** Bridges ether without a swap to a new recipient. */
const quoteOf = (amount: bigint): Promise<SolverRequest> =>
  rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount,
    recipient: newAccount(),
    refundTo: newAccount(),
    disableOriginSwaps: true,
  })

const filled = ({ recipient }: SolverRequest): Promise<bigint> =>
  rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)

const isCredited = ({ requestId }: SolverRequest) =>
  vi.waitUntil(async () => (await rig.find(requestId)).state.status !== 'waiting', patience)

const shows = ({ requestId }: SolverRequest, status: string) =>
  vi.waitFor(async () => expect((await rig.find(requestId)).state.status).toBe(status), patience)

/** Makes the deposit. Returns its block height and its raw transaction, which can be sent again. */
async function deposit(quoted: SolverRequest) {
  const { transactionHash: hash, blockNumber } = await rig.deposit(quoted)
  const raw = await rig.wallet.clientOn(ethereum).request<{
    Method: 'eth_getRawTransactionByHash'
    Parameters: [Hex]
    ReturnType: Hex
  }>({ method: 'eth_getRawTransactionByHash', params: [hash] })
  return { height: blockNumber, hash, raw }
}

/** Waits until a small honest deposit is filled: the solver has then had every earlier request before it. */
async function fillSmallDeposit(): Promise<void> {
  const small = await quoteOf(eth(10n))
  await rig.deposit(small)
  expect((await rig.outcome(small.requestId)).state.status).toBe('success')
}

it('a reorg of a few blocks removes no deposit of $15,000 that was filled', async () => {
  solve(rollup)
  const quoted = await quoteOf(eth(5_000n))
  const { height, raw } = await deposit(quoted)
  await isCredited(quoted)
  await fillSmallDeposit()
  await rig.reorg(ethereum, height)
  const loss = dollarsOf(await filled(quoted))
  expect(loss, `The deposit is gone, and the solver has paid out $${loss}`).toBe(0n)
  await sendUntilMined(rig.wallet.clientOn(ethereum), [raw])
  await isCredited(quoted)
  await rig.mineUntilFinal(ethereum)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
})

it('does not trust a single endpoint that lies', async () => {
  const quoted = await quoteOf(eth(2_000n))
  const { height, hash } = await deposit(quoted)
  await shows(quoted, 'pending')
  const { logs, ...receipt } = await rig.wallet.clientOn(ethereum).request<{
    Method: 'eth_getTransactionReceipt'
    Parameters: [Hex]
    ReturnType: { logs: { topics: Hex[] }[] }
  }>({ method: 'eth_getTransactionReceipt', params: [hash] })
  await rig.reorg(ethereum, height)
  await shows(quoted, 'waiting')
  const lie = replay(hash, receipt, logs)
  liar.behave({ change: lie.change })
  // The tracker asks an endpoint that answers. The honest one must not answer before the lying one has lied.
  honest.behave({ before: (call) => (lie.isWanted(call) ? lie.answered : Promise.resolve()) })
  await rig.mine(ethereum, 1)
  await shows(quoted, 'pending')
  honest.behave('pass')
  solve(rollup)
  await fillSmallDeposit()
  liar.behave('pass')
  const loss = dollarsOf(await filled(quoted))
  expect(loss, `No chain has the deposit, and the solver has paid out $${loss}`).toBe(0n)
})

type Call = Readonly<{ method: string; params: readonly unknown[] }>

/** Shows a transaction that the chain does not have, with these logs, in the next block that the tracker reads. */
function replay(hash: Hex, receipt: object, logs: readonly Readonly<{ topics: Hex[] }>[]) {
  const [topic = '0x'] = logs[0]?.topics ?? []
  const { promise: answered, resolve: markAnswered } = Promise.withResolvers<void>()
  let block: Readonly<{ blockHash: Hex; blockNumber: Hex }> | undefined
  const moved = () => logs.map((log, at) => ({ ...log, ...block, logIndex: `0x${10_000 + at}` }))
  const blockHashOf = ([first]: Call['params']) => (first as { blockHash?: Hex } | null)?.blockHash
  /** Whether the tracker asks for the logs of a block. The market asks for other topics. */
  const isWanted = ({ method, params }: Call) =>
    method === 'eth_getLogs' &&
    blockHashOf(params) !== undefined &&
    JSON.stringify(params).includes(topic)
  return {
    answered,
    isWanted,
    change: async (call: Call, answer: RpcAnswer): Promise<RpcAnswer> => {
      const { method, params } = call
      if (method === 'eth_getTransactionReceipt' && params[0] === hash)
        return { result: block === undefined ? null : { ...receipt, ...block, logs: moved() } }
      const blockHash = blockHashOf(params)
      if (method !== 'eth_getLogs' || blockHash === undefined || !('result' in answer))
        return answer
      if (block === undefined && isWanted(call)) {
        const { number } = await rig.wallet.clientOn(ethereum).getBlock({ blockHash })
        block = { blockHash, blockNumber: `0x${number.toString(16)}` }
      }
      if (blockHash !== block?.blockHash) return answer
      markAnswered()
      return { result: [...(answer.result as object[]), ...moved()] }
    },
  }
}

it('a reorg costs at most the ceiling of unfinalized exposure', async () => {
  solve(rollup)
  const quotes = [await quoteOf(eth(2_000n)), await quoteOf(eth(2_000n))] as const
  const { height } = await deposit(quotes[0])
  await deposit(quotes[1])
  for (const each of quotes) await isCredited(each)
  // An endpoint that has just failed has no say for a while, so the first fill may have to wait for it.
  await vi.waitUntil(async () => {
    const found = await Promise.all(quotes.map(({ requestId }) => rig.find(requestId)))
    return found.some(({ state }) => isTerminal(state.status))
  }, patience)
  await fillSmallDeposit()
  await rig.reorg(ethereum, height)
  const losses = await Promise.all(quotes.map(filled))
  const loss = dollarsOf(losses.reduce((sum, each) => sum + each))
  expect(loss, `The deposits are gone, and the solver has paid out $${loss}`).toBeLessThan(10_000n)
  expect(losses.filter((each) => each > 0n)).toHaveLength(1)

  // Once the others are final, only what the reorgs took counts: this deposit and two small ones of $30. It does for a day.
  await rig.mineUntilFinal(ethereum)
  const exposureIs = (usd: bigint) =>
    vi.waitFor(async () => expect(await rig.store.exposureUsd(ethereum)).toBe(usd), patience)
  const solver = solve(ethereum)
  await exposureIs(6_060_000_000n)
  await solver.stop()
  solve(ethereum, { now: () => Date.now() + 86_400_000 })
  await exposureIs(0n)
})
