import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/**
 * `npm run structure` prints the figures of the house: rooms (folders of `src`), arrows between them, sizes of files and
 * functions, and the length of the documents. `--list` names what counts against each limit.
 */
type Source = Readonly<{ path: string; room: string; lines: readonly string[]; imports: string[] }>

const sources: readonly Source[] = globSync('src/**/*.{ts,js,sol}')
  .filter((path) => !/\.test\.ts$|\/artifacts\//.test(path))
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    return {
      path: path.slice('src/'.length),
      room: path.split(/[/.]/)[1] ?? '',
      lines: text.trimEnd().split('\n'),
      imports: importsOf(path, text),
    }
  })

/** Imported files of `src`, as paths below it. */
function importsOf(path: string, text: string): string[] {
  const names = [...text.matchAll(/(?:from|import)\s*\(?'(#src\/|\.\/)([^']+)'/g)]
  return names.map(([, kind, name = '']) =>
    kind === '#src/' ? name : posix.join(posix.dirname(path), name).slice('src/'.length),
  )
}

/** Edges of a graph, by their two ends. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>

function graphOf(unitOf: (path: string) => string | undefined): Graph {
  const graph = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const from = unitOf(path)
    if (from === undefined) continue
    const found = graph.get(from) ?? new Set()
    for (const to of imports.map(unitOf)) if (to !== undefined && to !== from) found.add(to)
    graph.set(from, found)
  }
  return graph
}

const edgesOf = (graph: Graph): readonly (readonly [string, string])[] =>
  [...graph].flatMap(([from, all]) => [...all].map((to) => [from, to] as const))

/** The edges that lead back up if units stand above what they import, with as few as a greedy order finds. */
function upwardIn(graph: Graph): readonly (readonly [string, string])[] {
  const left = new Set([...graph.keys(), ...edgesOf(graph).map(([, to]) => to)])
  const floor = new Map<string, number>()
  const openOf = (unit: string) => [...(graph.get(unit) ?? [])].filter((to) => left.has(to)).length
  while (left.size > 0) {
    const [lowest = ''] = [...left].sort((one, other) => openOf(one) - openOf(other))
    floor.set(lowest, floor.size)
    left.delete(lowest)
  }
  return edgesOf(graph).filter(([from, to]) => (floor.get(from) ?? 0) < (floor.get(to) ?? 0))
}

type Span = Readonly<{ path: string; name: string; length: number }>

/** Functions of formatted code: from the line of their name to the end of their body. */
function functionsOf({ path, lines }: Source): readonly Span[] {
  const declared = /^(\s*)(?:export )?(?:default )?(?:async )?function\*? (\w+)/
  const assigned =
    /^(\s*)(?:export )?(?:(?:const|let) (\w+)\b.*=.*(?:\(|=>)|(\w+): (?:async )?\(.*)/
  const method = /^(\s*)(?:async )?(?!(?:if|for|while|switch|return|throw)\b)(\w+)\(.*/
  return lines.flatMap((line, at) => {
    const arrow = assigned.exec(line)
    const [, indent, ...names] = arrow ?? declared.exec(line) ?? method.exec(line) ?? []
    if (indent === undefined) return []
    const end = endOf(lines, at, indent, arrow === null ? /\{$|=>$/ : /=>(?: \(?\{)?$/)
    const name = names.find((each) => each !== undefined) ?? ''
    return end === undefined ? [] : [{ path, name, length: end - at + 1 }]
  })
}

/** The last line of a body, whose first line ends with `opening`. The signature may take several lines. */
function endOf(
  lines: readonly string[],
  from: number,
  indent: string,
  opening: RegExp,
): number | undefined {
  const isDeeper = (line: string) => line.startsWith(`${indent} `)
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (at > from && isDeeper(line)) continue
    if (at > from && !/^[)}\]]/.test(line.slice(indent.length))) return undefined
    if (!opening.test(line)) continue
    const after = lines.findIndex(
      (each, place) =>
        place > at &&
        each !== '' &&
        (line.endsWith('=>')
          ? !isDeeper(each)
          : each.startsWith(`${indent}}`) && !opening.test(each)),
    )
    if (line.endsWith('=>'))
      return after === -1
        ? lines.length - 1
        : lines.findLastIndex((each, place) => place < after && each !== '')
    return after === -1 ? undefined : after
  }
  return undefined
}

const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')].map(
  (path) => ({ path, text: readFileSync(path, 'utf8') }),
)
const own = globSync('{src,test}/**/*.{ts,js}', { exclude: ['**/node_modules'] })
  .filter((path) => !/artifacts\/|generated\//.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const sum = (counts: readonly number[]): number => counts.reduce((total, each) => total + each, 0)
const count = (texts: readonly { text: string }[], pattern: RegExp): number =>
  sum(texts.map(({ text }) => text.match(pattern)?.length ?? 0))

const roomGraph = graphOf((path) => (path === 'main.ts' ? undefined : path.split('/')[0]))
const rooms = [...new Set(sources.map(({ room }) => room))]
const inside = rooms.flatMap((room) =>
  upwardIn(
    graphOf((path) =>
      path.startsWith(`${room}/`) ? path.split('/').slice(0, 2).join('/') : undefined,
    ),
  ),
)
const importers = new Map<string, Set<string>>()
for (const { path, imports } of sources)
  for (const to of imports) importers.set(to, (importers.get(to) ?? new Set()).add(path))
const functions = sources.flatMap(functionsOf).sort((one, other) => other.length - one.length)
const longLines = documents.flatMap(({ path, text }) =>
  text
    .replaceAll(/```[\s\S]*?```/g, '')
    .split('\n')
    .filter((line) => line.length > 160 && !line.startsWith('|'))
    .map((line) => `${path}: ${line.slice(0, 60)}`),
)

const figures = {
  rooms: rooms.length,
  'arrows between rooms': edgesOf(roomGraph).length,
  'upward between rooms': upwardIn(roomGraph).length,
  'upward inside rooms': inside.length,
  'source files': sources.length,
  'source lines': sum(sources.map(({ lines }) => lines.length)),
  'files with one importer': [...importers.values()].filter(({ size }) => size === 1).length,
  'functions above 100 lines': functions.filter(({ length }) => length > 100).length,
  'functions above 80 lines': functions.filter(({ length }) => length > 80).length,
  'Pick< in src': count(
    own.filter(({ path }) => path.startsWith('src/')),
    /\bPick</g,
  ),
  'spreads of a literal': count(own, /\.\.\.\{ ?\w/g),
  'files in the root of src': sources.filter(({ path }) => !path.includes('/')).length,
  'words of documents': count(documents, /\S+/g),
  diagrams: count(documents, /```mermaid/g),
  'prose lines above 160 characters': longLines.length,
}
for (const [name, figure] of Object.entries(figures))
  process.stdout.write(`${name.padEnd(34)}${`${figure}`.padStart(8)}\n`)

if (process.argv.includes('--list')) {
  const lists = {
    'upward between rooms': upwardIn(roomGraph).map((edge) => edge.join(' -> ')),
    'upward inside rooms': inside.map((edge) => edge.join(' -> ')),
    'functions above 80 lines': functions
      .filter(({ length }) => length > 80)
      .map(({ path, name, length }) => `${length} ${path} ${name}`),
    'prose lines above 160 characters': longLines,
  }
  for (const [name, lines] of Object.entries(lists))
    process.stdout.write(`\n${name}\n${lines.map((line) => `  ${line}\n`).join('')}`)
}
