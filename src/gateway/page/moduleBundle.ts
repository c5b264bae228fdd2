/** Finds the file of a module by the name that the file `importer` gives it. */
type ResolveModule = (specifier: string, importer: string) => string

/**
 * One script that runs the module `entry` and all modules that it imports, so that a browser asks once for all of them.
 * Each module becomes a function, and is named `module0` (the entry), `module1`, …. It reads what the page and its
 * libraries use: named and default imports and exports, and no import cycles.
 */
export function bundleModules(
  entry: string,
  { read, resolve }: Readonly<{ read: (file: string) => string; resolve: ResolveModule }>,
): string {
  const names = new Map<string, string>()
  const functions: string[] = []
  const add = (file: string): string => {
    const known = names.get(file)
    if (known !== undefined) return known
    const name = `module${names.size}`
    names.set(file, name)
    const body = functionBody(read(file), (specifier) => add(resolve(specifier, file)))
    functions.push(`const ${name} = (() => {\n${body}\n})()\n`)
    return name
  }
  add(entry)
  return functions.join('')
}

/** The start of a statement, also in a minified file. */
const start = '(?<=^|[;}])'
const list = String.raw`\{([^}]*)\}`
const from = String.raw`\s*from\s*["']([^"']+)["'];?`
const statement = (source: string): RegExp => new RegExp(start + source, 'gm')

const importedNames = statement(String.raw`import\s*${list}${from}`)
const importedDefault = statement(String.raw`import\s+(\w+)${from}`)
const passedOn = statement(String.raw`export\s*${list}${from}`)
const exportedNames = statement(String.raw`export\s*${list};?`)
const exportedDefault = statement(String.raw`export\s+default\s`)
const declared = statement(
  String.raw`export\s+((?:const|class|(?:async\s+)?function\*?)\s+([\w$]+))`,
)
const sourceMap = /^\/\/# sourceMappingURL=.*$/gm

/** The body of a function that returns the exports of the module `text`. */
function functionBody(text: string, nameOf: (specifier: string) => string): string {
  const exports: string[] = []
  const body = text
    .replace(sourceMap, '')
    .replace(importedNames, (_, names: string, specifier: string) => {
      const local = pairs(names).map(([name, alias]) => `${name}: ${alias}`)
      return `const { ${local.join(', ')} } = ${nameOf(specifier)};`
    })
    .replace(importedDefault, (_, name: string, specifier: string) => {
      return `const ${name} = ${nameOf(specifier)}.default;`
    })
    .replace(passedOn, (_, names: string, specifier: string) => {
      const module = nameOf(specifier)
      exports.push(...pairs(names).map(([name, alias]) => `${alias}: ${module}.${name}`))
      return ''
    })
    .replace(exportedNames, (_, names: string) => {
      exports.push(...pairs(names).map(([name, alias]) => `${alias}: ${name}`))
      return ''
    })
    .replace(exportedDefault, () => {
      exports.push('default: theDefault')
      return 'const theDefault = '
    })
    .replace(declared, (_, declaration: string, name: string) => {
      exports.push(name)
      return declaration
    })
  return `${body}\nreturn { ${exports.join(', ')} }`
}

/** The names of a list such as `a, b as c`, each with its alias. */
const pairs = (names: string): readonly (readonly [name: string, alias: string])[] =>
  names
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', alias = name] = each.split(/\s+as\s+/)
      return [name, alias]
    })
