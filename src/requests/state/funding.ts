/** What has become of one input of a request. `missed`: nothing that counts has come for it in time. */
export type InputFunding =
  | Readonly<{ status: 'open' | 'missed' }>
  /** By the deposit that the request counts on. */
  | Readonly<{ status: 'funded'; depositId: string }>

type Funded = Readonly<{ state: Readonly<{ fundings: readonly InputFunding[] }> }>

/** The deposits that the request counts on. */
export const fundingDepositIds = ({ state: { fundings } }: Funded): readonly string[] =>
  fundings.flatMap((each) => (each.status === 'funded' ? [each.depositId] : []))

/** The place of the input that counts on the deposit; undefined where none does. */
export function inputFundedBy({ state: { fundings } }: Funded, depositId: string) {
  const at = fundings.findIndex((each) => each.status === 'funded' && each.depositId === depositId)
  return at < 0 ? undefined : at
}
