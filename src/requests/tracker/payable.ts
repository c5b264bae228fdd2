import type { Deposit } from '#src/requests/deposit.ts'
import type { RequestInput } from '#src/requests/quotedRequest.ts'
import type { StoredRequest } from '#src/requests/storedRequest.ts'
import type { Draft } from './draft.ts'

/** A request, and the place of the one of its inputs that a deposit is for. */
export type Payable = Readonly<{
  request: Extract<StoredRequest, Readonly<{ execution: 'solver' }>>
  at: number
  input: RequestInput
}>

/** What the deposit shows in: a request without an input on its chain is not paid by it. */
export function payableOf(draft: Draft, { requestId, chainId }: Deposit): Payable | undefined {
  const request = draft.request(requestId)
  if (request?.execution !== 'solver') return undefined
  const at = request.inputs.findIndex((each) => each.chainId === chainId)
  const input = request.inputs[at]
  return input && { request, at, input }
}
