import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { units } from '#src/gateway/limits/units.ts'
import { chainIdField, hashField } from '#src/operations/input/inputFields.ts'

builder.mutationType({ description: 'The mutations of this gateway.' })

builder.mutationField('indexTransaction', (t) =>
  t.boolean({
    description:
      'Asks the gateway to inspect a transaction at once instead of with the next block; true once the hint is stored. Deposits are found without it. Approvals, sends of native currency, and a user’s own swap that reverted are found only through it. The gateway trusts only the chain: a false hint has no effect. Error UNSUPPORTED_CHAIN if the chain is not configured.',
    args: t.validate(
      {
        chainId: t.arg({
          type: 'ChainId',
          required: true,
          description: 'EIP-155 id of the chain of the transaction.',
        }),
        txHash: t.arg({
          type: 'Hex',
          required: true,
          description: 'Transaction hash, 32 bytes.',
        }),
        requestId: t.arg({
          type: 'RequestId',
          description: 'Id of the request that the transaction belongs to, if it is known.',
        }),
      },
      z.strictObject({ chainId: chainIdField, txHash: hashField, requestId: hashField.nullish() }),
    ),
    extensions: { cost: 100, units: units.hint },
    resolve: async (_, { requestId, ...named }, { operations, client }) => {
      const hint = { ...named, ...(requestId != null && { requestId }) }
      await operations.indexTransaction(hint, client)
      return true
    },
  }),
)
