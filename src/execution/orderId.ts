import { type Hex, keccak256, stringToHex } from 'viem'
import type { OrderFee, OrderInput, OrderOutput, ProtocolOrder } from './protocolOrder.ts'

// Written out for speed: viem's hashStruct derives and hashes each type anew for every struct, and
// equal values again, which takes 2.5 times as long. It is what the tests hold this against.

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

/** A struct's own fields, then those of all structs in it, by name. */
const typeHash = (struct: Struct, parts: readonly Struct[] = []): Hex =>
  keccak256(stringToHex([struct, ...parts].map((name) => structs[name]).join('')))

const paymentParts = ['InputPayment', 'InputRefund'] as const
const typeHashes = {
  Fee: typeHash('Fee'),
  Input: typeHash('Input', paymentParts),
  InputPayment: typeHash('InputPayment'),
  InputRefund: typeHash('InputRefund'),
  Output: typeHash('Output', ['OutputPayment']),
  OutputPayment: typeHash('OutputPayment'),
  Order: typeHash('Order', ['Fee', 'Input', ...paymentParts, 'Output', 'OutputPayment']),
} as const satisfies Record<Struct, Hex>

/** EIP-712 `hashStruct` of the order, without a domain: what deposits and fills carry. */
export function orderIdOf(order: ProtocolOrder): Hex {
  const encode = createEncoder()
  return `0x${encode.struct('Order', [
    encode.text(order.version),
    encode.text(order.solverChainId),
    order.solver.slice(2).padStart(64, '0'),
    numberWord(order.salt),
    encode.list(order.inputs.map((input) => inputWord(encode, input))),
    outputWord(encode, order.output),
    encode.list(order.fees.map((fee) => feeWord(encode, fee))),
  ])}`
}

/** 32 bytes in hexadecimal, without 0x. */
type Word = string

type Encoder = Readonly<{
  text: (text: string) => Word
  bytes: (bytes: Hex) => Word
  list: (members: readonly Word[]) => Word
  struct: (struct: Struct, fields: readonly Word[]) => Word
}>

/** For one order, in which the same names and addresses come again and again. */
function createEncoder(): Encoder {
  const known = new Map<string, Word>()
  const remember = (key: string, toBytes: () => Hex): Word => {
    const word = known.get(key) ?? hash(toBytes())
    known.set(key, word)
    return word
  }
  const bytes = (value: Hex): Word => remember(value, () => value)
  return {
    bytes,
    // Text may itself begin with 0x.
    text: (text) => remember(`"${text}`, () => stringToHex(text)),
    list: (members) => hash(`0x${members.join('')}`),
    struct: (struct, fields) => hash(`${typeHashes[struct]}${fields.join('')}`),
  }
}

const hash = (bytes: Hex): Word => keccak256(bytes).slice(2)

const numberWord = (value: bigint | number): Word => value.toString(16).padStart(64, '0')

const inputWord = (encode: Encoder, { payment, refunds }: OrderInput): Word =>
  encode.struct('Input', [
    encode.struct('InputPayment', [
      encode.text(payment.chainId),
      encode.bytes(payment.currency),
      numberWord(payment.amount),
      numberWord(payment.weight),
    ]),
    encode.list(
      refunds.map((refund) =>
        encode.struct('InputRefund', [
          encode.text(refund.chainId),
          encode.bytes(refund.recipient),
          encode.bytes(refund.currency),
          numberWord(refund.minimumAmount),
          numberWord(refund.deadline),
          encode.bytes(refund.extraData),
        ]),
      ),
    ),
  ])

const outputWord = (encode: Encoder, output: OrderOutput): Word =>
  encode.struct('Output', [
    encode.text(output.chainId),
    encode.list(
      output.payments.map((payment) =>
        encode.struct('OutputPayment', [
          encode.bytes(payment.recipient),
          encode.bytes(payment.currency),
          numberWord(payment.minimumAmount),
          numberWord(payment.expectedAmount),
        ]),
      ),
    ),
    numberWord(output.deadline),
    encode.list(output.calls.map(encode.bytes)),
    encode.bytes(output.extraData),
  ])

const feeWord = (encode: Encoder, fee: OrderFee): Word =>
  encode.struct('Fee', [
    encode.text(fee.recipientChainId),
    encode.bytes(fee.recipient),
    encode.text(fee.currencyChainId),
    encode.bytes(fee.currency),
    numberWord(fee.amount),
  ])
