import type { FieldPath } from '#src/operations/input/fieldError.ts'
import type { MultiInputRequest } from '#src/operations/input/multiInput.ts'
import { refuseUnsupported } from '#src/operations/input/refusals.ts'
import type { Loaders } from '#src/operations/operations.ts'
import type { Market } from '#src/pricing/market.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import { checkChains, checkLosses, readCurrencies } from './orderChecks.ts'
import { commonOptionsOf, type OrderDeps } from './readOrder.ts'

/**
 * The multi-input order that `request` makes, its origins in the request's order, and the market to price it on.
 * @throws AppError with the code of what stands in the way and every field where it does, origins by their index.
 */
export async function readMultiOrder(
  deps: Pick<OrderDeps, 'chains' | 'contracts' | 'knownCurrency' | 'snapshot'>,
  request: MultiInputRequest,
  loaders: Pick<Loaders, 'currency'>,
): Promise<Readonly<{ order: MultiOrder; market: Market }>> {
  const { user, destinationChainId: chainId, gasLimitForDepositSpecifiedTxs } = request
  const recipient = request.recipient ?? user
  const payers = request.origins.map((origin, at) => toPayer(request, origin, at))
  refuseUnsupported({ gasLimitForDepositSpecifiedTxs })
  checkChains(deps, [
    ...payers.map((payer) => ({ ...payer, path: [...payer.path, 'chainId'] })),
    { path: ['destinationChainId'], chainId },
  ])
  checkLosses(deps, [
    { path: ['recipient'], chainId, payee: recipient },
    ...payers.map(({ refundPath: path, ...payer }) => ({ ...payer, path, payee: payer.refundTo })),
  ])

  const market = deps.snapshot([...new Set([...payers.map((payer) => payer.chainId), chainId])])
  const address = request.destinationCurrency
  const [destination, ...origins] = await readCurrencies(deps, loaders, [
    { path: ['destinationCurrency'], chainId, address, side: 'output' },
    ...payers.map((payer) => ({ ...payer, path: [...payer.path, 'currency'] })),
  ])
  const order = {
    user,
    recipient,
    origins: origins.map(({ user, refundTo, currency, amount }) => {
      return { user, refundTo, currency, amount }
    }),
    destination: destination.currency,
    ...(request.amount != null && { output: request.amount }),
    ...commonOptionsOf(request),
  }
  return { order, market }
}

/** An origin with its accounts, and the fields that name it and who is paid back. */
function toPayer(
  request: Pick<MultiInputRequest, 'user' | 'refundTo'>,
  { chainId, currency: address, amount, user: own }: MultiInputRequest['origins'][number],
  at: number,
) {
  const path: FieldPath = ['origins', at]
  const user = own ?? request.user
  const refundTo = request.refundTo ?? user
  const byDefault: FieldPath = own == null ? ['user'] : [...path, 'user']
  const refundPath: FieldPath = request.refundTo == null ? byDefault : ['refundTo']
  return { path, chainId, address, side: 'input' as const, amount, user, refundTo, refundPath }
}
