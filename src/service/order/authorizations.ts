import * as OxAuthorization from 'ox/Authorization'
import * as Secp256k1 from 'ox/Secp256k1'
import { AppError } from '#src/core/errors.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import {
  type AuthorityState,
  type Authorization,
  mayDelegate,
} from '#src/core/units/authorization.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Authorities } from '#src/market/reads/transactionSimulator.ts'
import type { QuotedPrice } from '#src/protocol/order/quotedPrice.ts'
import type { Step } from '#src/protocol/step.ts'
import type { QuoteInput } from '#src/service/input/quoteInput.ts'

type Given = NonNullable<QuoteInput['authorizationList']>[number]

/** A problem with the authorization at an index of the list, or with one of its fields. */
type AuthorizationFault = Readonly<{
  at: number
  field?: keyof Given
  message: string
}>

/**
 * Authorizations that the fill could not apply. The error names every bad one by its index, and never its signature.
 */
class InvalidAuthorizationsError extends AppError {
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
  }: Pick<QuoteInput, 'authorizationList' | 'destinationChainId'>,
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

type Deps = Readonly<{
  simulator: Authorities
}>

/**
 * Checks on the destination chain that the fill can apply the authorizations of an order. If an account sends
 * transactions of the quote itself, it must sign for the nonce after them.
 * @throws AppError UNSUPPORTED_EXECUTION_TYPE if the chain does not support them; InvalidAuthorizationsError;
 * RPC_HTTP_ERROR, OVERLOADED.
 */
export async function checkAuthorizations(
  { simulator }: Deps,
  { order, currencyOut: { currency } }: QuotedPrice,
  steps: readonly Step[],
): Promise<void> {
  const list = ('authorizationList' in order && order.authorizationList) || []
  const sent = steps.flatMap(({ items }) => items.map(({ data }) => data))
  await checkAuthorities({ simulator }, currency.chainId, list, sent)
}

/**
 * Checks on a chain that a transaction can apply the authorizations.
 * @param sent transactions that come before it
 * @throws as `checkAuthorizations`
 */
export async function checkAuthorities(
  { simulator }: Deps,
  chainId: ChainId,
  list: readonly Authorization[],
  sent: readonly Readonly<{ chainId: number; from: Address }>[] = [],
): Promise<void> {
  if (list.length === 0) return
  if (!(await simulator.supportsAuthorizations(chainId))) throw new UnsupportedError(chainId)
  const states = await simulator.readAuthorities(
    chainId,
    list.map(({ authority }) => authority),
  )
  const faults = list.flatMap((each, at): readonly AuthorizationFault[] => {
    const state = states[at]
    const own = sent.filter((data) => data.chainId === chainId && data.from === each.authority)
    return state === undefined ? [] : faultsOf(each, at, { ...state, own: own.length })
  })
  if (faults.length > 0) throw new InvalidAuthorizationsError(faults)
}

function faultsOf(
  { authority, nonce }: Authorization,
  at: number,
  state: AuthorityState & Readonly<{ own: number }>,
): readonly AuthorizationFault[] {
  const expected = state.nonce + state.own
  if (!mayDelegate(state)) return [{ at, message: `The signer ${authority} is a contract` }]
  if (nonce === expected) return []
  const after = state.own === 0 ? '' : `, plus ${state.own} of the steps`
  const message = `Must be ${expected}, the number of transactions that the signer ${authority} has sent${after}`
  return [{ at, field: 'nonce', message }]
}

class UnsupportedError extends AppError {
  constructor(chainId: ChainId) {
    super(
      'UNSUPPORTED_EXECUTION_TYPE',
      `authorizationList: chain ${chainId} does not apply EIP-7702 authorizations; leave authorizationList out.`,
      { field: 'authorizationList', chainId },
    )
  }
}
