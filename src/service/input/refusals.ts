import { AppError, type ErrorCode } from '#src/core/errors.ts'
import type { VmType } from '#src/core/units/vmType.ts'
import type { SwapInput } from './quoteInput.ts'

type Refusal = Readonly<{
  field: keyof SwapInput
  applies: (request: Partial<SwapInput>, origin: VmType) => boolean
  /** The keys at fault, if the field is an object. */
  keys?: (request: Partial<SwapInput>) => readonly string[]
  code: ErrorCode
  reason: string
}>

/** The options that this gateway does not support. They are refused rather than ignored. */
const refusals: readonly Refusal[] = [
  {
    field: 'additionalData',
    applies: ({ additionalData }) => Object.keys(additionalData ?? {}).length > 0,
    code: 'UNSUPPORTED_ROUTE',
    keys: ({ additionalData }) => Object.keys(additionalData ?? {}),
    reason: 'no route uses it; leave it out',
  },
  {
    field: 'depositFeePayer',
    applies: ({ depositFeePayer, usePermit }, origin) =>
      depositFeePayer != null && usePermit !== true && origin === 'evm',
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    reason: 'only a deposit by signature can have another fee payer than its user; set usePermit',
  },
]

/** Bounds of an answer that repeats the keys of an object. */
const maxKeys = 16
const maxKeyLength = 64

/**
 * @param origin the virtual machine of the origin chain
 * @throws AppError that names every unsupported option, with the code of the first one.
 */
export function refuseUnsupported(request: Partial<SwapInput>, origin: VmType): void {
  const found = refusals.filter(({ applies }) => applies(request, origin))
  const [first] = found
  if (first === undefined) return
  const issues = found.flatMap(({ field, keys, code, reason: message }) => {
    const named = keys?.(request).slice(0, maxKeys) ?? []
    const paths = named.map((key) => [field, key.slice(0, maxKeyLength)])
    return (keys === undefined ? [[field]] : paths).map((path) => ({ path, message, code }))
  })
  const text = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  throw new AppError(first.code, `${text}.`, { issues })
}
