import type { Order } from '#src/core/pricing/order.ts'
import { executorOf } from '#src/core/pricing/order.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { nativeOf, type VmType, vmTypeOf } from '#src/core/units/vmType.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import type { Loaders } from '#src/service/answers.ts'
import {
  FieldError,
  type FieldPath,
  throwTogether,
  UnsupportedChainError,
} from '#src/service/input/fieldError.ts'
import type { PayeeDeps } from '#src/service/payees/checkPayees.ts'

export type CheckDeps = Readonly<{
  chains: ReadonlyMap<ChainId, Readonly<{ id: ChainId; disabled: boolean; vmType: VmType }>>
}> &
  ContractsByChain &
  PayeeDeps

export type ContractsByChain = Readonly<{
  /** The gateway's contracts by chain. A chain without them can be priced but not quoted. */
  contracts: ReadonlyMap<ChainId, ProtocolContracts>
  /** The depositories of the svm chains that can be quoted. */
  programs: ReadonlyMap<ChainId, Pubkey>
}>

/** A field of a request that refers to a chain. */
type ChainField<Value> = Readonly<{ path: FieldPath; chainId: ChainId }> & Value

/** @throws AppError UNSUPPORTED_CHAIN or CHAIN_DISABLED that names every bad field. */
export const checkChains = ({ chains }: CheckDeps, fields: readonly ChainField<unknown>[]): void =>
  throwTogether(
    fields.flatMap(({ path, chainId }) => {
      const chain = chains.get(chainId)
      if (chain === undefined) return [new UnsupportedChainError(path, chainId, chains.values())]
      const reason = `chain ${chainId} is disabled`
      return chain.disabled ? [new FieldError('CHAIN_DISABLED', path, reason, { chainId })] : []
    }),
  )

type CurrencyField = ChainField<Readonly<{ address: Account; side: 'input' | 'output' }>>

/**
 * Adds to each field the currency at its address.
 * @throws AppError INVALID_INPUT_CURRENCY or INVALID_OUTPUT_CURRENCY that names every field without a currency.
 */
export async function readCurrencies<const Fields extends readonly CurrencyField[]>(
  { knownCurrency }: CheckDeps,
  loaders: Loaders,
  fields: Fields,
): Promise<WithCurrencies<Fields>> {
  const found = await Promise.all(
    fields.map(async (field) => {
      const { chainId, address } = field
      const currency = knownCurrency(chainId, address) ?? (await loaders.currency(chainId, address))
      return { ...field, currency }
    }),
  )
  throwTogether(
    found
      .filter(({ currency }) => currency === undefined)
      .map((field) => new UnknownCurrencyError(field)),
  )
  return found as WithCurrencies<Fields>
}

type WithCurrencies<Fields> = {
  readonly [At in keyof Fields]: Fields[At] & Readonly<{ currency: Currency }>
}

const zero = { evm: 'zero address', svm: `address ${nativeOf.svm}` } as const

/** There is no ERC-20 or mint at the address. */
class UnknownCurrencyError extends FieldError {
  constructor({ path, chainId, address, side }: CurrencyField) {
    super(
      side === 'input' ? 'INVALID_INPUT_CURRENCY' : 'INVALID_OUTPUT_CURRENCY',
      path,
      `there is no currency at ${address} on chain ${chainId}; the native currency has the ${zero[vmTypeOf(address)]}`,
      { chainId, currency: address },
    )
  }
}

/** The field `gasLimitForDepositSpecifiedTxs` does not fit its order. */
export class DepositGasError extends FieldError {
  constructor(problem: string) {
    super(
      'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
      ['gasLimitForDepositSpecifiedTxs'],
      problem,
    )
  }
}

/**
 * The order with the gas limit of the calls that the user's own transaction makes.
 * @throws DepositGasError if it makes none: only a swap on one chain without the solver does.
 */
export function withDepositGas(order: Order, limit: bigint | null | undefined): Order {
  if (limit == null) return order
  if (order.txs.length === 0)
    throw new DepositGasError('the order has no txs; leave it out, or add txs')
  if (executorOf(order) === 'solver')
    throw new DepositGasError(
      'the solver runs the txs on the destination chain; set txsGasLimit instead',
    )
  return { ...order, txsGasLimit: limit }
}
