/** What is read of an object file: 64-bit, little-endian. @source System V ABI: ELF-64 */
export type ElfObject = Readonly<{
  bytes: Buffer
  sections: readonly Section[]
  symbols: readonly ElfSymbol[]
}>

export type Section = Readonly<{
  name: string
  type: number
  flags: number
  offset: number
  size: number
  link: number
  /** Of relocations: the section that they change. */
  info: number
  alignment: number
}>

type ElfSymbol = Readonly<{
  name: string
  isSection: boolean
  /** Undefined: it is defined elsewhere. */
  section: Section | undefined
  value: number
}>

export type Relocation = Readonly<{ offset: number; type: number; symbol: ElfSymbol }>

const types = { bits: 1, symbols: 2, relocations: 9 } as const
const flags = { write: 1, load: 2, execute: 4 } as const

export const isCode = (section: Section): boolean =>
  (section.flags & flags.execute) !== 0 && section.size > 0

/** Constants, and those with addresses in them, which are written once when the file is linked. */
export const isConstant = (section: Section): boolean =>
  section.type === types.bits &&
  (section.flags & flags.load) !== 0 &&
  !isCode(section) &&
  section.size > 0 &&
  !isVariable(section)

export const isVariable = ({ name, flags: all, size }: Section): boolean =>
  (all & flags.write) !== 0 && (all & flags.load) !== 0 && size > 0 && name !== '.data.rel.ro'

const long = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))

const textAt = (bytes: Buffer, start: number): string =>
  bytes.toString('utf8', start, bytes.indexOf(0, start))

export function readElfObject(bytes: Buffer): ElfObject {
  const sections = readSections(bytes)
  const table = sections.find(({ type }) => type === types.symbols)
  const names = table && sections[table.link]
  if (table === undefined || names === undefined) throw new Error('The object has no symbols')
  const symbols = Array.from({ length: table.size / 24 }, (_, index): ElfSymbol => {
    const at = table.offset + 24 * index
    const place = bytes.readUInt16LE(at + 6)
    return {
      name: textAt(bytes, names.offset + bytes.readUInt32LE(at)),
      isSection: ((bytes[at + 4] ?? 0) & 15) === 3,
      section: place === 0 ? undefined : sections[place],
      value: long(bytes, at + 8),
    }
  })
  return { bytes, sections, symbols }
}

function readSections(bytes: Buffer): readonly Section[] {
  const start = long(bytes, 40)
  const entryOf = (index: number) => start + 64 * index
  const names = long(bytes, entryOf(bytes.readUInt16LE(62)) + 24)
  return Array.from({ length: bytes.readUInt16LE(60) }, (_, index) => {
    const at = entryOf(index)
    return {
      name: textAt(bytes, names + bytes.readUInt32LE(at)),
      type: bytes.readUInt32LE(at + 4),
      flags: long(bytes, at + 8),
      offset: long(bytes, at + 24),
      size: long(bytes, at + 32),
      link: bytes.readUInt32LE(at + 40),
      info: bytes.readUInt32LE(at + 44),
      alignment: long(bytes, at + 48),
    }
  })
}

/** The relocations of a section. Their addends stand in the section. */
export function relocationsOf(object: ElfObject, section: Section): readonly Relocation[] {
  const { bytes, sections, symbols } = object
  return sections
    .filter(({ type, info }) => type === types.relocations && sections[info] === section)
    .flatMap(({ offset, size }) =>
      Array.from({ length: size / 16 }, (_, index) => {
        const at = offset + 16 * index
        const symbol = symbols[bytes.readUInt32LE(at + 12)]
        if (symbol === undefined) throw new Error(`A relocation of ${section.name} has no symbol`)
        return { offset: long(bytes, at), type: bytes.readUInt32LE(at + 8), symbol }
      }),
    )
}
