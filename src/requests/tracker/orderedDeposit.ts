import { type Abi, decodeFunctionData, type Hex } from 'viem'
import { approvalProxy as proxyArtifact } from '#src/contracts/artifacts/approvalProxy.ts'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import { mainData } from './stepTransaction.ts'

type SolverRequest = Extract<QuotedRequest, { execution: 'solver' }>

/** Whether the deposit is in the currency that was ordered, and as much as the request's own may be, or more. */
export const isAsOrdered = (
  request: SolverRequest,
  { currency, amount }: Pick<Deposit, 'currency' | 'amount'>,
): boolean =>
  currency === request.depositCurrency &&
  (amount >= request.depositAmount || amount >= leastDeposit(request))

/**
 * What the request's own deposit brings at the least, of the deposit currency: what was ordered, or the minimum
 * that its transaction names where that swaps first, as the pools may give less by then.
 */
export function leastDeposit(request: SolverRequest): bigint {
  const data = mainData(request)?.data
  for (const { callData } of data === undefined ? [] : routerCallsIn(data)) {
    const call = decodeCall(routerArtifact.abi, callData)
    if (call?.functionName === 'depositNative') return call.args[3]
    if (call?.functionName === 'depositErc20') return call.args[4]
  }
  return request.depositAmount
}

function routerCallsIn(data: Hex): readonly Readonly<{ callData: Hex }>[] {
  const run = decodeCall(routerArtifact.abi, data)
  if (run?.functionName === 'multicall') return run.args[0]
  const paidRun = decodeCall(proxyArtifact.abi, data)
  return paidRun?.functionName === 'transferAndMulticall' ? paidRun.args[2] : []
}

/** Undefined where it calls none of these functions. */
function decodeCall<const Functions extends Abi>(abi: Functions, data: Hex) {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    return undefined
  }
}
