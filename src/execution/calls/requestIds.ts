import { type Hex, toFunctionSelector } from 'viem'

/** More is the work of somebody who wants many look-ups for one transaction. */
const maxIds = 16

/** The calls of src/execution/calls/plainCall.ts that end with a request id, and the number of words before the id. */
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
 * What may be request ids in the calldata of a transaction: every quoted call but a native send contains its own. A
 * contract wallet's transaction contains the call at any place. At most 16, in no particular order; most are none.
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
