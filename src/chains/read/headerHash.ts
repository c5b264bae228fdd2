import { type Hash, type Hex, keccak256, toRlp } from 'viem'

/** The fields of a header in the order of their encoding. Numbers have no leading zeros there. */
const fields = {
  parentHash: 'bytes',
  sha3Uncles: 'bytes',
  miner: 'bytes',
  stateRoot: 'bytes',
  transactionsRoot: 'bytes',
  receiptsRoot: 'bytes',
  logsBloom: 'bytes',
  difficulty: 'number',
  number: 'number',
  gasLimit: 'number',
  gasUsed: 'number',
  timestamp: 'number',
  extraData: 'bytes',
  mixHash: 'bytes',
  nonce: 'bytes',
} as const

/** Those that later forks added. A header has the first so many of them. */
const laterFields = {
  baseFeePerGas: 'number',
  withdrawalsRoot: 'bytes',
  blobGasUsed: 'number',
  excessBlobGas: 'number',
  parentBeaconBlockRoot: 'bytes',
  requestsHash: 'bytes',
} as const

const isHex = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)

/**
 * The hash of a block by its fields as nodes print them. A header with this hash is that of the block: no field of it can be
 * another. Undefined for a block of another form, as chains without Ethereum's headers have it.
 * @source go-ethereum 1.14.9, core/types.Header and Header.Hash
 */
export function headerHash(printed: Readonly<Record<string, unknown>>): Hash | undefined {
  const later = Object.entries(laterFields)
  const count = later.findIndex(([name]) => printed[name] == null)
  const present = count < 0 ? later : later.slice(0, count)
  // A field after one that is missing would not be hashed, so that anything could be said of it.
  if (later.slice(present.length).some(([name]) => printed[name] != null)) return undefined
  const items: Hex[] = []
  for (const [name, kind] of [...Object.entries(fields), ...present]) {
    const value = printed[name]
    const item = kind === 'number' ? toMinimal(value) : value
    if (!isHex(item)) return undefined
    items.push(item)
  }
  return keccak256(toRlp(items))
}

/** The bytes of a number, which is none for 0. */
function toMinimal(value: unknown): Hex | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) return undefined
  const digits = value.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 1 ? '0' : ''}${digits}`
}
