import { createKeccak } from 'hash-wasm'
import {
  bytesToHex,
  concatHex,
  type Hex,
  hexToBytes,
  keccak256,
  stringToBytes,
  stringToHex,
} from 'viem'
import { accountBytes } from '#src/core/units/account.ts'
import type { Account, Address } from '#src/core/units/address.ts'
import type { OrderFee, OrderInput, OrderOutput, ProtocolOrder } from './protocolOrder.ts'

// Hand-written for speed: viem's hashStruct derives and hashes each type again for every struct. The tests compare
// the two. @source docs/protocol.md §7

const structs = {
  Fee: 'Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)',
  Input: 'Input(InputPayment payment,InputRefund[] refunds)',
  InputPayment: 'InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)',
  InputRefund:
    'InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)',
  Output:
    'Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)',
  OutputPayment:
    'OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)',
  Order:
    'Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)',
} as const

type Struct = keyof typeof structs

// WebAssembly, created once. viem's JavaScript keccak256 takes 14 times as long.
const hasher = await createKeccak(256)
const keccakOf = (bytes: Uint8Array): Word => hasher.init().update(bytes).digest('binary')

// Caches: chain names, currencies, routers and empty values repeat in many orders.
const knownTexts = new Map<string, Word>()
const knownBytes = new Map<Hex, Word>()
const knownAccounts = new Map<Account, Word>()

/** Entries in each cache, with keys of at most 66 characters. */
const maxCached = 4_096

/** EIP-712 `typeHash`: the struct's own type, then the types of all structs in it by name. */
const typeHash = (struct: Struct, parts: readonly Struct[] = []): Word =>
  textWord([struct, ...parts].map((name) => structs[name]).join(''))

const paymentParts = ['InputPayment', 'InputRefund'] as const
const typeHashes = {
  Fee: typeHash('Fee'),
  Input: typeHash('Input', paymentParts),
  InputPayment: typeHash('InputPayment'),
  InputRefund: typeHash('InputRefund'),
  Output: typeHash('Output', ['OutputPayment']),
  OutputPayment: typeHash('OutputPayment'),
  Order: typeHash('Order', ['Fee', 'Input', ...paymentParts, 'Output', 'OutputPayment']),
} as const satisfies Record<Struct, Word>

/** The id of an order: its EIP-712 `hashStruct`, without a domain. Deposits and fills contain it. */
export const orderIdOf = (order: ProtocolOrder): Hex =>
  bytesToHex(
    structWord('Order', [
      textWord(order.version),
      textWord(order.solverChainId),
      numberWord(BigInt(order.solver)),
      numberWord(order.salt),
      listWord(order.inputs.map(inputWord)),
      outputWord(order.output),
      listWord(order.fees.map(feeWord)),
    ]),
  )

/** The words that `orderIdOf` hashes: the hash of each part, as in a proof. @source Orders.sol */
const orderWordsOf = ({ version, solverChainId, inputs, output, fees }: ProtocolOrder) => ({
  version: bytesToHex(textWord(version)),
  solverChainId: bytesToHex(textWord(solverChainId)),
  inputs: inputs.map((input) => bytesToHex(inputWord(input))),
  output: bytesToHex(outputWord(output)),
  fees: fees.map((fee) => bytesToHex(feeWord(fee))),
})

/** The hashes of an input's payment and of its refunds. */
const inputWordsOf = ({ payment, refunds }: OrderInput) => ({
  payment: bytesToHex(paymentWord(payment)),
  refunds: refunds.map((refund) => bytesToHex(refundWord(refund))),
})

/** 32 bytes. */
type Word = Uint8Array

const inputWord = ({ payment, refunds }: OrderInput): Word =>
  structWord('Input', [paymentWord(payment), listWord(refunds.map(refundWord))])

const paymentWord = (payment: OrderInput['payment']): Word =>
  structWord('InputPayment', [
    textWord(payment.chainId),
    accountWord(payment.currency),
    numberWord(payment.amount),
    numberWord(payment.weight),
  ])

const refundWord = (refund: OrderInput['refunds'][number]): Word =>
  structWord('InputRefund', [
    textWord(refund.chainId),
    accountWord(refund.recipient),
    accountWord(refund.currency),
    numberWord(refund.minimumAmount),
    numberWord(BigInt(refund.deadline)),
    bytesWord(refund.extraData),
  ])

const outputWord = (output: OrderOutput): Word =>
  structWord('Output', [
    textWord(output.chainId),
    listWord(
      output.payments.map((payment) =>
        structWord('OutputPayment', [
          accountWord(payment.recipient),
          accountWord(payment.currency),
          numberWord(payment.minimumAmount),
          numberWord(payment.expectedAmount),
        ]),
      ),
    ),
    numberWord(BigInt(output.deadline)),
    listWord(output.calls.map(bytesWord)),
    bytesWord(output.extraData),
  ])

const feeWord = (fee: OrderFee): Word =>
  structWord('Fee', [
    textWord(fee.recipientChainId),
    accountWord(fee.recipient),
    textWord(fee.currencyChainId),
    accountWord(fee.currency),
    numberWord(fee.amount),
  ])

const structWord = (struct: Struct, fields: readonly Word[]): Word =>
  listWord([typeHashes[struct], ...fields])

/** The word of an empty list. Computed once, because most orders have neither calls nor fees. */
const emptyWord = keccakOf(new Uint8Array(0))

// Reused: allocating a buffer for each struct takes as long as hashing it. Hashing is synchronous, so calls never
// overlap.
const scratch = new Uint8Array(32 * 32)

function listWord(words: readonly Word[]): Word {
  if (words.length === 0) return emptyWord
  const size = words.length * 32
  const bytes = size > scratch.length ? new Uint8Array(size) : scratch
  words.forEach((word, at) => {
    bytes.set(word, at * 32)
  })
  return keccakOf(bytes.subarray(0, size))
}

function textWord(text: string): Word {
  return remember(knownTexts, text, stringToBytes)
}

/** Accounts are hashed as their bytes: 20 on EVM chains. */
function accountWord(account: Account): Word {
  return remember(knownAccounts, account, accountBytes)
}

function bytesWord(bytes: Hex): Word {
  return remember(knownBytes, bytes, hexToBytes)
}

function remember<Key extends string>(
  known: Map<Key, Word>,
  key: Key,
  toBytes: (key: Key) => Uint8Array,
): Word {
  const found = known.get(key)
  if (found !== undefined) return found
  const word = keccakOf(toBytes(key))
  if (known.size === maxCached) known.clear()
  if (key.length <= 66) known.set(key, word)
  return word
}

/** A uint256 as a big-endian word. */
function numberWord(value: bigint): Word {
  const word = new Uint8Array(32)
  const view = new DataView(word.buffer)
  let rest = value
  for (let at = 24; rest > 0n; at -= 8) {
    view.setBigUint64(at, rest)
    rest >>= 64n
  }
  return word
}

// A proof contains one part of an order and the hashes of all others, so that the depository can check the part against
// the order id without the whole order. @source Orders.sol

type OrderWords = Readonly<{
  version: Hex
  solverChainId: Hex
  solver: Address
  salt: bigint
  inputs: Hex
  output: Hex
  fees: Hex
}>

/** Proves the recipient of an input's refund. @source Orders.sol, RefundProof */
export type RefundProof = Readonly<{
  order: OrderWords
  inputs: readonly Hex[]
  inputAt: bigint
  paymentCurrency: Hex
  paymentAmount: bigint
  paymentWeight: bigint
  refunds: readonly Hex[]
  refundAt: bigint
  chainId: Hex
  currency: Hex
  minimumAmount: bigint
  deadline: number
  extraData: Hex
}>

/** Proves the payment of an input, and the hashes of the order's fees. @source Orders.sol, PaymentProof */
export type PaymentProof = Readonly<{
  order: OrderWords
  inputs: readonly Hex[]
  inputAt: bigint
  chainId: Hex
  amount: bigint
  weight: bigint
  refunds: Hex
  fees: readonly Hex[]
}>

/**
 * Undefined if no input of the order refunds a deposit in this currency on this chain to the recipient. The only input
 * of an order refunds deposits in any currency.
 */
export function refundProofOf(
  order: ProtocolOrder,
  recipient: Account,
  { chainName, currency }: Readonly<{ chainName: string; currency: Account }>,
): RefundProof | undefined {
  const isDeposited = (part: Readonly<{ chainId: string; currency: Account }>): boolean =>
    part.chainId === chainName && (order.inputs.length === 1 || part.currency === currency)
  for (const [inputAt, input] of order.inputs.entries()) {
    const { payment } = input
    const refundAt = input.refunds.findIndex(
      (refund) => refund.recipient === recipient && isDeposited(refund),
    )
    const refund = input.refunds[refundAt]
    if (refund === undefined || !isDeposited(payment)) continue
    return {
      ...proofStart(order, inputAt),
      paymentCurrency: keccak256(accountBytes(payment.currency)),
      paymentAmount: payment.amount,
      paymentWeight: payment.weight,
      refunds: inputWordsOf(input).refunds,
      refundAt: BigInt(refundAt),
      chainId: textHash(refund.chainId),
      currency: keccak256(accountBytes(refund.currency)),
      minimumAmount: refund.minimumAmount,
      deadline: refund.deadline,
      extraData: keccak256(refund.extraData),
    }
  }
  return undefined
}

/** @throws Error if the order has no such input. */
export function paymentProofOf(order: ProtocolOrder, inputAt: number): PaymentProof {
  const input: OrderInput | undefined = order.inputs[inputAt]
  if (input === undefined) throw new Error(`The order has no input ${inputAt}`)
  const { chainId, amount, weight } = input.payment
  return {
    ...proofStart(order, inputAt),
    chainId: textHash(chainId),
    amount,
    weight,
    refunds: listHash(inputWordsOf(input).refunds),
    fees: orderWordsOf(order).fees,
  }
}

function proofStart(order: ProtocolOrder, inputAt: number) {
  const { version, solverChainId, inputs, output, fees } = orderWordsOf(order)
  const { solver, salt } = order
  return {
    order: {
      version,
      solverChainId,
      solver,
      salt,
      output,
      inputs: listHash(inputs),
      fees: listHash(fees),
    },
    inputs,
    inputAt: BigInt(inputAt),
  }
}

const textHash = (text: string): Hex => keccak256(stringToHex(text))

const listHash = (hashes: readonly Hex[]): Hex =>
  keccak256(hashes.length === 0 ? '0x' : concatHex(hashes))
