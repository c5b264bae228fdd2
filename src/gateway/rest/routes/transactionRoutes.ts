import { z } from 'zod'
import type { Catalogue } from '#src/gateway/exampleOrders.ts'
import { units } from '#src/gateway/limits/units.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { chainIdText, referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import {
  chainIdField,
  hashField,
  refuse,
  textField,
  txIdField,
} from '#src/service/input/inputFields.ts'
import { exampleRequestId } from './statusRoutes.ts'

const messageBody = component(
  'Message',
  z
    .object({ message: z.string().describe('For people.') })
    .describe('Confirmation that the hint is stored.'),
)

/** Existing clients send it as a string. */
const chainId = z
  .union(
    [chainIdText, chainIdField],
    'A chain id must be a positive integer or a string of its digits',
  )
  .describe('EIP-155 chain id of the transaction, as an integer or as a string of digits.')

const requestId = hashField.describe('Id of the request that the transaction belongs to.')

const exampleHash = `0x${'ab'.repeat(32)}`

const shared = {
  method: 'POST',
  body: messageBody,
  takesApiKey: false,
  units: () => units.hint,
} as const

/** Sent once the hint is stored, because the tracker of the chain may run in another process. */
const accepted = { message: 'The transaction will be inspected now.' }

export const indexRoute = restRoute({
  ...shared,
  path: '/transactions/index',
  operation: 'indexTransaction',
  summary: 'Announce a transaction',
  description:
    'Asks the gateway to inspect a transaction at once instead of with the next block. Deposits are found without this hint. Transactions that emit no event for the request are found only through it: approvals, sends of native currency, and a user’s own swap that reverted. The gateway trusts only the chain, so a false hint has no effect.',
  input: z.strictObject({
    chainId,
    txHash: txIdField.describe('Transaction hash of 32 bytes; on an svm chain, the signature.'),
    requestId: requestId.nullish(),
    referrer: referrerParameter,
  }),
  example: (operations) => ({ chainId: firstChain(operations), txHash: exampleHash }),
  async answer({ chainId, txHash, requestId }, { operations, client }) {
    const hint = { chainId, txHash, ...(requestId != null && { requestId }) }
    await operations.indexTransaction(hint, client)
    return accepted
  },
})

/** The hash of a transaction that a wallet has sent, from a JSON string. */
const sentTransaction = textField('The transaction must be a JSON string')
  .transform((text, context) => {
    const { txHash, replacementTxHash } = readObject(text)
    const hash = txIdField.safeParse(replacementTxHash ?? txHash)
    if (hash.success) return hash.data
    return refuse(context, 'A JSON object with the `txHash` of a transaction', 'INVALID_REQUEST')
  })
  .describe(
    'JSON string of an object with the `txHash`, or the `replacementTxHash` of the transaction that replaced it. Other keys are ignored.',
  )

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

export const singleRoute = restRoute({
  ...shared,
  path: '/transactions/single',
  operation: 'indexSingleTransaction',
  summary: 'Announce a transaction of a swap on one chain',
  description:
    'The same hint as /transactions/index, in the form that existing clients send for swaps on one chain.',
  input: z.strictObject({ chainId, tx: sentTransaction, requestId, referrer: referrerParameter }),
  example: (operations) => ({
    chainId: firstChain(operations),
    tx: JSON.stringify({ txHash: exampleHash }),
    requestId: exampleRequestId,
  }),
  async answer({ chainId, tx: txHash, requestId }, { operations, client }) {
    await operations.indexTransaction({ chainId, txHash, requestId }, client)
    return accepted
  },
})

const firstChain = ({ chains }: Catalogue) => chains()[0]?.id
