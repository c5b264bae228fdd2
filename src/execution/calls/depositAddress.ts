import {
  concatHex,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  stringToHex,
} from 'viem'
import { depositAddressFactory } from '#src/contracts/artifacts/depositAddressFactory.ts'
import { type Address, nativeAddress, toAddress } from '#src/units/address.ts'
import type { TransactionCall } from './transactionCall.ts'

/** What the salt of a deposit address is made of. Whoever knows it can sweep the address. */
export type DepositAddressTerms = Readonly<{
  orderId: Hex
  /** In whose name the address deposits. Takes back what is neither filled nor refunded. */
  depositor: Address
}>

/**
 * The deposit address of an order: a clone (EIP-1167) that the factory deploys by CREATE2 with its first sweep.
 * @source DepositAddressFactory.sol, computeDepositAddress
 */
export function depositAddressOf(
  factory: Address,
  { orderId, depositor }: DepositAddressTerms,
): Address {
  // The factory's constructor deploys the implementation: its first and only CREATE.
  const implementation = getContractAddress({ from: factory, nonce: 1n })
  const bytecode = concatHex([
    '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
  ])
  const salt = keccak256(encodePacked(['bytes32', 'address'], [orderId, depositor]))
  return toAddress(getCreate2Address({ from: factory, salt, bytecode }))
}

/** Deposits all that the address holds of these currencies; of none of them it may hold nothing. */
export const sweepCall = (
  factory: Address,
  { orderId, depositor }: DepositAddressTerms,
  currencies: readonly Address[],
): TransactionCall => ({
  to: factory,
  data: encodeFunctionData({
    abi: depositAddressFactory.abi,
    functionName: 'sweep',
    args: [orderId, depositor, currencies],
  }),
  value: 0n,
})

const deadAddress = toAddress('0x000000000000000000000000000000000000dead')

/** Whether nobody holds the key of an account: clients name such users where they do not know who pays. */
export const isBurnAddress = (account: Address): boolean =>
  account === nativeAddress || account === deadAddress

/** The depositor of an order's deposit address: its user, or whom refunds go to where nobody is the user. */
export const depositorOf = ({
  user,
  refundTo,
}: Readonly<{ user: Address; refundTo: Address }>): Address =>
  isBurnAddress(user) ? refundTo : user

/**
 * The order id under which a payment to an open address is filled. It depends on nothing but the payment, so that the
 * approval proxy fills no payment twice, whatever a database has lost.
 * @param orderId what the deposit carries: the order of the address
 */
export const paymentOrderIdOf = (orderId: Hex, depositId: string): Hex =>
  keccak256(concatHex([orderId, stringToHex(depositId)]))

/** The ids of the request of a payment to an open address: the same ones after a crash, and in every process. */
export const paymentIdsOf = (
  { requestId, orderId }: Readonly<{ requestId: Hex; orderId: Hex }>,
  depositId: string,
): Readonly<{ requestId: Hex; orderId: Hex }> => ({
  requestId: keccak256(concatHex([requestId, stringToHex(depositId)])),
  orderId: paymentOrderIdOf(orderId, depositId),
})
