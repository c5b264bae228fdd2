import type { QuotedRequest } from './quotedRequest.ts'

/** Names a request's place in history: the `after` of those that were quoted before it. */
export const requestCursor = ({
  createdAt,
  requestId,
}: Pick<QuotedRequest, 'createdAt' | 'requestId'>): string => `${createdAt}-${requestId}`
