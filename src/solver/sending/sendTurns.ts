import { createMutex } from '#src/requests/tracker/mutex.ts'

/** Lets the fills, refunds and settlements of an account be sent at the same time. */
export type SendTurns<View> = Readonly<{
  /** Reads the view and opens the outbox while nothing else is sent: each nonce is then in both or in neither. */
  openAlone: <Opened>(
    readView: () => Promise<View>,
    open: (view: View) => Promise<Opened>,
  ) => Promise<Opened>
  /** Whether the view is the last one that was read, and nothing has been sent since. */
  isCurrent: (view: View) => boolean
  /** Sends a new transaction while no other one is sent. */
  send: <Outcome>(send: () => Promise<Outcome>) => Promise<Outcome>
  /** Changes a transaction that has its nonce already. */
  change: <Outcome>(send: () => Promise<Outcome>) => Promise<Outcome>
}>

export function createSendTurns<View>(): SendTurns<View> {
  const mutex = createMutex()
  let current: View | undefined

  async function change<Outcome>(send: () => Promise<Outcome>): Promise<Outcome> {
    current = undefined
    try {
      return await send()
    } finally {
      current = undefined
    }
  }

  return {
    openAlone: (readView, open) =>
      mutex(async () => {
        const view = await readView()
        current = view
        return open(view)
      }),
    isCurrent: (view) => view === current,
    send: (send) => mutex(() => change(send)),
    change,
  }
}
