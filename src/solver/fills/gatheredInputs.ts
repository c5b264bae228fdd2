import type { RequestInput } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/solver/solverRequest.ts'

/** An input of a request, and the deposit that it counts on: none where it was missed. */
export type GatheredInput = Readonly<{ input: RequestInput; deposit: Deposit | undefined }>

/** In the order of the request's inputs; `deposits`: all that the request counts on. */
export function gatheredInputs(
  { inputs, state: { fundings } }: SolverRequest,
  deposits: readonly Deposit[],
): readonly GatheredInput[] {
  return inputs.map((input, at) => {
    const funding = fundings[at]
    const isIt = ({ depositId }: Deposit) =>
      funding?.status === 'funded' && funding.depositId === depositId
    return { input, deposit: deposits.find(isIt) }
  })
}
