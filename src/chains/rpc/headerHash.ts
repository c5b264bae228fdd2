import { type Hash, type Hex, keccak256, toRlp } from 'viem'

/** The fields of a header in the order of their encoding. Numbers are encoded without leading zeros. */
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

/** The fields that later forks added. A header has the first n of them, depending on its fork. */
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
 * Computes a block's hash from the fields of its JSON-RPC object. If it equals the known hash, it proves every header
 * field. Undefined for a block without Ethereum's header format.
 * @source go-ethereum 1.14.9, core/types.Header and Header.Hash
 */
export function headerHash(printed: Readonly<Record<string, unknown>>): Hash | undefined {
  const later = Object.entries(laterFields)
  const count = later.findIndex(([name]) => printed[name] == null)
  const present = count < 0 ? later : later.slice(0, count)
  // A field after a missing one would not be hashed, so that its value would be unproven.
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

/** The bytes of a number without leading zeros; empty for 0. */
function toMinimal(value: unknown): Hex | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) return undefined
  const digits = value.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 1 ? '0' : ''}${digits}`
}
