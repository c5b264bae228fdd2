import type { RequestAnswer } from '#src/operations/operations.ts'
import { initialState, type Progress, type RequestState } from '#src/requests/requestState.ts'
import { quotedRequest } from './quotedRequest.ts'

const hash = (byte: string) => `0x${byte.repeat(32)}` as const

export const requestId = hash('cd')
export const depositHash = hash('d1')
const fillHash = hash('f1')

const at = (
  status: 'sent' | 'seen' | 'confirmed',
  of: `0x${string}`,
  chainId: number,
): Progress => ({
  status,
  transaction: {
    chainId,
    hash: of,
    ...(status !== 'sent' && { block: { number: 12n, hash: hash('b1') } }),
  },
})

const request = quotedRequest(requestId)

const before = initialState(request)
const seen: RequestState = {
  ...before,
  inTxHashes: [depositHash],
  steps: [[{ status: 'waiting' }], [at('seen', depositHash, 990001)]],
}
const pending: RequestState = {
  ...seen,
  status: 'pending',
  fundings: [{ status: 'funded', depositId: 'deposit' }],
  steps: [[at('confirmed', hash('a1'), 990001)], [at('confirmed', depositHash, 990001)]],
}
const submitted: RequestState = {
  ...pending,
  status: 'submitted',
  txHashes: [fillHash],
  fill: at('sent', fillHash, 990002),
}
const success: RequestState = {
  ...submitted,
  status: 'success',
  fill: at('confirmed', fillHash, 990002),
}

/** The states that a request of a deposit and a fill goes through. */
export const filledStates: readonly RequestState[] = [
  before,
  seen,
  pending,
  submitted,
  success,
].map((state, seq) => ({ ...state, seq, updatedAt: request.createdAt + seq }))

export const answerOf = (state: RequestState, changed: object = {}): RequestAnswer => ({
  request: { ...request, ...changed },
  state,
  confirmations: () => undefined,
  deposits: async () => [],
})

export function stateAt(seq: number): RequestState {
  const state = filledStates[seq]
  if (state === undefined) throw new Error(`No state ${seq}`)
  return state
}
