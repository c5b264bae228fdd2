import type { RequestFilter } from '#src/requests/requestList.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { requestStatuses } from '#src/requests/state/requestState.ts'

type Filter = Omit<RequestFilter, 'first'>

const paid = requestStatuses.filter((each) => each !== 'waiting')
const nobody = `0x${'e'.repeat(64)}` as const

/**
 * Every combination of filters that the APIs accept, about the accounts, chains and referrer of a request. `other` is a
 * referrer and a chain that few or no requests have.
 */
export function everyFilter(
  of: Pick<StoredRequest, 'user' | 'originChainId' | 'destinationChainId' | 'referrer'>,
  other: Readonly<{ referrer: string; chainId: StoredRequest['originChainId'] }>,
): readonly Filter[] {
  const { user, originChainId, destinationChainId } = of
  const accounts: Filter[] = [{}, { user }, { account: user }]
  const statuses: Filter[] = [
    {},
    { statuses: ['waiting'] },
    { statuses: paid },
    { statuses: ['pending', 'submitted'] },
    { statuses: ['waiting', 'failure'] },
  ]
  const chains: Filter[] = [
    {},
    { originChainId },
    { destinationChainId },
    { originChainId, destinationChainId: other.chainId },
    { chainId: originChainId },
    { chainId: other.chainId },
  ]
  const referrers: Filter[] = [{}, { referrer: of.referrer ?? '' }, { referrer: other.referrer }]
  const times: Filter[] = [
    {},
    { createdFrom: 1, createdUntil: Number.MAX_SAFE_INTEGER, order: 'oldest' },
    { withoutExpiredAt: Number.MAX_SAFE_INTEGER },
  ]
  const named: Filter[] = [
    { requestId: nobody },
    { txHash: nobody },
    { refundTxHash: nobody },
    { orderId: nobody },
    { family: nobody },
    { parentId: nobody },
    { depositAddress: user },
    { depositAddress: user, withoutChildren: true },
  ]
  return [
    ...combined(accounts, statuses, chains, referrers, times),
    ...combined(named, accounts, statuses, chains.slice(3, 5), times),
  ]
}

const combined = (...choices: readonly (readonly Filter[])[]): readonly Filter[] =>
  choices.reduce((all, more) => all.flatMap((one) => more.map((other) => ({ ...one, ...other }))), [
    {},
  ] as readonly Filter[])
