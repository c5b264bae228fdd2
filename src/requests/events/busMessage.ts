import { z } from 'zod'
import { toChainId } from '#src/core/units/chainId.ts'
import { encodeState, parseState } from '#src/requests/store/rows/stateRow.ts'
import type { Wakeup } from './bus.ts'

/** The wake-ups of one `publish` call, as a message between processes. */
export type Message = Readonly<{
  /** Id of the bus that published the message. */
  publisher: string
  /** Numbers the publisher's messages from 1, so that receivers detect a gap. */
  count: number
  wakeups: readonly Wakeup[]
}>

export const encodeMessage = ({ wakeups, ...rest }: Message): string =>
  JSON.stringify({ ...rest, wakeups: wakeups.map(encodeWakeup) }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )

const encodeWakeup = (wakeup: Wakeup) =>
  wakeup.kind === 'change'
    ? { ...wakeup, change: { ...wakeup.change, state: encodeState(wakeup.change.state) } }
    : wakeup

const wakeup = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('change'),
    change: z.object({
      requestId: z.custom<`0x${string}`>((value) => /^0x[0-9a-f]{64}$/.test(String(value))),
      state: z.unknown().transform(parseState),
    }),
  }),
  z.object({ kind: z.literal('hint'), chainId: z.int().positive().transform(toChainId) }),
  z.object({ kind: z.literal('missed') }),
])

const message = z.object({
  publisher: z.string(),
  count: z.int().positive(),
  wakeups: z.array(wakeup),
})

/** Undefined if the text is not a valid message, for example a message of another version. */
export function parseMessage(text: string): Message | undefined {
  try {
    return message.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
