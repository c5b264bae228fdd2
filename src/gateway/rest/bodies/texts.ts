import { z } from 'zod'

/** Numbers and bytes that answers write as text. */
export const addressText = z.string().regex(/^0x[0-9a-f]{40}$/)
export const amountText = z.string().regex(/^[0-9]+$/)
export const decimalText = z.string().regex(/^-?[0-9]+(\.[0-9]+)?$/)
export const hexText = z.string().regex(/^0x([0-9a-f]{2})*$/)
export const hashText = z.string().regex(/^0x[0-9a-f]{64}$/)
export const momentText = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z$/)
export const usdText = z.string().regex(/^(0|-?[0-9]+\.[0-9]{6})$/)
