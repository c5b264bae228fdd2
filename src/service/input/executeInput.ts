import { z } from 'zod'
import {
  addressField,
  boundedList,
  chainIdField,
  hashField,
  textField,
  weiField,
} from './inputFields.ts'
import { calldataField } from './priceInput.ts'
import { authorizationInput, gasField } from './quoteInput.ts'

/** The call of `execute`. */
export const callFields = {
  chainId: chainIdField.describe('EIP-155 id of the chain that the call is sent on.'),
  to: addressField.describe(
    'Account that is called; for a batch of an EIP-7702 wallet, the user. Must not be the relayer.',
  ),
  data: calldataField.describe('Calldata, at most 65,535 bytes.'),
  value: weiField
    .refine((value) => value === 0n, 'Must be "0": the relayer pays only gas and sends no value')
    .describe('Always "0": the relayer pays only gas.'),
  authorizationList: boundedList(authorizationInput, 16, 'At most 16 authorizations')
    .nullish()
    .describe(
      'EIP-7702 authorizations, at most 16, one for each account: a type-4 transaction applies them before the call. Each must have a valid chain id and nonce, and its account must have no contract code. Refused with UNSUPPORTED_EXECUTION_TYPE on a chain without EIP-7702.',
    ),
}

export const subsidizeField = z
  .boolean('Must be true or false')
  .describe(
    'Whether the API key sponsors the call. true: needs a key that sponsors. false: needs `requestId`. The gas is charged to the budget of the key in both cases.',
  )

export const referrerField = textField('A referrer must be a string')
  .max(128, 'At most 128 characters')
  .nullish()
  .describe('Name of the frontend, for logs. At most 128 characters.')

/** The other options of `execute`. */
export const executeFields = {
  requestId: hashField
    .nullish()
    .describe(
      'Id of the quoted request that the call deposits for. The simulated call must make that deposit. The same call again for the same request is sent only once.',
    ),
  originGasOverhead: gasField
    .nullish()
    .describe(
      'Gas units added to the limit of the transaction, for example for a smart account whose checks use more gas than the simulation. Default: 0.',
    ),
  idempotencyKey: textField('An idempotency key must be a string')
    .min(1, 'At least one character')
    .max(128, 'At most 128 characters')
    .nullish()
    .describe(
      'Key of a call without `requestId`: the same call with the same key is sent only once, and gets the same answer. 1 to 128 characters.',
    ),
}

type Options = Readonly<{
  requestId?: string | null | undefined
  idempotencyKey?: string | null | undefined
  subsidizeFees?: boolean
}>

/** Refuses options that contradict each other. */
export function checkOptions(
  { requestId, idempotencyKey, subsidizeFees }: Options,
  context: z.RefinementCtx,
  subsidizePath: readonly string[],
): void {
  const refuseField = (path: readonly string[], message: string) =>
    context.addIssue({ code: 'custom', path: [...path], message })
  if (requestId != null && idempotencyKey != null)
    refuseField(['idempotencyKey'], 'Leave it out: a call with requestId is already sent only once')
  if (requestId == null && subsidizeFees === false)
    refuseField(subsidizePath, 'Must be true without requestId: a sponsor has to pay')
}

/** A valid input of `execute`. */
export type ExecuteInput = z.output<z.ZodObject<typeof callFields>> &
  z.output<z.ZodObject<typeof executeFields>> &
  Readonly<{ subsidizeFees: boolean }>
