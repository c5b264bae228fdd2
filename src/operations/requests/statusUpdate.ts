// biome-ignore lint/performance/noBarrelFile: the faces import no more than types of requests.
export { transactionOf } from '#src/requests/state/requestState.ts'
export { failReasonTexts, refundFailReasonTexts } from '#src/requests/status/reasonTexts.ts'
export { depositProgress, shownRefund } from '#src/requests/status/shownProgress.ts'
export { statusUpdate, tellsMore } from '#src/requests/status/statusUpdate.ts'
