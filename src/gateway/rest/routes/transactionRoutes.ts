import { z } from 'zod'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { chainIdText, referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { chainIdField, hashField, refuse, textField } from '#src/operations/input/inputFields.ts'
import type { Operations } from '#src/operations/operations.ts'
import { exampleRequestId } from './statusRoutes.ts'

const messageBody = component(
  'Message',
  z.object({ message: z.string().describe('For people.') }).describe('That it was heard.'),
)

/** Existing clients send it as text. */
const chainId = z
  .union([chainIdText, chainIdField], 'A chain id is a positive integer, or text of its digits')
  .describe('The chain of the transaction, as an integer or as text.')

const requestId = hashField.describe('The request that the transaction is for.')

const exampleHash = `0x${'ab'.repeat(32)}`

const shared = {
  method: 'POST',
  body: messageBody,
  takesApiKey: false,
} as const

/** Once the hint is stored: the tracker of the chain may run in another process. */
const heard = { message: 'The transaction is looked at now.' }

export const indexRoute = restRoute({
  ...shared,
  path: '/transactions/index',
  operation: 'indexTransaction',
  summary: 'Have a transaction looked at now',
  description:
    'A hint, for who does not want to wait until the chain’s next block is read. Deposits are found without; what leaves nothing of the request in the chain’s logs is found by it alone: an approval, a send of native currency, and a user’s own swap that reverted. Nothing is believed that the chain does not say.',
  input: z.strictObject({
    chainId,
    txHash: hashField.describe('The transaction.'),
    requestId: requestId.nullish(),
    referrer: referrerParameter,
  }),
  example: (operations) => ({ chainId: firstChain(operations), txHash: exampleHash }),
  async answer({ chainId, txHash, requestId }, { operations }) {
    await operations.indexTransaction({ chainId, txHash, ...(requestId != null && { requestId }) })
    return heard
  },
})

/** What a wallet was asked to send, and as what it was sent. */
const sentTransaction = textField('A transaction is a string of JSON')
  .transform((text, context) => {
    const { txHash, replacementTxHash } = readObject(text)
    const hash = hashField.safeParse(replacementTxHash ?? txHash)
    if (hash.success) return hash.data
    return refuse(context, 'JSON of an object with the `txHash` of 32 bytes', 'INVALID_REQUEST')
  })
  .describe(
    'JSON of what the wallet sent, as text, with its `txHash`, or `replacementTxHash` where another took its place. Nothing else of it is read.',
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
  summary: 'The same, for a swap on one chain',
  description: 'The same hint as existing clients give it of what the user sends on one chain.',
  input: z.strictObject({ chainId, tx: sentTransaction, requestId, referrer: referrerParameter }),
  example: (operations) => ({
    chainId: firstChain(operations),
    tx: JSON.stringify({ txHash: exampleHash }),
    requestId: exampleRequestId,
  }),
  async answer({ chainId, tx: txHash, requestId }, { operations }) {
    await operations.indexTransaction({ chainId, txHash, requestId })
    return heard
  },
})

const firstChain = ({ chains }: Pick<Operations, 'chains'>) => chains()[0]?.id
