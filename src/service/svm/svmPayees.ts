import { ignoreFailure } from '#src/core/errors.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { PricedOrigin } from '#src/core/pricing/price.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, isNative, minAmountData } from '#src/core/units/currency.ts'
import {
  incinerator,
  type Pubkey,
  pubkeyBytes,
  svmNative,
  toPubkey,
} from '#src/core/units/svm/pubkey.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import type { SvmAccount, SvmReads } from '#src/market/svm/svmReads.ts'
import type { QuotedPrice } from '#src/protocol/order/quotedPrice.ts'
import { decodeTokenAccount, isTokenAccountOf } from '#src/protocol/svm/accounts.ts'
import { isOnCurve } from '#src/protocol/svm/curve.ts'
import { configAddress, vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { programIds, sysvars } from '#src/protocol/svm/programIds.ts'
import { minBalance } from '#src/protocol/svm/rent.ts'
import { FieldError, throwTogether } from '#src/service/input/fieldError.ts'
import type { KnownContract, Payee } from '#src/service/payees/checkPayees.ts'

/** The accounts of the programs on a chain that are no wallets. Reads nothing. */
export function createKnownSvmAccounts(programs: ReadonlyMap<ChainId, Pubkey>): KnownContract {
  const shared = new Set<Account>([...Object.values(programIds), ...Object.values(sysvars)])
  return (chainId, account) => {
    if (account === svmNative) return 'the system program'
    if (account === incinerator) return undefined
    if (shared.has(account)) return 'a program or sysvar of the cluster'
    const program = programs.get(chainId)
    if (program === undefined) return undefined
    const ours: readonly Account[] = [program, configAddress(program), vaultAddress(program)]
    return ours.includes(account) ? `an account of this gateway on chain ${chainId}` : undefined
  }
}

/**
 * Refuses accounts without a key as owners of tokens: most of their programs could not move them.
 * @param currencyOf the currency that a payee gets
 * @throws AppError INVALID_RECIPIENT that names every such field
 */
export function checkOwners(payees: readonly Payee[], currencyOf: (payee: Payee) => Account): void {
  throwTogether(
    payees
      .filter((each) => vmTypeOf(each.payee) === 'svm' && !isNative(currencyOf(each)))
      .filter(({ payee }) => payee !== incinerator && !isOnCurve(pubkeyBytes(toPubkey(payee))))
      .map(({ path, payee }) => {
        const problem = `${payee} is an address of a program, which nobody has the key of; use a wallet`
        return new FieldError('INVALID_RECIPIENT', path, problem)
      }),
  )
}

/**
 * Refuses payees that are no wallets, and payments of the native currency that do not keep a new account alive. Accepts
 * all if no node answers in time.
 * @throws AppError INVALID_RECIPIENT that names every bad field; AMOUNT_TOO_LOW
 */
export async function checkSvmPayees(
  { svm }: Readonly<{ svm: Pick<SvmReads, 'accounts'> }>,
  price: QuotedPrice,
  payees: readonly Payee[],
): Promise<void> {
  const own = payees.filter(({ payee }) => vmTypeOf(payee) === 'svm')
  const chains = [...Map.groupBy(own, ({ chainId }) => chainId)]
  const found = await Promise.all(
    chains.map(async ([chainId, group]) => {
      const read = svm.accounts(
        chainId,
        group.map(({ payee }) => toPubkey(payee)),
      )
      const accounts = await read.catch(ignoreFailure)
      return accounts === undefined
        ? []
        : group.map((payee, at) => ({ payee, account: accounts[at] }))
    }),
  )
  const read = found.flat()
  throwTogether(
    read.flatMap(({ payee: { path, payee }, account }) => {
      const what = account && programAccount(account)
      return what === undefined
        ? []
        : [new FieldError('INVALID_RECIPIENT', path, `${payee} is ${what}; funds would be lost`)]
    }),
  )
  for (const { payee, account } of read) if (account === undefined) checkNewAccount(price, payee)
}

/**
 * Whether the recipient of an order has a token account for what it gets. Says no if no node answers in time. A wrong
 * answer costs the solver nothing: it fills no order without the account that its quote has counted on.
 */
export async function tokenAccountOf(
  { svm }: Readonly<{ svm: Pick<SvmReads, 'accounts'> }>,
  { recipient, destination }: Readonly<{ recipient: Account; destination: Currency }>,
): Promise<Pick<Order, 'hasTokenAccount'>> {
  const { chainId, address } = destination
  if (vmTypeOf(address) !== 'svm' || isNative(address)) return {}
  const [owner, mint] = [toPubkey(recipient), toPubkey(address)]
  const read = svm.accounts(chainId, [associatedTokenAddress(owner, mint)])
  const [account] = (await read.catch(ignoreFailure)) ?? []
  return isTokenAccountOf(account, { owner, mint }) ? { hasTokenAccount: true } : {}
}

/** Undefined for a wallet. */
function programAccount(account: SvmAccount): string | undefined {
  if (account.executable) return 'a program'
  if (account.owner === programIds.system) return undefined
  const token = decodeTokenAccount(account)
  return token === undefined
    ? `an account of the program ${account.owner}`
    : `a token account; use its owner ${token.owner}`
}

function checkNewAccount(price: QuotedPrice, { path, chainId, payee }: Payee): void {
  const isPaid = path[0] === 'recipient'
  const origin = price.pricedOrigins.find((each) => isRefundOf(each, chainId, payee))
  const paid = isPaid ? price.currencyOut : origin?.leg.output
  if (paid === undefined || !isNative(paid.currency.address)) return
  const amount = isPaid ? price.currencyOut.minimumAmount : paid.amount
  if (amount < minBalance)
    throw new NewAccountError(path, payee, { amount, currency: paid.currency })
}

const isRefundOf = ({ refundTo, leg }: PricedOrigin, chainId: ChainId, payee: Account): boolean =>
  refundTo === payee && leg.output.currency.chainId === chainId

/** The chain removes an account below the rent-exempt minimum, so it fails such a payment. */
class NewAccountError extends FieldError {
  constructor(
    path: Payee['path'],
    payee: Account,
    { amount, currency }: Readonly<{ amount: Amount; currency: Currency }>,
  ) {
    super(
      'AMOUNT_TOO_LOW',
      path,
      `${payee} does not exist yet, and ${amount} is less than the ${minBalance} that a new account on chain ${currency.chainId} must get; use a larger amount or another account`,
      minAmountData(minBalance, currency),
    )
  }
}
