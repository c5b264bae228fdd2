import type { L1DataFee } from '#src/core/pricing/gas/gas.ts'
import {
  arbGasInfoAbi,
  arbGasInfoAddress,
  gasPriceOracleAbi,
  gasPriceOracleAddress,
} from '#src/protocol/contracts/abis.ts'
import { read } from './readAll.ts'

type Model = L1DataFee['model']

const oracleFields = ['l1BaseFee', 'blobBaseFee', 'baseFeeScalar', 'blobBaseFeeScalar'] as const

/** The reads that the fee model of a chain needs at each block. */
export const l1DataFeeReads = (model: Model) => ({
  oracle:
    model === 'opStack'
      ? oracleFields.map((field) => read(gasPriceOracleAddress, gasPriceOracleAbi, field, []))
      : [],
  arbitrum:
    model === 'arbitrum' ? [read(arbGasInfoAddress, arbGasInfoAbi, 'getPricesInWei', [])] : [],
})

type Answers = Readonly<{
  oracle: readonly (bigint | number | undefined)[]
  arbitrum: readonly (readonly bigint[] | undefined)[]
}>

/**
 * The L1 data fee from the answers to `l1DataFeeReads`.
 * @returns undefined if an answer is missing: the chain lacks the predeploy, or the node's answer is invalid.
 */
export function toL1DataFee(model: Model, { oracle, arbitrum }: Answers): L1DataFee | undefined {
  switch (model) {
    case 'none':
      return { model }
    case 'opStack': {
      const [l1BaseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar] = oracle.map((field) =>
        field === undefined ? undefined : BigInt(field),
      )
      if (l1BaseFee === undefined || blobBaseFee === undefined) return undefined
      if (baseFeeScalar === undefined || blobBaseFeeScalar === undefined) return undefined
      return { model, l1BaseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar }
    }
    case 'arbitrum': {
      const perL1CalldataByte = arbitrum[0]?.[1]
      return perL1CalldataByte === undefined ? undefined : { model, perL1CalldataByte }
    }
  }
}
