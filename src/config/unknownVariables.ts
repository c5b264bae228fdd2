/** Beginnings of our variables. Another variable that begins so is not one of ours. */
const prefixes = /^(CROSSQUOTE|SOLVER|ALLOCATOR|RELAYER|RATE_LIMIT|DEVNET|MARKET|FEED|TRUSTED)_/
/** Kubernetes sets variables for each service, which may be named like our parts. */
const ofKubernetes = /_SERVICE_(HOST|PORT)|_PORT(_|$)/
/** Shorter names resemble too many others. */
const minLength = 4

/**
 * Variables that look like a misspelled one of ours, each with the nearest right name. Variables of other programs are
 * none of our business, so a name counts only if it begins like ours or nearly equals one.
 */
export function unknownVariables(
  given: readonly string[],
  known: readonly string[],
): readonly string[] {
  return given
    .filter((name) => name.length >= minLength && name.length <= 64 && !known.includes(name))
    .flatMap((name) => {
      const ranked = known
        .map((each) => ({ each, edits: editsBetween(name.toUpperCase(), each) }))
        .sort((one, other) => one.edits - other.edits)
      const [nearest] = ranked
      if (nearest === undefined) return []
      const isNear = nearest.edits <= (nearest.each.length < 8 ? 1 : 2)
      if (isNear) return [`${name} is not a variable of Crossquote. Did you mean ${nearest.each}?`]
      const isOurs = prefixes.test(name) && !ofKubernetes.test(name)
      return isOurs
        ? [`${name} is not a variable of Crossquote. The nearest is ${nearest.each}.`]
        : []
    })
}

/** Characters to insert, delete, replace or swap with the next one until the texts are equal. */
function editsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at]
    for (let place = 1; place <= other.length; place += 1) {
      const isSame = one[at - 1] === other[place - 1]
      const isSwapped = one[at - 1] === other[place - 2] && one[at - 2] === other[place - 1]
      const [above, before] = [rows[at - 1] ?? [], rows[at - 2]]
      row.push(
        Math.min(
          (above[place] ?? 0) + 1,
          (row[place - 1] ?? 0) + 1,
          (above[place - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped && before !== undefined ? (before[place - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? 0
}
