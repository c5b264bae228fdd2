import type { Permit } from '#src/protocol/permits/permit.ts'
import { type TypedData, typedDataOf, witnessIn } from '#src/protocol/permits/typedData.ts'
import type { Check, Step } from '#src/protocol/steps/step.ts'

/** The data that a wallet signs for a step, and the endpoint for the signature. */
export type SignatureRequest = Readonly<{
  status: 'incomplete'
  sign: Readonly<{ signatureKind: 'eip712' }> & TypedData
  /** The body of the request. The signature is the query parameter `signature`. */
  post: Readonly<{
    endpoint: '/execute/permits'
    method: 'POST'
    body: Readonly<{ kind: Permit['kind']; requestId: string; api: string }>
  }>
  /** Fields whose hash is the nonce of an EIP-3009 transfer. */
  witness?: Readonly<Record<string, unknown>>
  check?: Check
}>

/** `undefined` for a step with transactions. */
export function signatureRequestOf({ signature, requestId }: Step): SignatureRequest | undefined {
  if (signature === undefined) return undefined
  const { permit, api, check } = signature
  const witness = witnessIn(permit)
  return {
    status: 'incomplete',
    sign: { signatureKind: 'eip712', ...typedDataOf(permit) },
    post: {
      endpoint: '/execute/permits',
      method: 'POST',
      body: { kind: permit.kind, requestId, api },
    },
    ...(witness !== undefined && { witness }),
    ...(check !== undefined && { check }),
  }
}
