import { createPublicClient, erc20Abi, http, type TransactionSerializable } from 'viem'
import { z } from 'zod'
import { runCommand, UsageError } from '#src/config/command.ts'
import { checkKeySource, keyVariables, readVariables } from '#src/config/environment.ts'
import { readSigner } from '#src/config/keys/readSigner.ts'
import { type Signer, toKeySource } from '#src/config/keys/signer.ts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import { type DepositAddressTerms, sweepCall } from '#src/protocol/calls/depositAddress.ts'
import { depositAddressFactory } from '#src/protocol/contracts/artifacts/depositAddressFactory.ts'

const command = {
  usage:
    'npm run sweep -- --rpc <url> --factory <address> --order <id> --depositor <address> [--currency <address>]…',
  help: `
Deposits what a deposit address holds, without the gateway and its database.

  --rpc URL            an endpoint of the chain
  --factory ADDRESS    depositAddressFactory of the chain
  --order ID           the order of the address
  --depositor ADDRESS  who gets a refund
  --currency ADDRESS   what to deposit, once or more (the native currency)

Variables: SWEEPER_PRIVATE_KEY, SWEEPER_KEYSTORE or SWEEPER_SIGNER_URL. Without one, the call is only printed.`,
  options: {
    rpc: { type: 'string' },
    factory: { type: 'string' },
    order: { type: 'string' },
    depositor: { type: 'string' },
    currency: { type: 'string', multiple: true },
  },
} as const

type Given = Readonly<
  Partial<Record<'rpc' | 'factory' | 'order' | 'depositor', string | undefined>>
> &
  Readonly<{ currency?: string[] | undefined }>

/** `npm run sweep`: see docs/deposits.md. */
async function sweep(given: Given): Promise<void> {
  const { rpc, factory, order, depositor, currency = [nativeAddress] } = given
  if (rpc === undefined || !URL.canParse(rpc) || factory === undefined) throw new UsageError()
  if (order === undefined || depositor === undefined) throw new UsageError()
  if (!/^0x[0-9a-fA-F]{64}$/.test(order)) throw new Error('--order must be 32 bytes: 0x…')
  const source = readVariables(environment, process.env)
  await sweepAddress({
    rpcUrl: rpc,
    factory: addressOf('factory', factory),
    terms: {
      orderId: order.toLowerCase() as `0x${string}`,
      depositor: addressOf('depositor', depositor),
    },
    currencies: currency.map((each) => addressOf('currency', each)),
    account: source && (await readSigner('sweeper', source)),
    report: (line) => process.stdout.write(`${line}\n`),
  })
}

function addressOf(option: string, given: string): Address {
  try {
    return toAddress(given)
  } catch (error) {
    throw new Error(`--${option}: ${(error as Error).message}`)
  }
}

/** The account that pays the gas. Nothing is sent without one. */
const environment = z.object(keyVariables('SWEEPER')).transform((variables, context) => {
  checkKeySource('SWEEPER', variables, (path, message) =>
    context.addIssue({ code: 'custom', path: [path], message }),
  )
  return toKeySource({
    privateKey: variables.SWEEPER_PRIVATE_KEY,
    keystore: variables.SWEEPER_KEYSTORE,
    password: variables.SWEEPER_KEYSTORE_PASSWORD,
    signerUrl: variables.SWEEPER_SIGNER_URL,
  })
})

type Target = Readonly<{
  rpcUrl: string
  factory: Address
  terms: DepositAddressTerms
  /** What to sweep; the zero address is the native currency. */
  currencies: readonly Address[]
  /** Pays the gas. Without one, the call is only shown. */
  account: Signer | undefined
  /** Called with a line for each fact. */
  report: (line: string) => void
}>

/**
 * Sweeps a deposit address, by its order id and its depositor. Needs neither the gateway nor its database. All that the address
 * holds is deposited for its order; nothing can be sent elsewhere.
 * @throws Error with instructions for people
 */
async function sweepAddress(target: Target): Promise<void> {
  const { rpcUrl, factory, terms, currencies, account, report } = target
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 500 })
  if ((await client.getCode({ address: factory })) === undefined)
    throw new Error(`There is no contract at ${factory} on the chain of ${new URL(rpcUrl).host}`)
  const computed = await client.readContract({
    address: factory,
    abi: depositAddressFactory.abi,
    functionName: 'computeDepositAddress',
    args: [terms.orderId, terms.depositor],
  })
  const address = toAddress(computed)
  report(`The deposit address is ${address}`)
  const held: Address[] = []
  for (const currency of currencies) {
    const balance = isNative(currency)
      ? await client.getBalance({ address })
      : await client.readContract({
          address: currency,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [address],
        })
    report(`It holds ${balance} of ${isNative(currency) ? 'the native currency' : currency}`)
    if (balance > 0n) held.push(currency)
  }
  if (held.length === 0) throw new Error('There is nothing to sweep: name other currencies')
  const { to, data } = sweepCall(factory, terms, held)
  if (account === undefined) {
    report('Any account can send this call, without value:')
    report(`to   ${to}`)
    report(`data ${data}`)
    return
  }
  const chainId = await client.getChainId()
  const request = await client.prepareTransactionRequest({
    account: account.address,
    chain: null,
    chainId,
    to,
    data,
  })
  // The type of a prepared request is too wide: only its signature is missing.
  const serializedTransaction = await account.signTransaction(request as TransactionSerializable)
  const hash = await client.sendRawTransaction({ serializedTransaction })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status === 'reverted')
    throw new Error(`Transaction ${hash} reverted: somebody else may have swept the address`)
  report(`Swept by transaction ${hash}`)
}

await runCommand(command, async ({ values }) => {
  await sweep(values)
})
