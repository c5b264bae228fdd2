import { type Hex, toFunctionSelector } from 'viem'

/** Maximum number of ids. Limits the look-ups that one transaction can cause. */
const maxIds = 16

/** The calls of src/protocol/calls/plainCall.ts that end with a request id, and the number of words before the id. */
const plainCalls = [
  ['transfer(address,uint256)', 2],
  ['withdraw(uint256)', 1],
  ['deposit()', 0],
] as const

// The lookahead lets matches overlap: a wrong match does not hide a right one.
const endings = plainCalls.map(
  ([signature, words]) =>
    new RegExp(
      `(?=${toFunctionSelector(signature).slice(2)}[0-9a-f]{${64 * words}}([0-9a-f]{64}))`,
      'g',
    ),
)
/** The router's metadata: 32 bytes behind their length, in whole words after a selector. */
const metadata = /(?=0{62}20([0-9a-f]{64}))/g

/**
 * Possible request ids in the calldata of a transaction. Each quoted call except a native send contains its id, and a
 * contract wallet's transaction contains the call at any place. Returns at most 16, in no particular order; most of
 * them are no request ids.
 * @param input in lower case
 */
export function requestIdsIn(input: Hex): readonly Hex[] {
  const ids = new Set<Hex>()
  for (const pattern of [...endings, metadata])
    for (const [, id] of input.matchAll(pattern)) {
      if (ids.size >= maxIds) return [...ids]
      ids.add(`0x${id}`)
    }
  return [...ids]
}
