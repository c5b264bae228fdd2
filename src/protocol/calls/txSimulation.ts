import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import type { Price } from '#src/core/pricing/price.ts'
import { type Address, evmAddress, toAddress } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import { isUserSwap, type QuotedPrice, tradeTypeOf } from '#src/protocol/order/quotedPrice.ts'
import type { StepContext } from '#src/protocol/step.ts'
import { conversionCalls, payCall } from './routerCalls.ts'
import type { TransactionCall } from './transactionCall.ts'

type SimulatedCall = TransactionCall & Readonly<{ from: Address }>

/** Values of the destination chain. */
type Context = Pick<
  StepContext,
  'contracts' | 'wrappedNative' | 'solver' | 'requestId' | 'orderId'
> &
  Readonly<{
    /** Account on whose behalf the solver fills. */
    identity: Address
  }>

/**
 * The transactions to simulate, in order, to check that an order's `txs` succeed. `funding` pays the input into the
 * router, converts it to the output and pays the output to the executor. Then the executor sends each of the `txs`.
 */
export function planTxSimulation(
  price: QuotedPrice,
  context: Context,
): Readonly<{ funding: readonly SimulatedCall[]; txs: readonly SimulatedCall[] }> {
  const { order } = price
  const { contracts, solver, identity, requestId, orderId } = context
  const from = isUserSwap(price) ? evmAddress(order.user) : solver
  const account = isUserSwap(price) ? executorOwner(price, solver) : identity
  const executor = executorAddress(contracts.router, account, orderId ?? requestId)
  const { authorizationList = undefined } = 'authorizationList' in order ? order : {}
  return {
    funding: fundingOf(price, context, executor).map((call, at) => ({
      from,
      ...call,
      ...(at === 0 && authorizationList !== undefined && { authorizationList }),
    })),
    txs: order.txs.map((tx) => ({ from: executor, ...tx })),
  }
}

/** Account that owns the executor of a user's own swap: the sender of its transaction. */
const executorOwner = ({ order }: Price, solver: Address): Address =>
  order.permit === undefined ? evmAddress(order.user) : (order.permit.payer ?? solver)

/** Pays the router directly instead of through the approval proxy, so that the result does not depend on allowances. */
function fundingOf(
  price: QuotedPrice,
  context: Context,
  executor: Address,
): readonly TransactionCall[] {
  const { destination, fees } = price
  const { contracts, wrappedNative } = context
  const { router } = contracts
  const currency = evmAddress(destination.input.currency.address)
  // A user-executed swap pays app fees out of its input. The app fees of a fill stay with the solver.
  const amount = destination.input.amount - (isUserSwap(price) ? fees.app.amount : 0n)
  const conversion = {
    contracts,
    wrappedNative,
    input: currency,
    output: evmAddress(destination.output.currency.address),
    route: destination.route,
    limitsOutput: tradeTypeOf(price) !== 'EXACT_INPUT',
  }
  const calls = [
    ...conversionCalls(conversion, amount),
    payCall(router, conversion.output, { recipient: executor, minimum: 0n }),
  ]
  const args = [calls, zeroAddress, zeroAddress, '0x'] as const
  const run = { abi: routerArtifact.abi, functionName: 'multicall', args } as const
  const data = encodeFunctionData(run)
  if (isNative(currency)) return [{ to: router, data, value: amount }]
  const pay = { abi: erc20Abi, functionName: 'transfer', args: [router, amount] } as const
  return [
    { to: currency, data: encodeFunctionData(pay), value: 0n },
    { to: router, data, value: 0n },
  ]
}

const accountAndId = parseAbiParameters('address account, bytes32 id')

/**
 * Address of the executor that makes the calls of one run: a clone (EIP-1167) that the router deploys by CREATE2.
 * @source Router.sol, executorOf
 */
export function executorAddress(router: Address, account: Address, id: Hex): Address {
  // The router's constructor deploys the implementation: its first and only CREATE.
  const implementation = getContractAddress({ from: router, nonce: 1n })
  const bytecode = concatHex([
    '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
  ])
  const salt = keccak256(encodeAbiParameters(accountAndId, [account, id]))
  return toAddress(getCreate2Address({ from: router, salt, bytecode }))
}
