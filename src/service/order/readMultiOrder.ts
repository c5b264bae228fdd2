import type { Market } from '#src/core/pricing/market.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import type { Loaders } from '#src/service/answers.ts'
import type { FieldPath } from '#src/service/input/fieldError.ts'
import type { MultiQuoteInput } from '#src/service/input/multiInput.ts'
import { checkPayeeAddresses, type Payee } from '#src/service/payees/checkPayees.ts'
import { SvmTxsError } from '#src/service/svm/svmOptions.ts'
import { checkOwners } from '#src/service/svm/svmPayees.ts'
import { checkAccountForms, machineOf } from './accountForms.ts'
import { refuseAwaited } from './askedPools.ts'
import { MissingRecipientError } from './orderAccounts.ts'
import { checkChains, DepositGasError, readCurrencies } from './orderChecks.ts'
import { commonOptionsOf, type OrderDeps } from './readOrder.ts'

/**
 * Converts a valid multi-input request into an order, and takes the market snapshot to price it on. The origins
 * keep their order.
 * @throws AppError that names every bad field, origins by their index.
 */
export async function readMultiOrder(
  deps: OrderDeps,
  request: MultiQuoteInput,
  loaders: Loaders,
): Promise<Readonly<{ order: MultiOrder; market: Market; payees: readonly Payee[] }>> {
  const { user, destinationChainId: chainId, gasLimitForDepositSpecifiedTxs } = request
  const originFields = request.origins.map((origin, at) => toOriginFields(request, origin, at))
  if (gasLimitForDepositSpecifiedTxs != null)
    throw new DepositGasError('the deposits of a multi-input quote run no txs; leave it out')
  checkChains(deps, [
    ...originFields.map((origin) => ({ ...origin, path: [...origin.path, 'chainId'] })),
    { path: ['destinationChainId'], chainId },
  ])
  checkForms(deps, request, originFields)
  const recipient = request.recipient ?? user
  if (vmTypeOf(recipient) !== machineOf(deps, chainId)) throw new MissingRecipientError(chainId)
  if ((request.txs ?? []).length > 0 && machineOf(deps, chainId) === 'svm')
    throw new SvmTxsError(chainId)
  const address = request.destinationCurrency
  const payees = [
    { path: ['recipient'], chainId, payee: recipient },
    ...originFields.flatMap(({ refundPath, userPath, user, refundTo, chainId }) => [
      { path: refundPath, chainId, payee: refundTo },
      // The depositor can take a deposit back.
      { path: userPath, chainId, payee: user },
    ]),
  ]
  checkPayeeAddresses(deps, payees, [...originFields, { chainId, address }])
  for (const { address: currency, chainId: on } of originFields)
    checkOwners(
      payees.filter(({ path, chainId }) => path[0] !== 'recipient' && chainId === on),
      () => currency,
    )
  checkOwners(payees.slice(0, 1), () => address)

  const market = deps.snapshot([
    ...new Set([...originFields.map((origin) => origin.chainId), chainId]),
  ])
  refuseAwaited(
    deps.askPools,
    [...originFields, { chainId, address }].filter(
      (each) => deps.knownCurrency(each.chainId, each.address) === undefined,
    ),
  )
  const [destination, ...origins] = await readCurrencies(deps, loaders, [
    { path: ['destinationCurrency'], chainId, address, side: 'output' },
    ...originFields.map((origin) => ({ ...origin, path: [...origin.path, 'currency'] })),
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
  return { order, market, payees }
}

/** @throws AppError INVALID_ADDRESS that names every field with an account in the form of another chain */
const checkForms = (
  deps: OrderDeps,
  { recipient, destinationCurrency, destinationChainId: chainId }: MultiQuoteInput,
  origins: readonly ReturnType<typeof toOriginFields>[],
): void =>
  checkAccountForms(deps, [
    ...origins.flatMap(({ path, chainId, address, user, userPath, refundTo, refundPath }) => [
      { path: [...path, 'currency'], chainId, account: address },
      { path: userPath, chainId, account: user },
      ...(refundPath === userPath ? [] : [{ path: refundPath, chainId, account: refundTo }]),
    ]),
    { path: ['destinationCurrency'], chainId, account: destinationCurrency },
    { path: ['recipient'], chainId, account: recipient },
  ])

/** An origin with its accounts, and the paths of its fields for errors. */
function toOriginFields(
  request: MultiQuoteInput,
  { chainId, currency: address, amount, user: own }: MultiQuoteInput['origins'][number],
  at: number,
) {
  const path: FieldPath = ['origins', at]
  const user = own ?? request.user
  const refundTo = request.refundTo ?? user
  const userPath: FieldPath = own == null ? ['user'] : [...path, 'user']
  const refundPath: FieldPath = request.refundTo == null ? userPath : ['refundTo']
  const accounts = { user, userPath, refundTo, refundPath }
  return { path, chainId, address, side: 'input' as const, amount, ...accounts }
}
