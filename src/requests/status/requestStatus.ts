/** Statuses of a request. @source docs/protocol.md §2 */
export const requestStatuses = [
  'waiting',
  'depositing',
  'pending',
  'submitted',
  'success',
  'failure',
  'refund',
] as const

export type RequestStatus = (typeof requestStatuses)[number]
