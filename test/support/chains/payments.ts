import {
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  type Hex,
  keccak256,
  numberToHex,
  stringToHex,
} from 'viem'
import type { Address } from '#src/core/units/address.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'

type Event = Readonly<{ address: Address; topics: readonly Hex[]; data: Hex }>

/** A transaction and its logs. Its hash derives from its name. */
export type Payment = Readonly<{
  name: string
  from: Address
  to: Address
  input: Hex
  events: readonly Event[]
}>

/** The hash of a payment, by its name. */
export const hashOf = (text: string): Hash => keccak256(stringToHex(text))
const encodeTransfer = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

export const transferLog = (
  currency: Address,
  { from, to, amount }: Readonly<{ from: Address; to: Address; amount: bigint }>,
): Event => ({
  address: currency,
  topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }) as Hex[],
  data: numberToHex(amount, { size: 32 }),
})

type Paid = Readonly<{ name: string; from: Address; currency: Address; amount: bigint; id: Hash }>

/** A deposit that the depository records. */
export function recordedDeposit(
  depository: Address,
  { name, from, currency, amount, id }: Paid,
): Payment {
  const [token, key] = [currency, hashOf(`deposit ${name}`)]
  const { abi } = depositoryArtifact
  const deposited = {
    address: depository,
    topics: encodeEventTopics({ abi, eventName: 'RelayErc20Deposit' }) as Hex[],
    data: encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }],
      [from, token, amount, id],
    ),
  }
  const recorded = {
    address: depository,
    topics: encodeEventTopics({
      abi,
      eventName: 'DepositRecorded',
      args: { depositId: key },
    }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [0n, 2_000_000_000n]),
  }
  const transfer = transferLog(currency, { from, to: depository, amount })
  return {
    name,
    from,
    to: depository,
    input: '0x01020304',
    events: [transfer, deposited, recorded],
  }
}

/** A plain transfer with an id after its arguments: a deposit, if it pays the depository, or a user's own send. */
export const plainTransfer = (
  to: Address,
  { name, from, currency, amount, id }: Paid,
): Payment => ({
  name,
  from,
  to: currency,
  input: concat([encodeTransfer(to, amount), id]),
  events: [transferLog(currency, { from, to, amount })],
})

/** A transaction that only emits logs. */
export const noise = (name: string, from: Address, events: readonly Event[]): Payment => ({
  name,
  from,
  events,
  to: from,
  input: '0x',
})
