import { z } from 'zod'
import { parseState } from '#src/requests/store/rows/parseState.ts'
import { toChainId } from '#src/units/chainId.ts'
import type { Wakeup } from './bus.ts'

/** Wake-ups of one publication, as a message between processes. */
export type Message = Readonly<{
  /** The bus that published them. */
  publisher: string
  /** Counts its messages from 1: whoever finds one missing has missed it. */
  count: number
  wakeups: readonly Wakeup[]
}>

export const encodeMessage = (message: Message): string =>
  JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? value.toString() : value))

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

/** `undefined` for what is no message of ours: of another version, perhaps. */
export function parseMessage(text: string): Message | undefined {
  try {
    return message.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
