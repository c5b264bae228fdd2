/** How a request stands; PROTOCOL §2 says what each means and what may follow it. */
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
