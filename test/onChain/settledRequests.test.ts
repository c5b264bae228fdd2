import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { followFrom } from '#src/cli/reconcile/reconcile.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { transactionOf } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { type Changes, createRigLedger, entryName } from '#test/support/models/rigLedger.ts'
import { acceptNonces } from '#test/support/rigs/acceptNonces.ts'
import {
  createKindsOfRequest,
  oneOfEachKind,
  type PaidRequest,
  type RequestKind,
} from '#test/support/rigs/kindsOfRequest.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { isLong } from '#test/support/runs.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'

let rig: SolverRig
let requests: ReturnType<typeof createKindsOfRequest>
let restored: RequestStore | undefined
beforeAll(async () => {
  rig = await startBridgingRig()
  requests = createKindsOfRequest(rig)
  rig.track()
})
afterAll(async () => {
  await rig.stop()
  await restored?.close()
})
const solve = useSolvers(() => rig)

type Filled = PaidRequest & Readonly<{ request: SolverRequest }>

const chainIds = [ethereum, rollup] as const
const currencies = () =>
  chainIds.flatMap((id) => ['ETH', 'USDC'].map((symbol) => rig.currencyOf([id, symbol])))

/** Settles as soon as a deposit is final, so that the chains' time stays close to that of the permits. */
const soon = () => ({ ...rig.config.solver, settleAfterSeconds: 1 })

/** Accounts that hold something before the requests. */
const lasting = (): ReadonlyMap<string, Address> =>
  new Map<string, Address>([
    ['solver', rig.solverAddress],
    ['user', rig.wallet.address.toLowerCase() as Address],
    ['stranger', rig.stranger.address.toLowerCase() as Address],
    ...chainIds.flatMap((id) => {
      const { depository, router, approvalProxy } = rig.contractsOn(id)
      return Object.entries({ depository, router, approvalProxy }).map(
        ([name, address]) => [`${name} of ${id}`, address] as const,
      )
    }),
  ])

const nameOf = ({ of: { kind } }: PaidRequest, at: number): string => `${at} ${kind}`

const created = (filled: readonly PaidRequest[]): ReadonlyMap<string, Address> =>
  new Map(
    filled.flatMap((each, at) => {
      const { quoted, apps } = each
      const name = nameOf(each, at)
      const accounts: [string, Address][] = [
        [`recipient of ${name}`, evmAddress(quoted.recipient)],
        ...quoted.inputs.map(({ refundTo }, input): [string, Address] => [
          `refunds of ${name} ${input}`,
          evmAddress(refundTo),
        ]),
        ...apps.map((app, place): [string, Address] => [`app ${place} of ${name}`, app]),
      ]
      if (quoted.depositAddress !== undefined)
        accounts.push([`deposit address of ${name}`, evmAddress(quoted.depositAddress)])
      return accounts
    }),
  )

/** The changes that these requests should make, given what their recipients have got. */
function expectedChanges(filled: readonly Filled[], got: Changes): Changes {
  const changes = new Map([...got.keys()].map((name) => [name, 0n]))
  const add = (name: string, amount: bigint) =>
    changes.set(name, (changes.get(name) ?? 0n) + amount)
  for (const [at, each] of filled.entries()) {
    const { of, paid, request, apps } = each
    const input = rig.currencyOf([ethereum, of.symbol])
    for (const { payer, amount } of paid) {
      const name = payer === rig.stranger.address.toLowerCase() ? 'stranger' : 'user'
      add(entryName(name, input), -amount)
      add(entryName('solver', input), amount)
    }
    const total = sumOf(paid.map(({ amount }) => amount))
    const quoted = sumOf(request.inputs.map(({ depositAmount }) => depositAmount))
    for (const [place, recipient] of apps.entries()) {
      const most = request.order.fees.find((fee) => fee.recipient === recipient)?.amount ?? 0n
      const fee = (most * total) / quoted
      add(entryName(`app ${place} of ${nameOf(each, at)}`, input), fee)
      add(entryName('solver', input), -fee)
    }
    for (const symbol of ['ETH', 'USDC']) {
      const output = rig.currencyOf([rollup, symbol])
      const name = entryName(`recipient of ${nameOf(each, at)}`, output)
      const received = got.get(name) ?? 0n
      add(name, received)
      add(entryName('solver', output), -received)
    }
  }
  return changes
}

/** The recipient has the promised minimum, and the solver keeps what it has not promised to others. */
function expectKeptTerms(each: Filled, at: number, got: Changes): void {
  const { of, request, paid, apps } = each
  const gotOf = (name: string, symbol: string, chainId = rollup) =>
    got.get(entryName(`${name} of ${nameOf(each, at)}`, rig.currencyOf([chainId, symbol]))) ?? 0n
  const received = gotOf('recipient', of.symbol)
  const title = JSON.stringify({ ...of }, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  expect(received, `${title} pays less than its minimum`).toBeGreaterThanOrEqual(
    request.minimumAmountOut,
  )
  const fees = sumOf(apps.map((_, place) => gotOf(`app ${place}`, of.symbol, ethereum)))
  const kept = sumOf(paid.map(({ amount }) => amount)) - fees - received
  if (of.symbol === 'USDC')
    expect(kept + request.subsidizedUsd, `the solver loses by ${title}`).toBeGreaterThanOrEqual(
      of.topup,
    )
  if (of.topup > 0n) expect(gotOf('recipient', 'ETH'), `${title} has no top-up`).toBeGreaterThan(0n)
}

/** The amounts that the requests and their deposits show are those that the accounts have got. */
async function expectShown(
  filled: readonly Filled[],
  got: Changes,
  store: RequestStore,
): Promise<void> {
  for (const [at, { of, request, apps }] of filled.entries()) {
    const gotOf = (name: string, chainId: ChainId, symbol: string) =>
      got.get(
        entryName(
          `${name} of ${nameOf(filled[at] ?? fail(), at)}`,
          rig.currencyOf([chainId, symbol]),
        ),
      )
    const paid = transactionOf(request.state.fill)?.paid
    const recipient = (symbol: string) => gotOf('recipient', rollup, symbol) ?? 0n
    expect([paid?.currency, paid?.amount], `${at} ${of.kind}`).toEqual([
      request.destinationCurrency,
      recipient(of.symbol),
    ])
    if (of.symbol === 'USDC') expect(paid?.topup ?? 0n).toBe(recipient('ETH'))
    const deposits = await store.depositsOf(request.requestId)
    const shown = deposits.flatMap((each) => each.paid ?? fail())
    for (const [place, app] of apps.entries())
      expect(
        sumOf(shown.flatMap(({ recipient, amount }) => (recipient === app ? [amount] : []))),
      ).toBe(gotOf(`app ${place}`, ethereum, of.symbol))
    expect(shown.every(({ recipient }) => apps.some((app) => app === recipient))).toBe(true)
  }
}

function fail(): never {
  throw new Error('The chain does not show it')
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n)

/** Waits until every deposit of these requests is settled, in this store. */
async function settle(filled: readonly Filled[], store: RequestStore): Promise<void> {
  const ids = (
    await Promise.all(filled.map(({ request }) => rig.store.depositsOf(request.requestId)))
  )
    .flat()
    .map(({ depositId }) => depositId)
  await rig.mineUntilFinal(ethereum)
  await vi.waitFor(async () => {
    const deposits = await store.findDeposits(ids)
    const open = deposits.filter(({ status }) => status !== 'settled')
    expect([deposits.length, open.map(({ status }) => status)]).toEqual([ids.length, []])
  }, patience)
}

/** Pays for all of these requests at once, and waits for their fills. */
async function fill(kinds: readonly RequestKind[]): Promise<readonly Filled[]> {
  const paid: PaidRequest[] = []
  for (const kind of kinds) paid.push(await requests.make(kind))
  await rig.mineUntilFinal(ethereum)
  const filled: Filled[] = []
  for (const each of paid) filled.push({ ...each, request: await requests.paying(each) })
  expect(filled.map(({ of, request: { state } }) => [of, state.status, state.failReason])).toEqual(
    kinds.map((kind) => [kind, 'success', undefined]),
  )
  return filled
}

/** Fills and settles these requests, and compares every account with what it should have. */
async function addsUp(kinds: readonly RequestKind[]): Promise<void> {
  const solvers = chainIds.map((id) => solve(id, { limits: soon() }))
  const opened = await createRigLedger(rig, currencies()).open(lasting())
  const filled = await fill(kinds)
  await settle(filled, rig.store)
  const got = await opened.changes(created(filled))
  expectBalanced(filled, got)
  await expectShown(filled, got, rig.store)
  await Promise.all(solvers.map(({ stop }) => stop()))
}

function expectBalanced(filled: readonly Filled[], got: Changes): void {
  expect(got).toEqual(expectedChanges(filled, got))
  for (const [at, each] of filled.entries()) expectKeptTerms(each, at, got)
}

it('every kind of request is settled, and every account has what its order says, to the wei', async () => {
  await fc.assert(fc.asyncProperty(oneOfEachKind, addsUp), {
    numRuns: isLong ? 20 : 1,
    endOnFailure: true,
  })
})

it('a restored database settles every kind of request that was filled after its backup', async () => {
  const [kinds = []] = fc.sample(oneOfEachKind, 1)
  const solvers = chainIds.map((id) => solve(id))
  const heights = await Promise.all(chainIds.map((id) => rig.wallet.clientOn(id).getBlockNumber()))
  const opened = await createRigLedger(rig, currencies()).open(lasting())
  const filled = await fill(kinds)
  await Promise.all(solvers.map(({ stop }) => stop()))

  restored = await openEmptyStore({ log: rig.log, bus: rig.bus })
  for (const {
    quoted: { state: _, ...quoted },
  } of filled)
    await restored.put(quoted)
  for (const [at, chainId] of chainIds.entries()) {
    const deps = { client: rig.clientOn(chainId), store: restored }
    await rig.mineUntilFinal(chainId)
    await followFrom(deps, rig.chainOf(chainId), heights[at] ?? 0n)
    await acceptNonces(rig, restored, chainId)
  }
  rig.track(restored)
  const store = restored
  for (const id of chainIds) solve(id, { store, limits: soon() })
  await settle(filled, store)
  expectBalanced(filled, await opened.changes(created(filled)))
})
