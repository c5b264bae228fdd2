import type { Progress, RequestState } from '#src/requests/state/requestState.ts'

const distance = { skipped: 6, implied: 5, confirmed: 4, seen: 3, sent: 2, waiting: 1 } as const

/** The payment back, or of several the one that has come least far; undefined unless one is due. */
export const shownRefund = ({ refunds = [] }: RequestState): Progress | undefined =>
  refunds.reduce<Progress | undefined>(
    (least, each) =>
      least === undefined || distance[each.status] < distance[least.status] ? each : least,
    undefined,
  )
