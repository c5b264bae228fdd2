// biome-ignore lint/performance/noBarrelFile: the faces import no more than types of requests.
export { failReasonTexts, refundFailReasonTexts } from '#src/requests/reasonTexts.ts'
export { shownRefund } from '#src/requests/shownRefund.ts'
export { statusUpdate, tellsMore } from '#src/requests/statusUpdate.ts'
