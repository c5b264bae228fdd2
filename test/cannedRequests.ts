import type { Operations, RequestAnswer } from '#src/operations/operations.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import { nativeAddress, toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toChainId } from '#src/units/chainId.ts'
import { answerOf, depositHash, filledStates, requestId, stateAt } from './requestAnswer.ts'

const usdc = toAddress(`0x${'a1'.repeat(20)}`)

const deposit: Deposit = {
  depositId: `990001:${depositHash}:0`,
  chainId: toChainId(990001),
  txHash: depositHash,
  timestamp: 1_790_000_000,
  orderId: requestId,
  depositor: toAddress(`0x${'11'.repeat(20)}`),
  currency: usdc,
  amount: toAmount(2_991_000_000n),
  status: 'filled',
  version: 1,
}

/** One request that was filled, at one of its changes. */
const cannedRequest = (seq: number): RequestAnswer => ({
  ...answerOf(stateAt(seq), { originCurrency: usdc, destinationCurrency: nativeAddress }),
  confirmations: ({ block }) => (block === undefined ? undefined : 3),
  deposits: async () => [
    { ...deposit, refund: stateAt(seq).steps[0]?.[0] ?? { status: 'waiting' } },
  ],
})

/** Answer with the same request whatever is asked. */
export const cannedRequestOperations: Pick<
  Operations,
  'requestStatus' | 'watchRequest' | 'requests' | 'requestCursor' | 'indexTransaction'
> = {
  requestStatus: async () => cannedRequest(filledStates.length - 1),
  watchRequest: async function* (_, after = -1) {
    for (const { seq } of filledStates) if (seq > after) yield cannedRequest(seq)
  },
  requests: async () => ({ requests: [cannedRequest(2), cannedRequest(1)], next: undefined }),
  requestCursor: (request) => `after ${request.requestId}`,
  indexTransaction: async () => {},
}
