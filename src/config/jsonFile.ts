import { readFileSync } from 'node:fs'
import {
  findNodeAtLocation,
  type ParseError,
  parseTree,
  printParseErrorCode,
  stripComments,
} from 'jsonc-parser'

type Path = readonly PropertyKey[]

export type JsonFile = Readonly<{
  value: unknown
  /** The line, from 1, of the value at the path. If the file does not have it, the line of its innermost parent. */
  lineOf: (path: Path) => number
}>

/** Reads JSON with comments. @throws Error that names the file, and the first line that is not JSON. */
export function readJsonFile(path: string): JsonFile {
  const text = readText(path)
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: false })
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const lineOf = (place: Path): number => {
    const segments = place.filter((each) => typeof each !== 'symbol')
    const node = root && findNodeAtLocation(root, segments)
    if (node !== undefined)
      return lineAt((node.parent?.type === 'property' ? node.parent : node).offset)
    return place.length === 0 ? 1 : lineOf(place.slice(0, -1))
  }
  const [first] = errors
  if (first !== undefined) {
    const problem = printParseErrorCode(first.error)
    throw new Error(`${path}, line ${lineAt(first.offset)}, is not JSON: ${explain(problem, text)}`)
  }
  return { value: parseJson(path, text), lineOf }
}

/** JSON.parse refuses some texts that `parseTree` accepts. Its messages quote the text, which may contain API keys. */
function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(stripComments(text, ' '))
  } catch {
    throw new Error(`${path} is not JSON`)
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Error(`${path} cannot be read: ${fileProblems[code] ?? message}`)
  }
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a directory',
}

/** "PropertyNameExpected" as "property name expected". */
const explain = (problem: string, text: string): string =>
  text.trim() === ''
    ? 'the file is empty'
    : problem.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
