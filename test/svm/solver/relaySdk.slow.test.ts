import type { AdaptedWallet, createClient, Execute, ProgressData } from '@relayprotocol/relay-sdk'
import type { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils'
import { createWalletClient, type WalletClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { decodeBase58 } from '#src/core/units/svm/base58.ts'
import { users } from '#src/devnet/accounts.ts'
import { miningTransport } from '#test/support/chains/sendUntilMined.ts'
import { hasPeers, loadPeer } from '#test/support/svm/peers.ts'
import { type Place, svmCrossings } from '#test/support/svm/svmCrossings.ts'

/** The parts of the packages that an application uses. */
type Sdk = Readonly<{ createClient: typeof createClient }>
type ChainUtils = Readonly<{ configureDynamicChains: typeof configureDynamicChains }>
type VersionedTransaction = Readonly<{
  sign: (signers: readonly unknown[]) => void
  serialize: () => Uint8Array
}>
type Connection = Readonly<{
  sendRawTransaction: (transaction: Uint8Array) => Promise<string>
}>
type Web3 = Readonly<{
  Connection: new (
    url: string,
    options: Readonly<{ commitment: string; wsEndpoint: string }>,
  ) => Connection
  Keypair: Readonly<{ fromSecretKey: (bytes: Uint8Array) => unknown }>
}>
type Adapter = Readonly<{
  adaptSolanaWallet: (
    address: string,
    chainId: number,
    connection: Connection,
    signAndSend: (transaction: VersionedTransaction) => Promise<{ signature: string }>,
  ) => AdaptedWallet
}>

describe.skipIf(!hasPeers)('the official SDK with its Solana wallet adapter', () => {
  const crossings = svmCrossings()
  const { ethereum, rollup, solana } = crossings
  let client: ReturnType<typeof createClient>
  let solanaWallet: AdaptedWallet

  beforeAll(async () => {
    const [sdk, chainUtils, web3, { adaptSolanaWallet }] = await Promise.all([
      loadPeer<Sdk>('@relayprotocol/relay-sdk/_esm/src/index.js'),
      loadPeer<ChainUtils>('@relayprotocol/relay-sdk/_esm/src/chain-utils/index.js'),
      loadPeer<Web3>('@solana/web3.js/lib/index.cjs.js'),
      loadPeer<Adapter>('@relayprotocol/relay-svm-wallet-adapter/_esm/src/index.js'),
    ])
    const { url } = crossings.stack()
    client = sdk.createClient({ baseApiUrl: url, source: 'app.example', pollingInterval: 100 })
    client.configure({ confirmationPollingInterval: 100 })
    await chainUtils.configureDynamicChains()
    const { httpRpcUrl = '', wsRpcUrl = '' } = chainOf(solana)
    const connection = new web3.Connection(httpRpcUrl, {
      commitment: 'confirmed',
      wsEndpoint: wsRpcUrl,
    })
    const { address, privateKey } = crossings.user().account
    const keypair = web3.Keypair.fromSecretKey(decodeBase58(privateKey))
    solanaWallet = adaptSolanaWallet(address, solana, connection, async (transaction) => {
      transaction.sign([keypair])
      return { signature: await connection.sendRawTransaction(transaction.serialize()) }
    })
  })

  function chainOf(chainId: number) {
    const chain = client.chains.find(({ id }) => id === chainId)
    if (chain === undefined) throw new Error(`The SDK has no chain ${chainId}`)
    return chain
  }

  function walletOn(chainId: number): AdaptedWallet | WalletClient {
    if (chainId === solana) return solanaWallet
    const { viemChain, httpRpcUrl = '' } = chainOf(chainId)
    return createWalletClient({
      account: privateKeyToAccount(users[0].privateKey),
      chain: viemChain,
      transport: miningTransport(httpRpcUrl),
    })
  }

  const currencyOn = (place: Place) => crossings.stack().currencyOn(...place)

  const quote = (from: Place, to: Place, amount: bigint): Promise<Execute> =>
    client.actions.getQuote({
      chainId: from[0],
      currency: currencyOn(from),
      toChainId: to[0],
      toCurrency: currencyOn(to),
      tradeType: 'EXACT_INPUT',
      amount: `${amount}`,
      user: crossings.accountOn(from[0]),
      recipient: crossings.accountOn(to[0], 1),
    })

  it('configures the Solana chain from the gateway', () => {
    const { httpRpcUrl, wsRpcUrl, vmType, currency } = chainOf(solana)
    const { rpcUrl, wsUrl } = crossings.svmChain()
    expect([httpRpcUrl, wsRpcUrl, vmType]).toEqual([rpcUrl, wsUrl, 'svm'])
    expect(currency).toMatchObject({ symbol: 'SOL', decimals: 9 })
  })

  it.each([
    [[ethereum, 'ETH'], [solana, 'SOL'], 10n ** 17n],
    [[rollup, 'USDC'], [solana, 'USDC'], 50_000_000n],
    [[solana, 'SOL'], [ethereum, 'ETH'], 10n ** 9n],
    [[solana, 'USDC'], [rollup, 'USDC'], 50_000_000n],
  ] as const)('swaps %j into %j', async (from, to, amount) => {
    const recipient = crossings.accountOn(to[0], 1)
    const before = await crossings.balance(to, recipient)
    const quoted = await quote(from, to, amount)
    let last: ProgressData | undefined
    await client.actions.execute({
      quote: quoted,
      wallet: walletOn(from[0]),
      onProgress: (progress) => {
        last = progress
      },
    })
    expect(last?.error).toBeUndefined()
    const items = last?.steps.flatMap((step) => step.items ?? [])
    expect(items?.map(({ status }) => status)).toEqual(items?.map(() => 'complete'))
    const { minimumAmount } = quoted.details?.currencyOut ?? {}
    const received = (await crossings.balance(to, recipient)) - before
    expect(received).toBeGreaterThanOrEqual(BigInt(minimumAmount ?? -1))
    await crossings.settledDeposits(quoted.steps.at(-1)?.requestId ?? '')
  })
})
