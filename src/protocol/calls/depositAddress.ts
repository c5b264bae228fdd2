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
import { type Account, type Address, toAddress } from '#src/core/units/address.ts'
import { burnAccountOf, nativeOf } from '#src/core/units/vmType.ts'
import { depositAddressFactory } from '#src/protocol/contracts/artifacts/depositAddressFactory.ts'
import type { TransactionCall } from './transactionCall.ts'

/** The inputs of a deposit address's salt. Anybody who knows them can sweep the address. */
export type DepositAddressTerms = Readonly<{
  orderId: Hex
  /** Account on whose behalf the address deposits. It can take back deposits that are neither filled nor refunded. */
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

/** Deposits the address's whole balances of these currencies. Reverts if one of the balances is 0. */
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

const burned: readonly Account[] = [...Object.values(nativeOf), ...Object.values(burnAccountOf)]

/** Whether nobody holds the key of the account. Clients use such accounts as the user if they do not know the payer. */
export const isBurnAddress = (account: Account): boolean => burned.includes(account)

/** The depositor of an order's deposit address: its user, or the refund recipient if the user is a burn address. */
export const depositorOf = ({
  user,
  refundTo,
}: Readonly<{ user: Address; refundTo: Address }>): Address =>
  isBurnAddress(user) ? refundTo : user

/**
 * The order id for the fill of a payment to an open address. It depends only on the payment, so that the approval proxy
 * refuses a second fill even after a loss of the database.
 * @param orderId the order id of the address, which the deposit carries
 */
export const paymentOrderIdOf = (orderId: Hex, depositId: string): Hex =>
  keccak256(concatHex([orderId, stringToHex(depositId)]))

/** The ids of the request of a payment to an open address. They are the same in every process and after a crash. */
export const paymentIdsOf = (
  { requestId, orderId }: Readonly<{ requestId: Hex; orderId: Hex }>,
  depositId: string,
): Readonly<{ requestId: Hex; orderId: Hex }> => ({
  requestId: keccak256(concatHex([requestId, stringToHex(depositId)])),
  orderId: paymentOrderIdOf(orderId, depositId),
})
