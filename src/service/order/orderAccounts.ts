import type { Account } from '#src/core/units/address.ts'
import { burnAccountOf } from '#src/core/units/vmType.ts'
import { FieldError } from '#src/service/input/fieldError.ts'
import type { SwapInput } from '#src/service/input/quoteInput.ts'
import { type ChainMachines, checkAccountForms, machineOf } from './accountForms.ts'

/** The accounts of an order. */
export type OrderAccounts = Readonly<Record<'user' | 'recipient' | 'refundTo', Account>>

/**
 * The accounts of a request, with their defaults. An account is no default on a chain of the other virtual machine.
 * @throws AppError INVALID_ADDRESS for an account in the form of another chain; INVALID_REQUEST without a recipient that
 * has no default
 */
export function readAccounts(deps: ChainMachines, request: SwapInput): OrderAccounts {
  checkForms(deps, request)
  const [origin, destination] = machinesOf(deps, request)
  const isOneMachine = origin === destination
  const user = request.user ?? burnAccountOf[origin]
  if (request.recipient == null && request.user != null && !isOneMachine)
    throw new MissingRecipientError(request.destinationChainId)
  const recipient = request.recipient ?? (isOneMachine ? user : burnAccountOf[destination])
  const refundTo = request.refundTo ?? (isOneMachine ? recipient : user)
  return { user, recipient, refundTo }
}

const machinesOf = (deps: ChainMachines, { originChainId, destinationChainId }: SwapInput) =>
  [machineOf(deps, originChainId), machineOf(deps, destinationChainId)] as const

function checkForms(deps: ChainMachines, request: SwapInput): void {
  const on = (chainId: SwapInput['originChainId']) => (field: keyof SwapInput & AccountKey) => ({
    path: [field],
    chainId,
    account: request[field],
  })
  const { originChainId, destinationChainId, appFees } = request
  checkAccountForms(deps, [
    ...(['user', 'originCurrency', 'refundTo', 'depositFeePayer'] as const).map(on(originChainId)),
    ...(['destinationCurrency', 'recipient'] as const).map(on(destinationChainId)),
    ...(appFees ?? []).map(({ recipient }, at) => ({
      path: ['appFees', at, 'recipient'],
      chainId: originChainId,
      account: recipient,
    })),
  ])
}

type AccountKey =
  | 'user'
  | 'originCurrency'
  | 'refundTo'
  | 'depositFeePayer'
  | 'destinationCurrency'
  | 'recipient'

/** The user has no account on the destination chain. */
export class MissingRecipientError extends FieldError {
  constructor(chainId: number) {
    const problem = `required: the user has no address on chain ${chainId}`
    super('INVALID_REQUEST', ['recipient'], problem, { chainId })
  }
}
