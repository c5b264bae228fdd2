import { parseRequestCursor } from '#src/requests/requestList.ts'

/** Whether a text is the cursor of some request. */
export const isRequestCursor = (text: string): boolean => parseRequestCursor(text) !== undefined
