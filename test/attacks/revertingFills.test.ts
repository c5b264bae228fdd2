import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { evmGas, type GasMarket } from '#src/core/pricing/gas/gas.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { isCancellation } from '#src/requests/state/solverTransaction.ts'
import type { SolverMarket } from '#src/solver/ports.ts'
import { makeFinal } from '#test/support/rigs/makeFinal.ts'
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
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const quoteOf = (from = ethereum, to = rollup): Promise<SolverRequest> =>
  rig.quote([from, 'ETH'], [to, 'ETH'], {
    amount: 10n ** 17n,
    recipient: newAccount(),
    refundTo: newAccount(),
    disableOriginSwaps: true,
  })

const transactionsOf = async ({ requestId }: SolverRequest, of: string) =>
  (await rig.store.transactionsOf(requestId)).filter(({ purpose }) => purpose === of)

/** The gas, in wei, that the mined attempts of transactions have cost the solver. */
async function gasOf(
  chainId: ChainId,
  transactions: readonly (SolverTransaction | undefined)[],
): Promise<bigint> {
  const anvil = rig.wallet.clientOn(chainId)
  const hashes = transactions.flatMap((each) => each?.attempts ?? [])
  const receipts = await Promise.all(
    hashes.map(({ hash }) =>
      anvil.getTransactionReceipt({ hash: evmHash(hash) }).catch(() => null),
    ),
  )
  return receipts.reduce(
    (total, each) => total + (each === null ? 0n : each.gasUsed * each.effectiveGasPrice),
    0n,
  )
}

/** Bytecode that reverts if the gas price is not zero, as in a block. */
const revertsAtAPrice = '0x3a156008575f5ffd5b00'
const burnsAllGas = '0x5b600056'

it('sends no fill to a recipient that accepts only simulations', async () => {
  const quoted = await quoteOf()
  const { recipient: address } = quoted
  await rig.wallet
    .clientOn(rollup)
    .setCode({ address: evmAddress(address), bytecode: revertsAtAPrice })
  for (const chainId of [ethereum, rollup]) solve(chainId)
  await rig.deposit(quoted)
  const burnt = async () => gasOf(rollup, await transactionsOf(quoted, 'fill'))
  await vi.waitUntil(
    async () => (await burnt()) > 0n || isTerminal((await rig.find(quoted.requestId)).state.status),
    patience,
  )
  const lost = await burnt()
  expect(lost, `the solver lost ${lost} wei of gas to a request`).toBe(0n)
  expect((await rig.outcome(quoted.requestId)).state).toMatchObject({
    status: 'refund',
    failReason: 'EXECUTION_REVERTED',
  })
})

/** A client on whose chain an account has no code in simulations, and burns all gas in blocks. */
function turning(chainId: ChainId, address: Address): ChainClient {
  const client = rig.clientOn(chainId)
  const codes: Record<string, Hex> = {
    eth_estimateGas: '0x',
    eth_sendRawTransaction: burnsAllGas,
  }
  const ask: ChainClient['ask'] = async (request, ...rest) => {
    const bytecode = codes[request.method]
    if (bytecode !== undefined) await rig.wallet.clientOn(chainId).setCode({ address, bytecode })
    return client.ask(request, ...rest)
  }
  return { ...client, ask }
}

it('tries a fill that reverts on chain once, and the deposit bears its gas', async () => {
  // Gas costs far more on the destination chain than on the origin chain.
  const quoted = await quoteOf(rollup, ethereum)
  solve(ethereum, { client: turning(ethereum, evmAddress(quoted.recipient)) })
  solve(rollup)
  await rig.deposit(quoted)
  const fills = () => transactionsOf(quoted, 'fill')
  for (let tries = 1; ; tries += 1) {
    await vi.waitUntil(async () => {
      // A refusal must last for a block.
      await rig.mine(ethereum, 1)
      const { status } = (await rig.find(quoted.requestId)).state
      return isTerminal(status) || (await fills()).length >= tries
    }, patience)
    const [last] = (await fills()).slice(tries - 1)
    if (last === undefined) break
    await makeFinal(rig, ethereum, async () => last.attempts.map(({ hash }) => hash))
  }
  const [refund] = await transactionsOf(quoted, 'refund')
  const [deposit] = await rig.store.depositsOf(quoted.requestId)
  const deducted = (deposit?.amount ?? 0n) - (refund?.spends[0]?.amount ?? 0n)
  const spent = (await gasOf(ethereum, await fills())) + (await gasOf(rollup, [refund]))
  const lost = spent - deducted
  expect(lost, `the solver lost ${lost} wei more than the deposit bore`).toBeLessThanOrEqual(0n)
  expect(await fills()).toHaveLength(1)
  expect(deducted).toBeLessThan(2n * spent)
})

/** A client whose node takes fills and never has them mined. */
const losing = (client: ChainClient): ChainClient => ({
  ...client,
  ask: (request, parse, signal) =>
    request.method === 'eth_sendRawTransaction'
      ? Promise.resolve(parse('0x') ?? undefined)
      : client.ask(request, parse, signal),
})

it('raises the fee of a fill by time, not by blocks, and only while the fill still pays', async () => {
  let seconds = Math.floor(Date.now() / 1000)
  let isSpike = false
  const market: SolverMarket = {
    ...rig.market,
    latest: (chainId) => {
      const latest = rig.market.latest(chainId)
      return latest && { ...latest, gas: spiking(latest.gas) }
    },
    snapshot: (chainIds) => {
      const seen = rig.market.snapshot(chainIds)
      const chain = seen.chains.get(rollup)
      if (chain === undefined) return seen
      const gas = spiking(chain.gas)
      return { ...seen, chains: new Map(seen.chains).set(rollup, { ...chain, gas }) }
    },
  }
  const spiking = (gas: GasMarket): GasMarket => ({
    ...evmGas(gas),
    baseFeePerGas: isSpike ? 10n ** 12n : evmGas(gas).baseFeePerGas,
  })
  const quoted = await quoteOf()
  const client = losing(rig.clientOn(rollup))
  const solver = solve(rollup, { client, market, now: () => seconds * 1000 })
  await rig.deposit(quoted)
  const fill = async () => {
    const [found] = await transactionsOf(quoted, 'fill')
    if (found === undefined) throw new Error('There is no fill')
    return found
  }
  await vi.waitFor(fill, patience)
  const pass = async (blocks: number) => {
    for (let block = 0; block < blocks; block += 1) {
      await rig.mine(rollup, 1)
      const head = await rig.wallet.clientOn(rollup).getBlockNumber()
      await vi.waitUntil(() => (solver.status().block ?? 0n) >= head, patience)
    }
  }
  await pass(6)
  expect((await fill()).attempts, 'raised within a second').toHaveLength(1)
  seconds += 60
  await pass(1)
  expect((await fill()).attempts).toHaveLength(2)
  isSpike = true
  seconds += 60
  await pass(1)
  const { attempts } = await fill()
  const offered = attempts.at(-1)?.maxFeePerGas ?? 0n
  expect(attempts, `the fill pays ${offered} wei for each gas`).toHaveLength(2)
  seconds += 600
  await pass(1)
  const late = await fill()
  const isPaying = late.attempts.map((attempt) => !isCancellation(late, attempt))
  expect(isPaying).toEqual([true, true, false])
})
