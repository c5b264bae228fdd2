import { z } from 'zod'
import type { Fees } from '#src/core/pricing/price.ts'
import { component } from './bodySchema.ts'
import { currencyAmountBody, encodeCurrencyAmount } from './currencyBody.ts'

export const feesBody = component(
  'Fees',
  z.object({
    gas: currencyAmountBody,
    relayer: currencyAmountBody,
    relayerGas: currencyAmountBody,
    relayerService: currencyAmountBody,
    app: currencyAmountBody,
    subsidized: currencyAmountBody,
  }),
)

export const encodeFees = (fees: Fees): z.input<typeof feesBody> => ({
  gas: encodeCurrencyAmount(fees.gas),
  relayer: encodeCurrencyAmount(fees.relayer),
  relayerGas: encodeCurrencyAmount(fees.relayerGas),
  relayerService: encodeCurrencyAmount(fees.relayerService),
  app: encodeCurrencyAmount(fees.app),
  subsidized: encodeCurrencyAmount(fees.subsidized),
})
