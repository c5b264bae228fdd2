import type { WriteStream } from 'node:tty'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  http,
  type PrivateKeyAccount,
  parseAbi,
  parseUnits,
  publicActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Address, evmAddress, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { nativeOf } from '#src/core/units/vmType.ts'
import type { DevnetDescription } from '#src/devnet/describeDevnet.ts'
import {
  createGatewayClient,
  type GatewayClient,
  type ShownQuote,
  type ShownStatus,
  type ShownSvmTransaction,
} from './gatewayClient.ts'
import { progressLines, quotedLine, type Shown } from './progressLines.ts'

type DemoArgs = Readonly<{
  /** URL of the gateway. */
  url: string
  /** `<symbol>@<chainId>`. */
  from: string
  to: string
  /** In whole units, such as "0.5": of the origin currency, or with `delegates` of the destination currency. */
  amount: string
  /** Makes the fill give a new account code (EIP-7702), and call it. */
  delegates: boolean
  /** Makes the solver refund the deposit instead of filling. */
  refund: boolean
  /** Pays to a deposit address in place of calling a contract. */
  depositAddress: boolean
  /** Signs the payment, which the solver then sends. */
  permit: boolean
}>

/**
 * Runs a request as a user's wallet would: requests a quote, sends its transactions from the devnet's first account,
 * and shows the status until the request ends.
 * @throws Error with a message for the user of the demo.
 */
export async function runDemo(
  devnet: DevnetDescription,
  { url, from, to, amount, delegates, refund, depositAddress, permit }: DemoArgs,
  screen: WriteStream,
): Promise<void> {
  const [origin, destination] = [from, to].map((text) => currencyOf(devnet, text))
  if (origin === undefined || destination === undefined) throw new Error('Nothing to swap')
  if (refund && origin.chainId === destination.chainId)
    throw new Error('--refund needs two chains: a swap on one chain has no deposit to refund')
  const [user, recipient] = [origin, destination].map(({ chainId }) => userOn(devnet, chainId))
  const stated = delegates ? { text: to, ...destination } : { text: from, ...origin }
  const statedAmount = parseUnits(amount, stated.decimals)
  if (statedAmount <= 0n)
    throw new Error(`--amount ${amount} is less than the smallest unit of ${stated.text}`)
  const delegation = delegates
    ? await delegate({
        ...destination,
        address: evmAddress(destination.address),
        chain: chainOf(devnet.chains, to),
        amount: statedAmount,
      })
    : undefined
  const started = performance.now()
  const gateway = createGatewayClient(url)
  try {
    const input = {
      user,
      recipient,
      originChainId: origin.chainId,
      originCurrency: origin.address,
      destinationChainId: destination.chainId,
      destinationCurrency: destination.address,
      amount: `${statedAmount}`,
      tradeType: 'EXACT_INPUT',
      ...delegation?.fields,
      ...(refund && { referrer: 'debug-force-refund' }),
      ...(permit && { usePermit: true }),
      ...(depositAddress && { useDepositAddress: true, strict: true, refundTo: user }),
    }
    const quote = await gateway.quote(input, origin.chainId === devnet.svmChain?.id)
    screen.write(`${quotedLine(quote, performance.now() - started)}\n`)
    const display = createDisplay(screen)
    const chainNames = new Map(chainsOf(devnet).map(({ id, name }) => [id, name]))
    const following = followTo(gateway.follow(quote.requestId), (status) =>
      display.show({ quote, status, seconds: (performance.now() - started) / 1000, chainNames }),
    )
    await Promise.all([following, executeSteps(devnet, quote, gateway)]).finally(display.end)
    if (delegation !== undefined) screen.write(`${await delegation.report()}\n`)
  } catch (error) {
    throw new Error(
      `${url}: ${error instanceof Error ? error.message : 'no gateway answers at this URL'}`,
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
  /** Shows the last state again with full lines. */
  end: () => void
}>

/** On a terminal, replaces the previous output and cuts lines to the width. Elsewhere, appends. */
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
      // Wrapped lines could not be replaced. Terminals that report no width, such as recorders, do not wrap.
      write(screen.isTTY ? lines.map((line) => line.slice(0, screen.columns || undefined)) : lines)
    },
    end: () => {
      if (!screen.isTTY || lines.length === 0) return
      clear()
      write(lines)
    },
  }
}

async function executeSteps(
  devnet: DevnetDescription,
  { requestId, steps }: ShownQuote,
  gateway: GatewayClient,
): Promise<void> {
  const [user] = devnet.accounts
  if (user === undefined) throw new Error('The devnet has no accounts')
  const account = privateKeyToAccount(user.privateKey)
  const hint = (sent: Readonly<{ chainId: number; txHash: string }>) =>
    gateway.hint({ ...sent, requestId })
  for (const { items, signature, svmTransaction } of steps) {
    if (svmTransaction != null) await hint(await sendSvm(devnet, svmTransaction))
    await sendItems(devnet, account, items, hint)
    if (signature === null) continue
    const { kind, ...typedData } = signature
    await gateway.executePermit(requestId, kind, await account.signTypedData(typedData as never))
  }
}

async function sendItems(
  devnet: DevnetDescription,
  account: PrivateKeyAccount,
  items: ShownQuote['steps'][number]['items'],
  onSent: (sent: Readonly<{ chainId: number; txHash: string }>) => Promise<void>,
): Promise<void> {
  for (const { data } of items) {
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
    }).extend(publicActions)
    const estimate = await wallet.estimateGas(transaction)
    // A trade between estimate and inclusion can increase the gas.
    const gas = estimate + estimate / 5n
    // Waits for the receipt: the next transaction may need this approval.
    const { status, transactionHash } = await wallet.sendTransactionSync({ ...transaction, gas })
    await onSent({ chainId, txHash: transactionHash })
    if (status === 'reverted') throw new Error('A transaction of the quote reverted')
  }
}

/** Loads the code of the second virtual machine only where it is used. */
async function sendSvm({ svmChain }: DevnetDescription, transaction: ShownSvmTransaction) {
  if (svmChain === undefined) throw new Error(`The devnet has no chain ${transaction.chainId}`)
  const { sendSvmTransaction } = await import('./svm/sendSvmTransaction.ts')
  return sendSvmTransaction(svmChain, transaction)
}

const chainsOf = ({ chains, svmChain }: DevnetDescription) => [
  ...chains,
  ...(svmChain === undefined ? [] : [{ ...svmChain, currencies: svmChain.mints }]),
]

/** The account that pays, or is paid, on a chain. */
function userOn({ accounts, svmChain }: DevnetDescription, chainId: number): string {
  const account = chainId === svmChain?.id ? svmChain.keys.users[0] : accounts[0]
  if (account === undefined) throw new Error('The devnet has no accounts')
  return account.address
}

/** @throws Error that explains how to name a currency. */
function chainOf<Chain extends Readonly<{ id: number }>>(
  chains: readonly Chain[],
  text: string,
): Chain {
  const [, id] = text.split('@')
  const chain = chains.find((each) => `${each.id}` === id)
  if (chain !== undefined) return chain
  throw new Error(
    `${text} must be <symbol>@<chain>, such as USDC@${chains[0]?.id}; the chains are ${chains.map((each) => each.id).join(', ')}`,
  )
}

/** @throws Error that explains how to name a currency. */
function currencyOf(devnet: DevnetDescription, text: string) {
  const [symbol] = text.split('@')
  const chain = chainOf(chainsOf(devnet), text)
  const { nativeCurrency, currencies } = chain
  const found =
    nativeCurrency.symbol === symbol
      ? { ...nativeCurrency, address: nativeOf['mints' in chain ? 'svm' : 'evm'] }
      : currencies.find((each) => each.symbol === symbol)
  if (found === undefined)
    throw new Error(
      `${chain.name} has no currency ${symbol}. It has ${[nativeCurrency, ...currencies].map((each) => each.symbol).join(', ')}`,
    )
  return { chainId: chain.id, address: found.address, decimals: found.decimals }
}

type Chain = DevnetDescription['chains'][number]

/** An amount of a currency on the destination chain. */
type Output = Readonly<{ chain: Chain; address: Address; decimals: number; amount: bigint }>

const multicall = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3Value[] calls) payable',
])

/**
 * The fields of a quote that gives a new account code by EIP-7702. The account receives the output and transfers half
 * of it, although it has never held native currency for gas. It delegates to Multicall3, which executes anybody's
 * calls: use this on a devnet only. Real wallets delegate to the contract of a wallet.
 */
async function delegate(output: Output) {
  const [account, payee] = [newAccount(), toAddress(newAccount().address)]
  const { multicall3 } = output.chain.contracts
  const signed = await account.signAuthorization({
    chainId: output.chain.id,
    contractAddress: multicall3,
    nonce: 0,
  })
  const { chainId, address, nonce, yParity = 0, r, s } = signed
  return {
    fields: {
      tradeType: 'EXACT_OUTPUT',
      txs: callsOf(output, toAddress(account.address), payee),
      authorizationList: [{ chainId, address, nonce, yParity, r, s }],
    },
    /** One line with the account's code and balances after the fill. */
    report: () => reportOf(output, account.address, payee),
  }
}

const newAccount = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

/** Pays the output to the account, which then transfers half of it to the payee. */
function callsOf({ address, amount }: Output, account: Address, payee: Address) {
  const half = amount / 2n
  const forward = (target: Address, value: bigint, callData: `0x${string}`) =>
    encodeFunctionData({
      abi: multicall,
      args: [[{ target, allowFailure: false, value, callData }]],
    })
  if (address === nativeAddress)
    return [{ to: account, value: `${amount}`, data: forward(payee, half, '0x') }]
  const transfer = (to: Address, value: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] })
  return [
    { to: address, value: '0', data: transfer(account, amount) },
    { to: account, value: '0', data: forward(address, 0n, transfer(payee, half)) },
  ]
}

async function reportOf(
  { chain, address, decimals }: Output,
  account: `0x${string}`,
  payee: Address,
): Promise<string> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const balanceOf = async (holder: `0x${string}`) => {
    const balance =
      address === nativeAddress
        ? client.getBalance({ address: holder })
        : client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
    return formatUnits(await balance, decimals)
  }
  const [code, remaining, forwarded] = await Promise.all([
    client.getCode({ address: account }),
    balanceOf(account),
    balanceOf(payee),
  ])
  return `${account} has the code ${code ?? '0x'}: it holds ${remaining}, and has passed on ${forwarded}.`
}
