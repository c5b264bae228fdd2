import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { solver, users } from '#src/devnet/accounts.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { chromium, launchBrowser, openTab, textOf } from '#test/support/clients/page/browser.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { patience } from '#test/support/patience.ts'
import { hasPrometheus, startPrometheus } from '#test/support/processes/prometheusServer.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'

const key = 'the key of the operator'
const [ethereum, rollup] = [990001, 990002] as const
const places = [ethereum, rollup].flatMap((chainId) =>
  ['ETH', 'USDC'].map((symbol) => ({ chainId, symbol })),
)
type Place = (typeof places)[number]

let stack: Stack
let wallet: Wallet
const undo: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  const target = (chainId: number, amount: string) => ({
    chainId,
    currency: nativeAddress,
    amount,
  })
  stack = await startStack(
    {
      apiKeys: [{ name: 'operator', key, operator: true }],
      solver: {
        address: solver.address,
        forcesRefunds: true,
        settleAfterSeconds: 0,
        targets: [target(ethereum, '1'), target(rollup, '1000000')],
      },
    },
    ['gateway', 'tracker', 'solver'],
  )
  wallet = createWallet(stack.devnet.description, users[0])
})
afterAll(async () => {
  for (const each of undo.splice(0).reverse()) await each()
  await stack?.stop()
})

type Books = Readonly<{
  chains: readonly Readonly<{
    chainId: number
    name: string
    gasBalance: string
    holdings: readonly Readonly<{
      symbol: string
      balance: string
      balanceFormatted: string
      isLow: boolean
    }>[]
  }>[]
  moves: readonly Readonly<{ asset: string; costUsd?: string }>[]
  days: readonly Readonly<{
    total: Readonly<Record<string, string | number>>
    chains: readonly Readonly<{ chainId: number; gas: string }>[]
  }>[]
  openRequests: readonly object[]
  alarms: readonly Readonly<{ name: string }>[]
}>

async function readBooks(): Promise<Books> {
  const response = await fetch(`${stack.url}/operator/books?days=2`, {
    headers: { 'x-api-key': key },
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Books
}

const balanceOf = ({ chainId, symbol }: Place): Promise<bigint> => {
  const client = wallet.clientOn(chainId)
  const currency = stack.currencyOn(chainId, symbol) as `0x${string}`
  return currency === nativeAddress
    ? client.getBalance({ address: solver.address })
    : client.readContract({
        address: currency,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [solver.address],
      })
}

const claimableOf = ({ chainId, symbol }: Place): Promise<bigint> =>
  wallet.clientOn(chainId).readContract({
    address: stack.contractsOn(chainId).depository,
    abi: depositoryArtifact.abi,
    functionName: 'claimable',
    args: [stack.currencyOn(chainId, symbol) as `0x${string}`, solver.address],
  })

/** The gas that the solver has paid on a chain after this block, in wei. */
async function gasSince(chainId: number, block: bigint): Promise<bigint> {
  const client = wallet.clientOn(chainId)
  let paid = 0n
  const head = await client.getBlockNumber()
  for (let at = block + 1n; at <= head; at += 1n) {
    const { transactions } = await client.getBlock({ blockNumber: at, includeTransactions: true })
    for (const { hash, from } of transactions) {
      if (from.toLowerCase() !== solver.address.toLowerCase()) continue
      const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
      paid += gasUsed * effectiveGasPrice
    }
  }
  return paid
}

const toTrade = `query ($input: QuoteInput!) {
  quote(input: $input) { requestId steps { items { data { to data value chainId maxFeePerGas maxPriorityFeePerGas } } } }
}`
type Traded = { quote: { requestId: string; steps: Parameters<Wallet['execute']>[0] } }

async function trade(symbol: string, amount: bigint, referrer?: string): Promise<string> {
  const input = {
    user: users[0].address,
    originChainId: ethereum,
    destinationChainId: rollup,
    originCurrency: stack.currencyOn(ethereum, symbol),
    destinationCurrency: stack.currencyOn(rollup, symbol),
    amount: `${amount}`,
    tradeType: 'EXACT_INPUT',
    ...(referrer !== undefined && { referrer }),
  }
  const { data, errors } = await stack.query<Traded, object>(toTrade, { input })
  if (data == null) throw new Error(errors?.[0]?.message)
  await wallet.execute(data.quote.steps)
  return data.quote.requestId
}

/** The value of an amount in millionths of a dollar, not rounded. */
function worth({ chainId, symbol }: Place, amount: bigint): number {
  const address = stack.currencyOn(chainId, symbol)
  const chain = stack.market.latest(toChainId(chainId))
  const price = [...(chain?.usdPrices ?? [])].find(([each]) => each === address)?.[1] ?? 0n
  return Number(amount * price) / 10 ** ((symbol === 'ETH' ? 18 : 6) + 12)
}

/** The samples of a metric in the text of /metrics, by their labels. */
async function metric(name: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${stack.url}/metrics`)).text()
  const lines = [...text.matchAll(new RegExp(`^${name}{(.*)} (.*)$`, 'gm'))]
  return new Map(lines.map(([, labels = '', value]) => [labels, Number(value)]))
}

describe('the solver’s books of a running system', () => {
  it('equal the chains in the API and the metrics, after fills, a refund and settlements', async () => {
    const before = new Map(
      await Promise.all(places.map(async (each) => [each, await balanceOf(each)] as const)),
    )
    const heights = new Map<number, bigint>()
    for (const id of [ethereum, rollup]) heights.set(id, await wallet.clientOn(id).getBlockNumber())
    const requestIds = [
      await trade('ETH', 10n ** 17n),
      await trade('USDC', 100n * 10n ** 6n),
      await trade('USDC', 100n * 10n ** 6n, 'debug-force-refund'),
    ]
    await vi.waitFor(async () => {
      const deposits = await stack.store.depositsOfAll(requestIds)
      expect(deposits.map(({ status }) => status).sort()).toEqual([
        'refunded',
        'settled',
        'settled',
      ])
      for (const id of [ethereum, rollup].map(toChainId)) {
        expect(await stack.store.openTransactions(id, 2n ** 62n)).toEqual([])
        expect(await stack.store.unbooked(id, { since: 0, limit: 1 })).toEqual([])
      }
    }, patience)

    // The market reads the balances of the newest blocks.
    await vi.waitFor(async () => {
      const { chains } = await readBooks()
      for (const place of places) {
        const own = chains.find(({ chainId }) => chainId === place.chainId)
        const holding = own?.holdings.find(({ symbol }) => symbol === place.symbol)
        expect(holding?.balance).toBe(`${await balanceOf(place)}`)
      }
    }, patience)
    const { days, moves, alarms, openRequests } = await readBooks()
    expect(openRequests).toEqual([])
    const gasOf = (id: number) =>
      days
        .flatMap(({ chains }) => chains.filter(({ chainId }) => chainId === id))
        .reduce((sum, { gas }) => sum + BigInt(gas), 0n)
    const totalOf = (name: string) =>
      days.reduce((sum, { total }) => sum + Math.round(Number(total[name]) * 1e6), 0)
    let gained = 0
    for (const id of [ethereum, rollup]) {
      const gas = await gasSince(id, heights.get(id) ?? 0n)
      expect(gasOf(id)).toBe(gas)
      gained += worth({ chainId: id, symbol: 'ETH' }, gas)
    }
    for (const [place, earlier] of before)
      gained += worth(place, (await balanceOf(place)) - earlier)
    // What refunds kept stays claimable until the next settlement of the currency.
    for (const place of places) gained += worth(place, await claimableOf(place))
    expect(Math.abs(totalOf('feesUsd') - gained)).toBeLessThanOrEqual(20)
    expect(totalOf('profitUsd')).toBe(totalOf('feesUsd') - totalOf('gasUsd'))
    expect(totalOf('unknownValues')).toBe(0)
    expect(moves).toMatchObject([{ asset: 'ETH' }])
    expect(Number(moves[0]?.costUsd)).toBeGreaterThan(0)
    expect(alarms.map(({ name }) => name)).toContain('CrossquoteInventoryLow')

    await vi.waitFor(async () => {
      const profit = await metric('crossquote_solver_day_profit_usd')
      const sum = [...profit.values()].reduce((total, value) => total + value, 0)
      expect(Math.round(sum * 1e6)).toBe(totalOf('profitUsd'))
    }, patience)
    const balances = await metric('crossquote_solver_balance')
    const names = new Map(stack.config.chains.map(({ id, name }) => [id as number, name]))
    for (const place of places)
      expect(balances.get(`chain="${names.get(place.chainId)}",currency="${place.symbol}"`)).toBe(
        Number(await balanceOf(place)) / 10 ** (place.symbol === 'ETH' ? 18 : 6),
      )
    expect([...(await metric('crossquote_solver_advised_move')).keys()]).toEqual([
      `currency="ETH",from="${names.get(ethereum)}",to="${names.get(rollup)}"`,
    ])
  })

  it.skipIf(chromium === undefined)('are what the operator’s page shows', async () => {
    const browser = await launchBrowser()
    undo.push(() => browser.close())
    const record = { errors: [] as string[], origins: new Set<string>() }
    const tab = await openTab(browser, record)
    await tab.goto(`${stack.url}/operator`)
    await tab.type('#key', key)
    await tab.click('.show')
    await textOf(tab, '.days', /Profit/)
    const { chains, days } = await readBooks()
    const titles = await tab.$$eval('.chain tbody td:nth-child(2) > span[title]', (cells) =>
      cells.map((cell) => cell.getAttribute('title')),
    )
    const formatted = chains.flatMap(({ holdings }) =>
      holdings.map((each) => each.balanceFormatted),
    )
    expect(titles.filter((title) => !formatted.includes(title ?? ''))).toEqual([])
    expect(titles.length).toBeGreaterThanOrEqual(formatted.length)
    const profits = await tab.$$eval('.days tbody td:last-child', (cells) =>
      cells.slice(0, 2).map((cell) => cell.getAttribute('title')),
    )
    expect(profits).toEqual(days.map(({ total }) => total['profitUsd']))
    expect(record.errors).toEqual([])
  })

  it.skipIf(!hasPrometheus)('are scraped by Prometheus, which has the alert rules', async () => {
    const prometheus = await startPrometheus(stack.url)
    undo.push(prometheus.stop)
    await vi.waitFor(async () => {
      const [sample] = await prometheus.query(
        'sum(crossquote_solver_balance{currency="USDC"}) > 0 and on() up{job="crossquote"} == 1',
      )
      expect(sample).toBeDefined()
      const rules = await prometheus.rules()
      expect(rules.length).toBeGreaterThan(35)
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([])
      // Waits for its quarter of an hour.
      const [low] = await prometheus.query('ALERTS{alertname="CrossquoteInventoryLow"}')
      expect(low?.metric).toMatchObject({ currency: 'ETH', alertstate: 'pending' })
    }, patience)
  })
})
