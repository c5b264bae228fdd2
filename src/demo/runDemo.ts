import type { WriteStream } from 'node:tty'
import { createWalletClient, defineChain, http, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DevnetDescription } from '#src/devnet/describe.ts'
import { nativeAddress } from '#src/units/address.ts'
import {
  createGatewayClient,
  type GatewayClient,
  type ShownQuote,
  type ShownStatus,
} from './gatewayClient.ts'
import { progressLines, quotedLine, type Shown } from './progressLines.ts'

type DemoArgs = Readonly<{
  /** Of the gateway. */
  url: string
  /** `<symbol>@<chainId>`. */
  from: string
  to: string
  /** Whole units of the origin currency. */
  amount: string
  /** Asks the solver to refund rather than to fill. */
  refund: boolean
}>

/**
 * From quote to the end as a user's wallet goes: asks for a quote, sends its transactions from the
 * devnet's first account, and shows how the request stands until it is done.
 * @throws Error in words for who runs it.
 */
export async function runDemo(
  devnet: DevnetDescription,
  { url, from, to, amount, refund }: DemoArgs,
  screen: WriteStream,
): Promise<void> {
  const [user] = devnet.accounts
  if (user === undefined) throw new Error('The devnet has no accounts')
  const [origin, destination] = [from, to].map((text) => currencyOf(devnet, text))
  if (origin === undefined || destination === undefined) throw new Error('Nothing to swap')
  if (refund && origin.chainId === destination.chainId)
    throw new Error('On one chain the user swaps alone, and the solver has nothing to pay back')
  const paid = parseUnits(amount, origin.decimals)
  if (paid <= 0n) throw new Error(`--amount ${amount} is less than the smallest unit of ${from}`)
  const started = performance.now()
  const gateway = createGatewayClient(url)
  try {
    const quote = await gateway.quote({
      user: user.address,
      originChainId: origin.chainId,
      originCurrency: origin.address,
      destinationChainId: destination.chainId,
      destinationCurrency: destination.address,
      amount: `${paid}`,
      tradeType: 'EXACT_INPUT',
      ...(refund && { referrer: 'debug-force-refund' }),
    })
    screen.write(`${quotedLine(quote, performance.now() - started)}\n`)
    const display = createDisplay(screen)
    const chainNames = new Map(devnet.chains.map(({ id, name }) => [id, name]))
    const following = followTo(gateway.follow(quote.requestId), (status) =>
      display.show({ quote, status, seconds: (performance.now() - started) / 1000, chainNames }),
    )
    await Promise.all([following, sendSteps(devnet, user.privateKey, quote, gateway.hint)]).finally(
      display.end,
    )
  } catch (error) {
    throw new Error(
      `${url}: ${error instanceof Error ? error.message : 'no gateway answers there'}`,
    )
  } finally {
    await gateway.close()
  }
}

async function followTo(
  statuses: AsyncIterable<ShownStatus>,
  show: (status: ShownStatus) => void,
): Promise<void> {
  for await (const status of statuses) show(status)
}

type Display = Readonly<{
  show: (shown: Shown) => void
  /** Leaves what was shown last, whole. */
  end: () => void
}>

/** Draws over what it drew before, cut to its width, where the screen is a terminal; else all, one after the other. */
function createDisplay(screen: WriteStream): Display {
  let lines: readonly string[] = []
  const write = (drawn: readonly string[]) => screen.write(`${drawn.join('\n')}\n`)
  const clear = () => {
    if (lines.length === 0) return
    screen.moveCursor(0, -lines.length)
    screen.cursorTo(0)
    screen.clearScreenDown()
  }
  return {
    show: (shown) => {
      if (screen.isTTY) clear()
      lines = progressLines(shown)
      // What is wrapped could not be drawn over. A terminal of no width, such as a recorder's, wraps nothing.
      write(screen.isTTY ? lines.map((line) => line.slice(0, screen.columns || undefined)) : lines)
    },
    end: () => {
      if (!screen.isTTY || lines.length === 0) return
      clear()
      write(lines)
    },
  }
}

async function sendSteps(
  devnet: DevnetDescription,
  privateKey: `0x${string}`,
  { requestId, steps }: ShownQuote,
  hint: GatewayClient['hint'],
): Promise<void> {
  const account = privateKeyToAccount(privateKey)
  for (const { data } of steps.flatMap(({ items }) => items)) {
    const { chainId, ...transaction } = data
    const chain = devnet.chains.find(({ id }) => id === chainId)
    if (chain === undefined) throw new Error(`The devnet has no chain ${chainId}`)
    const wallet = createWalletClient({
      account,
      chain: defineChain({
        id: chain.id,
        name: chain.name,
        nativeCurrency: { ...chain.nativeCurrency, name: chain.nativeCurrency.symbol },
        rpcUrls: { default: { http: [chain.rpcUrl] } },
      }),
      transport: http(chain.rpcUrl),
    })
    // An approval is in a block before what needs it is sent.
    const { status, transactionHash } = await wallet.sendTransactionSync(transaction)
    await hint({ chainId, txHash: transactionHash, requestId })
    if (status === 'reverted') throw new Error('A transaction of the quote reverted')
  }
}

/** @throws Error that says how to name a currency. */
function currencyOf({ chains }: DevnetDescription, text: string) {
  const [symbol, id] = text.split('@')
  const chain = chains.find((each) => `${each.id}` === id)
  if (chain === undefined)
    throw new Error(
      `${text} is to be <symbol>@<chain>, such as USDC@${chains[0]?.id}; the chains are ${chains.map((each) => each.id).join(', ')}`,
    )
  const { nativeCurrency, currencies } = chain
  const found =
    nativeCurrency.symbol === symbol
      ? { ...nativeCurrency, address: nativeAddress }
      : currencies.find((each) => each.symbol === symbol)
  if (found === undefined)
    throw new Error(
      `${chain.name} has no ${symbol}, but ${[nativeCurrency, ...currencies].map((each) => each.symbol).join(', ')}`,
    )
  return { chainId: chain.id, address: found.address, decimals: found.decimals }
}
