import type { Address } from '#src/core/units/address.ts'
import type { RequestInput } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'

/**
 * The recipient of a deposit's refund. In a request with several inputs: the `refundTo` of the input that the deposit
 * funds, else of the most similar input on its chain, else the depositor.
 */
export function refundRecipientOf(request: StoredRequest, deposit: Deposit): Address {
  if (request.execution !== 'solver' || request.funding === undefined) return request.refundTo
  const funded = request.inputs[inputFundedBy(request, deposit.depositId) ?? -1]
  const onSameChain = request.inputs.filter(({ chainId }) => chainId === deposit.chainId)
  const isOwn = ({ user }: RequestInput) => user === deposit.depositor
  const isOfCurrency = ({ depositCurrency }: RequestInput) => depositCurrency === deposit.currency
  const input =
    funded ??
    onSameChain.find((each) => isOwn(each) && isOfCurrency(each)) ??
    onSameChain.find(isOwn) ??
    onSameChain.find(isOfCurrency)
  return input?.refundTo ?? deposit.depositor
}
