import type { RequestInput } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { Address } from '#src/units/address.ts'

/**
 * Whom a deposit for the request is paid back to. Where there may be several: whom the input names that counts on it,
 * else the one that was the likeliest to, and where none is on its chain the depositor.
 */
export function payeeOf(request: StoredRequest, deposit: Deposit): Address {
  if (request.execution !== 'solver' || request.gathering === undefined) return request.refundTo
  const funded = request.inputs[inputFundedBy(request, deposit.depositId) ?? -1]
  const here = request.inputs.filter(({ chainId }) => chainId === deposit.chainId)
  const isOwn = ({ user }: RequestInput) => user === deposit.depositor
  const isOfCurrency = ({ depositCurrency }: RequestInput) => depositCurrency === deposit.currency
  const input =
    funded ??
    here.find((each) => isOwn(each) && isOfCurrency(each)) ??
    here.find(isOwn) ??
    here.find(isOfCurrency)
  return input?.refundTo ?? deposit.depositor
}
