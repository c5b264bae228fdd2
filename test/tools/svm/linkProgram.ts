import {
  type ElfObject,
  isCode,
  isConstant,
  isVariable,
  type Relocation,
  readElfObject,
  relocationsOf,
  type Section,
} from './elfObject.ts'
import { murmur3 } from './murmur3.ts'

/** Where a section stands in the file, and in the memory of the program. */
type Place = Readonly<{ at: number; address: bigint }>
type Layout = Readonly<{ places: ReadonlyMap<Section, Place>; codeAt: number; size: number }>

const headerBytes = 64
const segmentBytes = 56
const constantsAt = headerBytes + 2 * segmentBytes
/** Constants are at address 0. @source solana-sbpf: ebpf::MM_BYTECODE_START */
const codeAddress = 1n << 32n

/** @source llvm: BinaryFormat/ELFRelocs/BPF.def */
const relocations = { address: 1, absolute: 2, call: 10 } as const

/**
 * Makes an SBPF version 3 executable of one object file: constants, then code, with every address fixed and system
 * calls by their hashes. Debian's linkers know no BPF.
 * @source SIMD-0178, SIMD-0189 and SIMD-0377
 * @throws Error for what such a program cannot have: variables, and calls of other functions than `systemCalls`
 */
export function linkProgram(file: Uint8Array, systemCalls: ReadonlySet<string>): Buffer {
  const object = readElfObject(Buffer.from(file))
  const variable = object.sections.find(isVariable)
  if (variable) throw new Error(`The program has variables, in ${variable.name}`)
  const layout = layOut(object)
  const linked = Buffer.alloc(layout.size)
  for (const [section, { at }] of layout.places) {
    object.bytes.copy(linked, at, section.offset, section.offset + section.size)
    for (const relocation of relocationsOf(object, section))
      relocate(linked, at + relocation.offset, relocation, layout, systemCalls)
  }
  writeHeaders(linked, object, layout)
  return linked
}

const aligned = (at: number, alignment: number): number => Math.ceil(at / alignment) * alignment

function layOut({ sections }: ElfObject): Layout {
  const places = new Map<Section, Place>()
  let end = constantsAt
  for (const section of sections.filter(isConstant)) {
    const at = aligned(end, Math.max(8, section.alignment))
    places.set(section, { at, address: BigInt(at - constantsAt) })
    end = at + section.size
  }
  const codeAt = aligned(end, 8)
  end = codeAt
  for (const section of sections.filter(isCode)) {
    places.set(section, { at: end, address: codeAddress + BigInt(end - codeAt) })
    end += section.size
  }
  return { places, codeAt, size: end }
}

function relocate(
  linked: Buffer,
  at: number,
  { type, symbol }: Relocation,
  { places }: Layout,
  systemCalls: ReadonlySet<string>,
): void {
  if (symbol.section === undefined) {
    if (type !== relocations.call || !systemCalls.has(symbol.name))
      throw new Error(`The program needs ${symbol.name}, which is no system call that it may use`)
    // Source register 0: a system call.
    linked[at + 1] = 0
    linked.writeUInt32LE(murmur3(symbol.name), at + 4)
    return
  }
  const target = places.get(symbol.section)
  if (target === undefined) throw new Error(`${symbol.section.name} is not in the program`)
  if (type === relocations.call) {
    // A call of a function without a symbol of its own holds its place in the section.
    const offset = symbol.isSection ? (linked.readInt32LE(at + 4) + 1) * 8 : 0
    linked.writeInt32LE((target.at + symbol.value + offset - at) / 8 - 1, at + 4)
  } else if (type === relocations.address) {
    const address = target.address + BigInt(symbol.value + linked.readInt32LE(at + 4))
    linked.writeUInt32LE(Number(address & 0xffff_ffffn), at + 4)
    linked.writeUInt32LE(Number(address >> 32n), at + 12)
  } else if (type === relocations.absolute) {
    const address = target.address + BigInt(symbol.value) + linked.readBigUInt64LE(at)
    linked.writeBigUInt64LE(address, at)
  } else throw new Error(`A relocation of type ${type}`)
}

function writeHeaders(linked: Buffer, { symbols }: ElfObject, layout: Layout): void {
  const { places, codeAt, size } = layout
  const entry = symbols.find(({ name }) => name === 'entrypoint')
  const entryPlace = entry?.section && places.get(entry.section)
  if (entry === undefined || entryPlace === undefined) throw new Error('There is no entrypoint')
  Buffer.from('7f454c46020101000000000000000000', 'hex').copy(linked)
  // A shared object for the machine BPF.
  linked.writeUInt16LE(3, 16)
  linked.writeUInt16LE(247, 18)
  linked.writeUInt32LE(1, 20)
  linked.writeBigUInt64LE(entryPlace.address + BigInt(entry.value), 24)
  linked.writeBigUInt64LE(BigInt(headerBytes), 32)
  // The version of the instruction set.
  linked.writeUInt32LE(3, 48)
  for (const [index, value] of [headerBytes, segmentBytes, 2, 64, 0, 0].entries())
    linked.writeUInt16LE(value, 52 + 2 * index)
  const readable = 4
  const executable = 1
  writeSegment(linked, 0, readable, [constantsAt, codeAt - constantsAt], 0n)
  writeSegment(linked, 1, executable, [codeAt, size - codeAt], codeAddress)
}

function writeSegment(
  linked: Buffer,
  index: number,
  rights: number,
  [at, size]: readonly [at: number, size: number],
  address: bigint,
): void {
  const start = headerBytes + segmentBytes * index
  linked.writeUInt32LE(1, start)
  linked.writeUInt32LE(rights, start + 4)
  const fields = [BigInt(at), address, address, BigInt(size), BigInt(size), 8n]
  for (const [field, value] of fields.entries())
    linked.writeBigUInt64LE(value, start + 8 + 8 * field)
}
