import { z } from 'zod'
import { parseBody } from '#src/gateway/http/body.ts'
import { invalidRequest } from '#src/gateway/http/invalidRequest.ts'
import { hashField } from '#src/service/input/inputFields.ts'

/** The only event that clients can subscribe to. */
export const statusEvent = 'request.status.updated'

const event = z.literal(statusEvent, `The only event is ${statusEvent}`)

const filters = z.strictObject({ id: hashField })

const clientMessage = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('subscribe'), event, filters }),
    z.object({ type: z.literal('unsubscribe'), event, filters: filters.optional() }),
  ],
  'The type of a message is subscribe or unsubscribe',
)

/**
 * A message of a client of /ws. `filters.id` is a request id; an `unsubscribe` without filters ends all subscriptions.
 */
export type ClientMessage = z.output<typeof clientMessage>

/** @throws AppError INVALID_REQUEST, REQUEST_TOO_LARGE */
export function parseClientMessage(text: string): ClientMessage {
  const parsed = clientMessage.safeParse(parseBody(text))
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}
