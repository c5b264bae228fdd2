import { AppError } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import {
  type AuthorityState,
  type Authorization,
  mayDelegate,
} from '#src/core/units/authorization.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Authorities } from '#src/market/reads/transactionSimulator.ts'
import type { QuotedPrice } from '#src/protocol/order/quotedPrice.ts'
import type { Step } from '#src/protocol/steps/step.ts'
import { type AuthorizationFault, InvalidAuthorizationsError } from './readAuthorizations.ts'

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
