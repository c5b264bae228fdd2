import type { z } from 'zod'
import type { Currency } from '#src/core/units/currency.ts'
import type { listedCurrencyBody } from './currencyBody.ts'

/** A currency in the form of searches and lists. */
export const encodeListed = ({
  metadata,
  ...named
}: Currency): z.input<typeof listedCurrencyBody> => ({ ...named, vmType: 'evm', metadata })
