// biome-ignore lint/performance/noBarrelFile: the faces import no more than types of requests.
export { failReasonTexts, refundFailReasonTexts } from '#src/requests/reasonTexts.ts'
export { transactionOf } from '#src/requests/requestState.ts'
export { depositProgress } from '#src/requests/shownProgress.ts'
export { shownRefund } from '#src/requests/shownRefund.ts'
export { statusUpdate, tellsMore } from '#src/requests/statusUpdate.ts'
