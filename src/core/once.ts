/** Calls `prepare` on the first call only, and returns its promise on every call. */
export function once<Result>(prepare: () => Promise<Result>): () => Promise<Result> {
  let preparing: Promise<Result> | undefined
  return () => {
    preparing ??= prepare()
    return preparing
  }
}
