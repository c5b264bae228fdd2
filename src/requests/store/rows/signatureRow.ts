import { z } from 'zod'
import type { Permit } from '#src/protocol/permits/permit.ts'
import type { SignatureItem } from '#src/protocol/steps/step.ts'
import { address, bigint, chainId, hash, hex } from './valueSchemas.ts'

const payment = { chainId, currency: address, payer: address, amount: bigint }

const domain = z.object({ name: z.string(), version: z.string() })

const run = z.object({
  relayer: address,
  approvalProxy: address,
  // The router's calls may neither fail nor carry a value.
  calls: z.array(
    z.object({
      target: address,
      allowFailure: z.literal(false),
      value: z.literal('0').transform(() => 0n as const),
      callData: hex,
    }),
  ),
  refundTo: address,
  nftRecipient: address,
  metadata: hash,
})

const permit: z.ZodType<Permit> = z.discriminatedUnion('kind', [
  z.object({ ...payment, kind: z.literal('eip3009'), domain, validBefore: z.int(), run }),
  z.object({ ...payment, kind: z.literal('permit2'), nonce: bigint, deadline: z.int(), run }),
  z.object({ ...payment, kind: z.literal('eip2612'), domain, nonce: bigint, deadline: z.int() }),
])

/** A signature that a step of a stored quote asks for. */
export const signatureItem: z.ZodType<SignatureItem> = z.object({
  permit,
  api: z.enum(['swap', 'user-swap']),
  maxCost: bigint.exactOptional(),
  check: z.object({ endpoint: z.string(), method: z.literal('GET') }).exactOptional(),
})
