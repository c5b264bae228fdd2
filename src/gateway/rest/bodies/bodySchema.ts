import { z } from 'zod'

/** The answer schemas that the OpenAPI document lists by name. */
export const components = z.registry<{ id: string }>()

/**
 * Names a schema `id` in the OpenAPI document. Fields without a description take it from the GraphQL type of that name:
 * see `openApi.ts`.
 */
export function component<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  components.add(schema, { id })
  return schema
}

/** Numbers, bytes and times that answers encode as strings. */
export const evmAddressText = z.string().regex(/^0x[0-9a-f]{40}$/)
/** An account of either virtual machine. */
export const addressText = z.string().regex(/^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)
export const amountText = z.string().regex(/^[0-9]+$/)
export const decimalText = z.string().regex(/^-?[0-9]+(\.[0-9]+)?$/)
export const hexText = z.string().regex(/^0x([0-9a-f]{2})*$/)
export const hashText = z.string().regex(/^0x[0-9a-f]{64}$/)
/** A block hash, in base58 on a chain without the EVM. */
export const blockHashText = z.string().regex(/^(0x[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)
/** A transaction hash, in base58 on a chain without the EVM. */
export const txIdText = z.string().regex(/^(0x[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/)
/** ISO 8601 in UTC with milliseconds. */
export const timeText = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z$/)
export const usdText = z.string().regex(/^(0|-?[0-9]+\.[0-9]{6})$/)
