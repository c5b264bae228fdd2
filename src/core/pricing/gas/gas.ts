import {
  lamportsPerUnit,
  type SvmGasMarket,
  svmTransactionCost,
} from '#src/core/pricing/svm/svmGas.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp } from '#src/core/units/arithmetic.ts'

/** What a transaction costs on a chain at one block, by its virtual machine. */
export type GasMarket = EvmGasMarket | SvmGasMarket

/** Gas prices of a chain at one block, in wei of its native currency. */
export type EvmGasMarket = Readonly<{
  vmType: 'evm'
  /** 0 on chains without EIP-1559. */
  baseFeePerGas: bigint
  /** Priority fee for inclusion in the next blocks, from `eth_feeHistory`. */
  priorityFeePerGas: bigint
  l1DataFee: L1DataFee
}>

/** The fee that a rollup adds for publishing the data of a transaction on its parent chain. */
export type L1DataFee =
  | Readonly<{ model: 'none' }>
  | Readonly<{
      /** OP stack since Fjord, parameters as the GasPriceOracle predeploy names them. */
      model: 'opStack'
      l1BaseFee: bigint
      blobBaseFee: bigint
      baseFeeScalar: bigint
      blobBaseFeeScalar: bigint
    }>
  | Readonly<{
      /** ArbGasInfo `getPricesInWei`: wei for each byte of calldata. */
      model: 'arbitrum'
      perL1CalldataByte: bigint
    }>

/**
 * The gas market of an EVM chain, for code that works on EVM chains only.
 * @throws RangeError on a chain of another virtual machine
 */
export function evmGas(market: GasMarket): EvmGasMarket {
  if (market.vmType !== 'evm') throw new RangeError(`${market.vmType} chains have no base fee`)
  return market
}

/** The size of a transaction, which determines its cost. */
export type TransactionSize = Readonly<{
  /** On an svm chain: its limit of compute units. */
  gas: bigint
  /** Length of the signed transaction, which a rollup publishes. On an svm chain: see `SvmGasMarket`. */
  bytes: bigint
  /** On an svm chain; absent: one. */
  signatures?: bigint | undefined
}>

/** A transaction with additional gas, such as that of a smart account. */
export const withOverhead = (
  { gas, bytes, signatures }: TransactionSize,
  overhead: bigint,
): TransactionSize => ({ gas: gas + overhead, bytes, signatures })

/** A signed EIP-1559 transaction without its calldata: fields, signature and RLP prefixes. */
export const envelopeBytes = 120n

/** The length of a signed authorization, rounded up. */
const authorizationBytes = 110n

/** The length of a signed transaction with this calldata. */
export const transactionBytes = (data: `0x${string}`, authorizations = 0): bigint =>
  envelopeBytes + BigInt(data.length / 2 - 1) + authorizationBytes * BigInt(authorizations)

/** The cost of a transaction in wei, or lamports, rounded up. */
export const transactionCost = (market: GasMarket, transaction: TransactionSize): Amount =>
  toAmount(
    market.vmType === 'evm'
      ? transaction.gas * gasPriceOf(market) + l1DataCost(market.l1DataFee, transaction.bytes)
      : svmTransactionCost(market, transaction),
  )

/** Wei per unit of gas: base fee plus priority fee. On an svm chain lamports per compute unit, rounded up. */
export const gasPriceOf = (market: GasMarket): bigint =>
  market.vmType === 'evm'
    ? market.baseFeePerGas + market.priorityFeePerGas
    : lamportsPerUnit(market)

/** The highest price that a transaction offers for a unit of gas: the base fee may double before it is included. */
export const maxGasPriceOf = (market: GasMarket): bigint =>
  market.vmType === 'evm'
    ? 2n * market.baseFeePerGas + market.priorityFeePerGas
    : lamportsPerUnit(market)

function l1DataCost(fee: L1DataFee, bytes: bigint): bigint {
  switch (fee.model) {
    case 'none':
      return 0n
    case 'opStack':
      return opStackDataCost(fee, bytes)
    case 'arbitrum':
      return fee.perL1CalldataByte * bytes
  }
}

/**
 * Upper bound on the L1 data fee of a transaction of this length, for any content. In wei, rounded up.
 * @source optimism GasPriceOracle.sol `getL1FeeUpperBound` and `_fjordL1Cost`
 */
function opStackDataCost(fee: OpStackFee, bytes: bigint): bigint {
  const fastLzSize = bytes + bytes / 255n + 16n
  const estimated = 836_500n * fastLzSize - 42_585_600n
  const scaledSize = estimated < 100_000_000n ? 100_000_000n : estimated
  return divUp(scaledSize * scaledFeeOf(fee), fjordDivisor)
}

type OpStackFee = Extract<L1DataFee, { model: 'opStack' }>

const fjordDivisor = 10n ** 12n

/** Memo of the factor that all transactions of a block share. Each price needs it dozens of times. */
const scaledFees = new WeakMap<OpStackFee, bigint>()

function scaledFeeOf(fee: OpStackFee): bigint {
  const known = scaledFees.get(fee)
  if (known !== undefined) return known
  const scaledFee =
    16n * fee.baseFeeScalar * fee.l1BaseFee + fee.blobBaseFeeScalar * fee.blobBaseFee
  scaledFees.set(fee, scaledFee)
  return scaledFee
}

/** A transaction of the relayer. */
type Call = Readonly<{
  data: `0x${string}`
  authorizationList?: readonly unknown[]
}>

/** Upper bound on the cost in wei of a call that is sent now. The base fee may double before a block includes it. */
export function highestCallCost(
  market: EvmGasMarket,
  { data, authorizationList = [] }: Call,
  gas: bigint,
): Amount {
  const bytes = transactionBytes(data, authorizationList.length)
  const doubled = { ...market, baseFeePerGas: 2n * market.baseFeePerGas }
  return transactionCost(doubled, { gas, bytes })
}

/**
 * The reserve for a call, in wei. The gas price may rise before the call is sent, and its fee may have to be raised.
 */
export const reservedCallCost = (market: EvmGasMarket, call: Call, gas: bigint): Amount =>
  toAmount(2n * highestCallCost(market, call, gas))

/** Maximum gas limit of a transaction (EIP-7825). Nodes refuse a higher limit. */
export const maxTransactionGas = 2n ** 24n

/**
 * Gas limit: `gas` plus `marginPercent` percent of it, rounded down. The margin does not raise the limit above
 * `maxTransactionGas`.
 */
export function gasLimitFor(gas: bigint, marginPercent: bigint): bigint {
  const wanted = gas + (gas * marginPercent) / 100n
  const max = gas > maxTransactionGas ? gas : maxTransactionGas
  return wanted < max ? wanted : max
}
