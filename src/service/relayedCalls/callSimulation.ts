import { parseAbi, parseEventLogs } from 'viem'
import { AppError } from '#src/core/errors.ts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type {
  SimulatedLog,
  TransactionPreviews,
  TransactionTrials,
} from '#src/market/reads/transactionSimulator.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'

/** A call as the relayer would send it. */
export type SimulatedCall = Readonly<{
  chainId: ChainId
  from: Address
  to: Address
  data: `0x${string}`
  value: 0n
  authorizationList?: readonly Authorization[]
}>

/** The call would revert. Nothing was sent. */
class CallRevertedError extends AppError {
  constructor(reason: string | undefined, revert: string | undefined) {
    super(
      'CALL_REVERTED',
      `The call would revert: ${reason ?? 'without a reason'}. Nothing was sent.`,
      { ...(revert !== undefined && { revert }) },
    )
  }
}

/** A call for a quoted request does not deposit for it. */
class NoDepositError extends AppError {
  constructor(requestId: string, problem: string) {
    super('INVALID_REQUEST', `requestId: ${problem}. Nothing was sent.`, {
      requestId,
      issues: [{ path: ['requestId'], message: problem }],
    })
  }
}

const depositAbi = parseAbi([
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
])

/**
 * The gas that the call uses on the newest block.
 * @throws AppError CALL_REVERTED with the node's reason; RPC_HTTP_ERROR; OVERLOADED
 */
export async function estimateCall(
  simulator: TransactionTrials,
  call: SimulatedCall,
): Promise<bigint> {
  const estimate = await simulator.tryEstimate(call)
  if (!estimate.succeeds) throw new CallRevertedError(estimate.reason, estimate.data)
  return estimate.gas
}

/**
 * Checks that the call makes a whole deposit for an input of the request that still awaits one.
 * @throws AppError INVALID_REQUEST if it does not; CALL_REVERTED; RPC_HTTP_ERROR if no node simulates; OVERLOADED
 */
export async function requireDeposit(
  simulator: TransactionPreviews,
  call: SimulatedCall,
  { request, depository }: Readonly<{ request: SolverRequest; depository: Address }>,
): Promise<void> {
  const { chainId, ...transaction } = call
  const { requestId, orderId, inputs, state } = request
  const [outcome] = (await simulator.simulate(chainId, [transaction])) ?? []
  if (outcome === undefined)
    throw new AppError(
      'RPC_HTTP_ERROR',
      `No node of chain ${chainId} can simulate the deposit of the call. Leave requestId out, or send the transactions yourself.`,
      { chainId },
    )
  if (!outcome.succeeds) throw new CallRevertedError(outcome.reason, undefined)
  const deposits = depositsIn(outcome.logs ?? [], depository).filter(({ id }) => id === orderId)
  const isWhole = inputs.some(
    (input, at) =>
      input.chainId === chainId &&
      state.inputStates[at]?.status === 'open' &&
      deposits.some(
        ({ currency, amount }) =>
          currency === input.depositCurrency && amount >= input.leastDeposit,
      ),
  )
  if (!isWhole)
    throw new NoDepositError(
      requestId,
      deposits.length === 0
        ? 'the simulated call makes no deposit for this request'
        : 'the simulated call deposits less than the request needs, or another currency',
    )
}

function depositsIn(logs: readonly SimulatedLog[], depository: Address) {
  const own = logs.filter(({ address }) => address === depository)
  return parseEventLogs({ abi: depositAbi, logs: own as never }).map(({ args }) => ({
    id: args.id,
    amount: args.amount,
    currency: 'token' in args ? toAddress(args.token.toLowerCase()) : nativeAddress,
  }))
}
