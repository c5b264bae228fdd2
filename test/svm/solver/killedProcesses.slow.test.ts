import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import { createLog } from '#src/config/log.ts'
import { svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { users } from '#src/devnet/accounts.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import { svmSolver, svmUsers } from '#src/devnet/svm/svmAccounts.ts'
import {
  fillMarkerAddress,
  ledgerAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { decodeDepositoryLedger } from '#src/protocol/svm/depository/depositoryState.ts'
import { keySigner } from '#src/protocol/svm/signer.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { createRestClient } from '#test/support/clients/restClient.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import {
  type CrossquoteProcess,
  spawnCrossquote,
} from '#test/support/processes/crossquoteProcess.ts'
import { isLong } from '#test/support/runs.ts'
import { createPgliteHome, type StoreHome } from '#test/support/store/storeHome.ts'
import {
  createSvmDevnetClient,
  executeSvmStep,
  type SvmStepData,
  svmBalanceOf,
} from '#test/support/svm/svmWallet.ts'
import { balanceOf } from '#test/support/wallets/balanceOf.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'

const [ethereum, solana] = [990_001, 990_004] as const
/** Each check of what is left to do costs the process CPU time. */
const patience = { timeout: waitLimitMs, interval: 1000 }

const aroundEach = (kinds: readonly string[], chainId: number) =>
  kinds.flatMap((kind) => [`${kind}@${chainId}:before`, `${kind}@${chainId}:after`])

/** When a process is killed. In each run it dies at the first one that is left. */
const solanaMoments = aroundEach(
  ['nonceAccounts', 'credit', 'fill', 'broadcast', 'refund', 'settlement', 'final'],
  solana,
)
/** Of orders in the other direction. */
const ethereumMoments = aroundEach(['fill'], ethereum)

/**
 * `npm run test:all` covers twelve moments: those on Ethereum, and others that the seed of the property tests chooses;
 * `npm run test:long` covers all.
 */
const [chosen = solanaMoments] = fc.sample(
  fc.shuffledSubarray(solanaMoments, { minLength: 10, maxLength: 10 }),
  1,
)
const moments = [...ethereumMoments, ...(isLong ? solanaMoments : chosen)]

type Place = readonly [chainId: number, symbol: string]

/** An order that the test pays for. Nobody else pays its recipient, or the account of its refund. */
type Paid = Readonly<{
  requestId: Hex
  from: Place
  to: Place
  recipient: string
  refundTo: string
  mustRefund: boolean
}>

/** Origin, destination, input, whether it is refunded. */
const orders: readonly (readonly [Place, Place, bigint, boolean])[] = [
  [[ethereum, 'ETH'], [solana, 'SOL'], 10n ** 18n, false],
  [[ethereum, 'USDC'], [solana, 'USDC'], 40_000_000n, false],
  [[solana, 'SOL'], [ethereum, 'SOL'], 3n * 10n ** 9n, false],
  [[solana, 'USDC'], [ethereum, 'USDC'], 50_000_000n, false],
  [[solana, 'SOL'], [ethereum, 'SOL'], 4n * 10n ** 9n, true],
  [[solana, 'USDC'], [ethereum, 'USDC'], 60_000_000n, true],
]

/** All processes so far. */
const lives: CrossquoteProcess[] = []
const undo: (() => Promise<unknown> | unknown)[] = []
let home: StoreHome
let devnet: Devnet
let client: SvmClient
let wallet: Wallet
let run: (env: Readonly<Record<string, string>>) => CrossquoteProcess
beforeAll(async () => {
  home = await createPgliteHome()
  undo.push(home.remove)
  const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const log = createLog('silent')
  const chains = { chainIds: [ethereum], hasSvm: true }
  devnet = await startDevnet({ log, directory, firstPort: 0, ...chains, ...testPace })
  undo.push(devnet.stop)
  client = createSvmDevnetClient(svmChain())
  undo.push(client.close)
  const [payer] = users
  wallet = createWallet(devnet.description, payer)
  run = (env) => {
    const worker = spawnCrossquote(
      {
        CONFIG: join(directory, 'devnetConfig.json'),
        DATA_DIRECTORY: home.where.directory,
        ...env,
      },
      'test/support/processes/crashingWorker.ts',
    )
    undo.push(worker.kill)
    lives.push(worker)
    return worker
  }
})
afterAll(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

function svmChain() {
  const { svmChain: found } = devnet.description
  if (found === undefined) throw new Error('The devnet has no Solana chain')
  return found
}

function currencyOn([chainId, symbol]: Place): string {
  const { mints } = svmChain()
  const chain = devnet.description.chains.find(({ id }) => id === chainId)
  if (chainId === solana)
    return symbol === 'SOL'
      ? svmNative
      : (mints.find((each) => each.symbol === symbol)?.address ?? '')
  if (symbol === 'ETH') return `0x${'0'.repeat(40)}`
  return chain?.currencies.find((each) => each.symbol === symbol)?.address ?? ''
}

const newOwner = (chainId: number): string =>
  chainId === solana ? keySigner(new Uint8Array(randomBytes(32))).pubkey : newAccount()

async function balance([chainId, symbol]: Place, account: string): Promise<bigint> {
  const currency = currencyOn([chainId, symbol])
  if (chainId === solana) return svmBalanceOf(client, toPubkey(currency), toPubkey(account))
  return balanceOf(wallet.clientOn(chainId), currency, account)
}

type Item = Readonly<{ data: SvmStepData & { chainId: number } }>
type Quote = Readonly<{
  steps: readonly Readonly<{ requestId: Hex; items: readonly Item[] }>[]
}>

async function pay(url: string, [from, to, amount, mustRefund]: (typeof orders)[number]) {
  const rest = await createRestClient(url)
  const [user] = svmUsers
  if (user === undefined) throw new Error('The devnet has users')
  const [recipient, refundTo] = [newOwner(to[0]), newOwner(from[0])]
  const { steps } = (await rest.post('/quote/v2', {
    user: from[0] === solana ? user.pubkey : wallet.address,
    recipient,
    refundTo,
    originChainId: from[0],
    originCurrency: currencyOn(from),
    destinationChainId: to[0],
    destinationCurrency: currencyOn(to),
    amount: `${amount}`,
    tradeType: 'EXACT_INPUT',
    ...(mustRefund && { referrer: 'debug-force-refund' }),
  })) as Quote
  for (const step of steps)
    if (from[0] === solana)
      for (const { data } of step.items) await executeSvmStep(client, user, data)
    else await wallet.execute([step as never])
  const requestId = steps.at(-1)?.requestId ?? '0x'
  return { requestId, from, to, recipient, refundTo, mustRefund }
}

/** What the processes have logged about orders that were not filled. */
const refusals = (): string =>
  lives
    .flatMap(({ log }) => log().split('\n'))
    .filter((line) => /refunded instead|would fail|no effect|lost its fill/.test(line))
    .join('\n')

/** What the depository on Solana owes for deposits, in units of each currency. */
async function reserved(): Promise<bigint> {
  const program = svmChain().programId
  const currencies = [svmNative, ...svmChain().mints.map(({ address }) => address)]
  const { accounts } = await client.getAccounts(
    currencies.map((each) => ledgerAddress(program, each)),
    'finalized',
  )
  return accounts.reduce(
    (sum, each) => sum + ((each && decodeDepositoryLedger(program, each)?.reserved) ?? 0n),
    0n,
  )
}

/** Transactions that marked the order as filled. */
async function marksOf(orderId: Hex): Promise<number> {
  const marker = fillMarkerAddress(svmChain().programId, { solver: svmSolver.pubkey, id: orderId })
  const history = await client.getHistory(marker, { slot: 0n })
  return history.filter(({ error }) => error === undefined).length
}

/** Resolves with the moment at which the process killed itself, or with undefined once nothing is left to do. */
async function crashOf(worker: CrossquoteProcess, paid: readonly Paid[]) {
  const crash = () => /killed at (\S+)/.exec(worker.log())?.[1]
  const isDone = async (url: string): Promise<boolean> => {
    for (const { requestId } of paid) {
      const answer = await fetch(`${url}/intents/status/v3?requestId=${requestId}`)
      const { status } = (await answer.json()) as { status: string }
      if (status !== 'success' && status !== 'refund') return false
    }
    return (await reserved()) === 0n
  }
  await vi.waitUntil(async () => {
    if (crash() !== undefined) return true
    const url = /http:\/\/localhost:\d+/.exec(worker.log())?.[0]
    // A process that has just been killed does not answer.
    return url !== undefined && (await isDone(url).catch(() => false))
  }, patience)
  return crash()
}

it('each deposit is paid out or refunded exactly once although the process was killed', async () => {
  const gateway = run({ ROLES: 'gateway' })
  const url = await gateway.ready()
  const paid: Paid[] = []
  for (const order of orders) paid.push(await pay(url, order))
  await gateway.kill()

  const left = new Set(moments)
  while (left.size > 0) {
    const worker = run({ CRASH_AT: [...left].join(' ') })
    const moment = await crashOf(worker, paid)
    expect([...left]).toContain(moment)
    expect(await worker.ended).toBe('SIGKILL')
    left.delete(moment ?? '')
  }
  const last = run({})
  expect(await crashOf(last, paid)).toBeUndefined()
  await last.kill()

  const store = await home.open()
  for (const { requestId, from, to, recipient, refundTo, mustRefund } of paid) {
    const found = await store.find(requestId)
    if (found?.execution !== 'solver') throw new Error('Not a request of the solver')
    const isRefunded = mustRefund
    const { status, failReason } = found.state
    const end = mustRefund ? ['refund', 'UNKNOWN'] : ['success', undefined]
    expect([requestId, status, failReason], refusals()).toEqual([requestId, ...end])
    const transactions = await store.transactionsOf(requestId)
    const ended = (purpose: string) =>
      transactions.filter((each) => each.purpose === purpose && each.status === 'final')
    const refunds = ended('refund').flatMap(({ spends }) => spends.map((each) => each.amount))
    expect(refunds).toHaveLength(isRefunded ? 1 : 0)
    expect(ended('fill')).toHaveLength(isRefunded ? 0 : 1)
    const { minimumAmountOut } = found
    const received = await balance(to, recipient)
    expect(received).toBe(paidBy(found.state.fill))
    expect(received >= minimumAmountOut).toBe(!isRefunded)
    expect(received).toBeLessThan(minimumAmountOut + minimumAmountOut / 10n)
    expect(await balance(from, refundTo)).toBe(refunds[0] ?? 0n)
    expect(await marksOf(found.orderId)).toBe(to[0] === solana && !isRefunded ? 1 : 0)
  }
  await store.close()
})

/** What the tracker has seen of a fill. */
const paidBy = (fill: SolverRequest['state']['fill']): bigint =>
  (fill && 'transaction' in fill ? fill.transaction.paid?.amount : undefined) ?? 0n
