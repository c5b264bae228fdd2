import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { AppError } from '#src/core/errors.ts'
import type { Meter } from '#src/gateway/limits/meter.ts'
import type { DocumentLimits } from './documentLimits.ts'

type Metered = { meter: Meter; report: { refusal?: AppError } }

/** Charges each operation to its client, and refuses operations above the client's rate limit. */
export const useMeter = (limits: DocumentLimits): Plugin<Metered> => {
  const charge: NonNullable<Plugin<Metered>['onExecute']> = async ({
    args,
    context,
    setResultAndStopExecution,
  }) => {
    const { meter, report } = context
    const unitsOf = limits.unitsOf(args.document, args.operationName ?? undefined)
    try {
      await meter.execute(unitsOf(args.variableValues ?? {}))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      report.refusal = error
      const refused = new GraphQLError(error.message, { originalError: error })
      setResultAndStopExecution({ errors: [refused] })
    }
  }
  return { onExecute: charge, onSubscribe: charge as never }
}
