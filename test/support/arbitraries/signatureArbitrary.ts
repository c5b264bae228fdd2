import fc from 'fast-check'
import type { Permit } from '#src/protocol/permit.ts'
import type { SignatureItem } from '#src/protocol/step.ts'
import {
  type All,
  address,
  calldata,
  chainId,
  hash,
  list,
  moment,
  text,
  uint256,
} from './valueArbitrary.ts'

const domain = fc.record({ name: text, version: text })
const payment = { chainId, currency: address, payer: address, amount: uint256 }
const run = fc.record({
  relayer: address,
  approvalProxy: address,
  calls: list(
    fc.record({
      target: address,
      allowFailure: fc.constant(false),
      value: fc.constant(0n),
      callData: calldata,
    }),
  ),
  refundTo: address,
  nftRecipient: address,
  metadata: hash,
})
const permit: fc.Arbitrary<Permit> = fc.oneof(
  fc.record({ ...payment, kind: fc.constant('eip3009'), domain, validBefore: moment, run }),
  fc.record({ ...payment, kind: fc.constant('permit2'), nonce: uint256, deadline: moment, run }),
  fc.record({
    ...payment,
    kind: fc.constant('eip2612'),
    domain,
    nonce: uint256,
    deadline: moment,
  }),
)
export const signatureItem: fc.Arbitrary<SignatureItem> = fc.record(
  {
    permit,
    api: fc.constantFrom('swap', 'user-swap'),
    maxCost: uint256,
    check: fc.record({ endpoint: text, method: fc.constant('GET') }),
  } satisfies All<SignatureItem>,
  { requiredKeys: ['permit', 'api'] },
)
