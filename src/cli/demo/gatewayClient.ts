import { createClient } from 'graphql-ws'
import { z } from 'zod'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'

const transaction = z.object({
  chainId: z.number(),
  hash: z.string(),
  blockNumber: z.number().nullable(),
  confirmations: z.number().nullable(),
})
const progress = z.object({ status: z.string(), transaction: transaction.nullable() })

/** In lower case, such as `deposit`. */
const stepName = z.string().transform((name) => name.toLowerCase())

const statusSchema = z.object({
  seq: z.number(),
  status: z.string(),
  failReason: z.string().nullable(),
  refundFailReason: z.string().nullable(),
  steps: z.array(z.object({ name: stepName, items: z.array(progress) })),
  fill: progress.nullable(),
  refund: progress.nullable(),
})

/** The part of a request's status that the demo shows. */
export type ShownStatus = z.output<typeof statusSchema>
export type ShownProgress = z.output<typeof progress>

const amount = z.object({
  amountFormatted: z.string(),
  currency: z.object({ symbol: z.string(), decimals: z.number() }),
})

const signature = z.object({
  kind: z.string(),
  domain: z.record(z.string(), z.unknown()),
  types: z.record(z.string(), z.unknown()),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
})

/** A transaction of a chain whose transactions have instructions. */
const svmTransaction = z.object({
  chainId: z.number(),
  instructions: z.array(
    z.object({
      programId: z.string().transform(toPubkey),
      keys: z.array(
        z.object({
          pubkey: z.string().transform(toPubkey),
          isSigner: z.boolean(),
          isWritable: z.boolean(),
        }),
      ),
      /** Hexadecimal, without 0x. */
      data: z.string().transform((text) => Uint8Array.from(Buffer.from(text, 'hex'))),
    }),
  ),
})

export type ShownSvmTransaction = z.output<typeof svmTransaction>

const quoteSchema = z.object({
  requestId: z.string(),
  steps: z.array(
    z.object({
      name: stepName,
      description: z.string(),
      signature: signature.nullable(),
      svmTransaction: svmTransaction.nullish(),
      items: z.array(
        z.object({
          data: z.object({
            to: z.custom<`0x${string}`>((value) => typeof value === 'string'),
            data: z.custom<`0x${string}`>((value) => typeof value === 'string'),
            value: z.string().transform(BigInt),
            chainId: z.number(),
            maxFeePerGas: z.string().transform(BigInt),
            maxPriorityFeePerGas: z.string().transform(BigInt),
          }),
        }),
      ),
    }),
  ),
  details: z.object({
    timeEstimate: z.number(),
    currencyIn: amount,
    currencyOut: amount.extend({ minimumAmount: z.string().transform(BigInt) }),
  }),
  fees: z.object({ relayer: z.object({ amountUsd: z.string() }) }),
})

export type ShownQuote = z.output<typeof quoteSchema>

/** @param paysSvm whether the order is paid on an svm chain. Older gateways do not know its field. */
const quoteDocument = (paysSvm: boolean) => `query Quote($input: QuoteInput!) {
  quote(input: $input) {
    requestId
    steps {
      name description
      items { data { to data value chainId maxFeePerGas maxPriorityFeePerGas } }
      signature { kind domain types primaryType message }
      ${paysSvm ? svmFields : ''}
    }
    details {
      timeEstimate
      currencyIn { amountFormatted currency { symbol decimals } }
      currencyOut { amountFormatted minimumAmount currency { symbol decimals } }
    }
    fees { relayer { amountUsd } }
  }
}`

const svmFields =
  'svmTransaction { chainId instructions { programId keys { pubkey isSigner isWritable } data } }'

const permitDocument = `mutation ExecutePermit($requestId: RequestId!, $kind: PermitKind!, $signature: Hex!) {
  executePermit(requestId: $requestId, kind: $kind, signature: $signature) { message }
}`

const statusDocument = `subscription Follow($requestId: RequestId!) {
  requestStatus(requestId: $requestId) {
    seq status failReason refundFailReason
    steps { name items { ...Shown } }
    fill { ...Shown }
    refund { ...Shown }
  }
}
fragment Shown on Progress { status transaction { chainId hash blockNumber confirmations } }`

export type GatewayClient = ReturnType<typeof createGatewayClient>

/** A client of the gateway at `url`, over one WebSocket as a frontend would use it. */
export function createGatewayClient(url: string) {
  const socket = createClient({ url: `${url.replace(/^http/, 'ws')}/graphql`, retryAttempts: 0 })

  async function* ask<Data>(
    query: string,
    variables: Record<string, unknown>,
    parse: (data: unknown) => Data,
  ): AsyncGenerator<Data> {
    for await (const { data, errors } of socket.iterate({ query, variables })) {
      if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('; '))
      yield parse(data)
    }
  }

  return {
    /** @throws Error with the gateway's error messages. */
    quote: async (input: Record<string, unknown>, paysSvm: boolean): Promise<ShownQuote> => {
      const parse = (data: unknown) => z.object({ quote: quoteSchema }).parse(data).quote
      for await (const quote of ask(quoteDocument(paysSvm), { input }, parse)) return quote
      throw new Error('The gateway returned no quote')
    },
    /** Sends the signature of a step. @throws Error with the gateway's error messages. */
    executePermit: async (
      requestId: string,
      kind: string,
      signed: `0x${string}`,
    ): Promise<void> => {
      const variables = { requestId, kind, signature: signed }
      for await (const _ of ask(permitDocument, variables, (data) => data)) return
    },
    /** The current status of the request, then its status after each change, until it ends. */
    follow: (requestId: string): AsyncGenerator<ShownStatus> =>
      ask(
        statusDocument,
        { requestId },
        (data) => z.object({ requestStatus: statusSchema }).parse(data).requestStatus,
      ),
    /** Reports a transaction, which the gateway then inspects at once. It has no other source of approvals. */
    hint: async (transaction: {
      chainId: number
      txHash: string
      requestId: string
    }): Promise<void> => {
      await fetch(`${url}/transactions/index`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(transaction),
      })
    },
    close: () => socket.dispose(),
  }
}
