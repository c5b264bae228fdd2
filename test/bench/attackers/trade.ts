import { encodeFunctionData, erc20Abi, type Hex, type TransactionReceipt } from 'viem'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { type Actor, newAddress } from './actor.ts'
import type { Ledger } from './ledger.ts'
import { waitFor } from './waitFor.ts'
import type { World } from './world.ts'

/** A currency by its symbol, on a chain. */
export type Place = readonly [chainId: number, symbol: string]

type Steps = readonly Readonly<{
  depositAddress: Address | null
  signature: Signature | null
  items: readonly Readonly<{
    data: Readonly<{ to: string; data: string; value: string; chainId: number }>
  }>[]
}>[]

/** Typed data to sign. */
type Signature = Readonly<{
  kind: string
  domain: object
  types: Readonly<Record<string, readonly Readonly<{ name: string; type: string }>[]>>
  primaryType: string
  message: Readonly<Record<string, unknown>>
}>

type Quoted = Readonly<{
  requestId: Hex
  orderId: Hex | undefined
  steps: Steps
  /** Lowest promised output, in smallest units. */
  minimum: bigint
  expected: bigint
}>

const quoteQuery = `query Quote($input: QuoteInput!) { quote(input: $input) { requestId
  protocol { v2 { orderId } } details { currencyOut { amount minimumAmount } }
  steps { depositAddress signature { kind domain types primaryType message } items { data { to data value chainId } } } } }`

type QuoteAnswer = Readonly<{
  quote: null | Readonly<{
    requestId: Hex
    protocol: Readonly<{ v2: Readonly<{ orderId: Hex }> }> | null
    details: Readonly<{ currencyOut: Readonly<{ amount: string; minimumAmount: string }> }>
    steps: Steps
  }>
}>

/** A quote was refused: the code says why. */
export class QuoteRefused extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

/** Fields of the quote's input, and who asks. */
type Change = Readonly<{
  recipient?: Address
  refundTo?: Address
  by?: 'frontend' | 'anonymous'
  network?: string
}> &
  Readonly<Record<string, unknown>>

/** A request, and the addresses that only it pays: the chains show its outcome. */
export type Trade = Readonly<{
  quoted: Quoted
  origin: Place
  destination: Place
  amount: bigint
  recipient: Address
  refundTo: Address
}>

export type Outcome = 'filled' | 'refunded' | 'both' | 'twice' | 'neither'

/** Trades as people do: over the public API, and with transactions of their own. */
export function createTrading(world: World, ledger: Ledger) {
  /** @throws QuoteRefused */
  async function quote(
    user: Address,
    origin: Place,
    destination: Place,
    amount: bigint,
    change: Change = {},
  ): Promise<Trade> {
    const { by = 'anonymous', network, ...fields } = change
    const { recipient = newAddress(), refundTo = newAddress() } = fields
    const input = {
      user,
      amount: `${amount}`,
      tradeType: 'EXACT_INPUT',
      originChainId: origin[0],
      originCurrency: world.currencyOn(...origin),
      destinationChainId: destination[0],
      destinationCurrency: world.currencyOn(...destination),
      ...fields,
      recipient,
      refundTo,
    }
    const { data, errors } = await world.query<QuoteAnswer>(quoteQuery, { input }, by, network)
    if (data?.quote == null) {
      const [error] = errors ?? []
      throw new QuoteRefused(`${error?.extensions['code']}`, error?.message ?? 'no answer')
    }
    const { requestId, protocol, details, steps } = data.quote
    return {
      origin,
      destination,
      amount,
      recipient,
      refundTo,
      quoted: {
        requestId,
        steps,
        orderId: protocol?.v2.orderId,
        minimum: BigInt(details.currencyOut.minimumAmount),
        expected: BigInt(details.currencyOut.amount),
      },
    }
  }

  /** Sends every step. Returns the receipt of the deposit, which may have reverted. */
  async function deposit(actor: Actor, { quoted }: Trade): Promise<TransactionReceipt> {
    let last: TransactionReceipt | undefined
    for (const { data } of quoted.steps.flatMap(({ items }) => items))
      last = await actor.send(data.chainId, {
        to: toAddress(data.to),
        data: data.data as Hex,
        value: BigInt(data.value),
      })
    if (last === undefined) throw new Error(`Request ${quoted.requestId} has no steps`)
    return last
  }

  /** Pays the trade's deposit address, with another amount than the quoted one if one is given. */
  async function payAddress(actor: Actor, trade: Trade, amount = trade.amount): Promise<void> {
    const address = trade.quoted.steps.find((step) => step.depositAddress)?.depositAddress
    if (address == null) throw new Error(`Request ${trade.quoted.requestId} has no address`)
    const [chainId] = trade.origin
    const currency = world.currencyOn(...trade.origin)
    const args = [address, amount] as const
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await actor.send(
      chainId,
      currency === nativeAddress
        ? { to: address, value: amount }
        : { to: currency, data: transfer },
    )
  }

  const paid = ({ destination, recipient }: Trade) =>
    ledger.balanceOf(destination[0], world.currencyOn(...destination), recipient)
  const repaid = ({ origin, refundTo }: Trade) =>
    ledger.balanceOf(origin[0], world.currencyOn(...origin), refundTo)

  return {
    quote,
    deposit,
    payAddress,
    paid,
    repaid,
    /** The outcome of a deposited request according to the chains. */
    async outcome(trade: Trade): Promise<Outcome> {
      const [out, back] = await Promise.all([paid(trade), repaid(trade)])
      if (out > 0n && back > 0n) return 'both'
      // A refund is at most the deposit; a fill that came twice is far more than was quoted.
      if (back > trade.amount || out * 2n > trade.quoted.expected * 3n) return 'twice'
      if (out > 0n) return 'filled'
      return back > 0n ? 'refunded' : 'neither'
    },
    /** Waits until the recipient or the refund address is paid, or the time is up. */
    ended: (trade: Trade, seconds: number): Promise<boolean> =>
      waitFor(async () => (await paid(trade)) + (await repaid(trade)) > 0n, seconds),
  }
}

export type Trading = ReturnType<typeof createTrading>
