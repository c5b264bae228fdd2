import {
  arbGasInfoAbi,
  arbGasInfoAddress,
  gasPriceOracleAbi,
  gasPriceOracleAddress,
} from '#src/contracts/abis.ts'
import type { L1DataFee } from '#src/pricing/gas/gas.ts'
import { read } from './readAll.ts'

type Model = L1DataFee['model']

const oracleFields = ['l1BaseFee', 'blobBaseFee', 'baseFeeScalar', 'blobBaseFeeScalar'] as const

/** What has to be asked at each block of a chain with this model. */
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
 * What the answers to `l1DataFeeReads` come to.
 * @returns undefined when one is missing: the chain has no such predeploy, or the node misread it.
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
