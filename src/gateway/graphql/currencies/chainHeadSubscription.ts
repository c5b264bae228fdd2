import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { chainIdField } from '#src/service/input/inputFields.ts'
import { ChainHeadType } from './chainType.ts'

builder.subscriptionField('chainHead', (t) =>
  t.field({
    type: ChainHeadType,
    description:
      'The block that prices on a chain are computed from: the newest one at once, then each newer one, once its state has been read. A slow client gets only the newest one. Errors: UNSUPPORTED_CHAIN, SERVICE_UNAVAILABLE.',
    args: t.validate(
      { chainId: t.arg({ type: 'ChainId', required: true, description: 'EIP-155 chain id.' }) },
      z.strictObject({ chainId: chainIdField }),
    ),
    subscribe: (_, { chainId }, { operations }) => operations.watchChainHead(chainId),
    resolve: (head) => head,
  }),
)
