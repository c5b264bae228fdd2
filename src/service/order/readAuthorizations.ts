import * as OxAuthorization from 'ox/Authorization'
import * as Secp256k1 from 'ox/Secp256k1'
import { AppError } from '#src/core/errors.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import type { QuoteRequest } from '#src/service/input/quoteInput.ts'

type Given = NonNullable<QuoteRequest['authorizationList']>[number]

/** A problem with the authorization at an index of the list, or with one of its fields. */
export type AuthorizationFault = Readonly<{
  at: number
  field?: keyof Given
  message: string
}>

/**
 * Authorizations that the fill could not apply. The error names every bad one by its index, and never its signature.
 */
export class InvalidAuthorizationsError extends AppError {
  constructor(faults: readonly AuthorizationFault[]) {
    const issues = faults.map(({ at, field, message }) => ({
      path: ['authorizationList', at, ...(field === undefined ? [] : [field])],
      message,
    }))
    const text = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    super('INVALID_REQUEST', text, { issues })
  }
}

/**
 * The options of an order with EIP-7702 authorizations, with the recovered signer of each. Only the solver can send
 * them.
 * @param ours accounts of the solver. They send transactions of their own, and never sign authorizations.
 * @param chain description of the required chain, for people
 * @throws InvalidAuthorizationsError
 */
export function readAuthorizations(
  {
    authorizationList,
    destinationChainId,
  }: Pick<QuoteRequest, 'authorizationList' | 'destinationChainId'>,
  ours: readonly Address[],
  chain = 'the destination chain',
): Pick<Order, 'authorizationList'> & Partial<Pick<Order, 'forceSolverExecution'>> {
  if (authorizationList == null || authorizationList.length === 0) return {}
  const signed = authorizationList.map((given) => ({ given, authority: authorityOf(given) }))
  const faults = signed.flatMap(({ given: { chainId }, authority }, at): AuthorizationFault[] => {
    const first = signed.findIndex((each) => each.authority === authority)
    if (chainId !== 0 && chainId !== destinationChainId)
      return [
        {
          at,
          field: 'chainId',
          message: `Must be ${destinationChainId}, ${chain}, or 0`,
        },
      ]
    if (authority === undefined)
      return [{ at, message: 'The signature does not recover to an account' }]
    if (ours.includes(authority))
      return [{ at, message: `The signer ${authority} is an account of the solver` }]
    return first === at
      ? []
      : [
          {
            at,
            message: `The signer ${authority} also signed authorizationList.${first}: only one authorization per account`,
          },
        ]
  })
  if (faults.length > 0) throw new InvalidAuthorizationsError(faults)
  const complete = signed.flatMap(({ given, authority }): Authorization[] =>
    authority === undefined ? [] : [{ ...given, authority }],
  )
  return { authorizationList: complete, forceSolverExecution: true }
}

/** The signer of an authorization; `undefined` if the signature recovers to no key. */
function authorityOf({ chainId, address, nonce, yParity, r, s }: Given): Address | undefined {
  const payload = OxAuthorization.getSignPayload({ chainId, address, nonce: BigInt(nonce) })
  try {
    const signature = { r: BigInt(r), s: BigInt(s), yParity }
    return toAddress(Secp256k1.recoverAddress({ payload, signature }))
  } catch {
    return undefined
  }
}
