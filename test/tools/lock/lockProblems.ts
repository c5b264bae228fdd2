type LockedPackage = Readonly<{
  name?: string
  resolved?: string
  libc?: unknown
  engines?: Readonly<{ node?: string }> | readonly string[]
  optionalDependencies?: Readonly<Record<string, string>>
}>

/** package-lock.json, as far as it is checked. The package at `''` is our own. */
export type LockFile = Readonly<{ packages: Readonly<Record<string, LockedPackage>> }>

/**
 * What would make `npm install` fail on some platform, change the lock file, or warn:
 * - an optional package that the file lacks, such as the binary of another platform;
 * - `resolved`, which names a registry, and `libc`, which npm 10 deletes;
 * - a package that does not support the oldest Node of each major version in our `engines`.
 */
export function lockProblems({ packages }: LockFile): readonly string[] {
  const own = nodeRange(packages[''])
  return Object.entries(packages).flatMap(([at, locked]) => {
    const wanted = nodeRange(locked)
    const missing = Object.keys(locked.optionalDependencies ?? {})
      .filter((name) => !placesOf(at, name).some((place) => place in packages))
      .map((name) => `${at || 'package.json'}: the optional package ${name} is missing`)
    return [
      ...missing,
      ...(['resolved', 'libc'] as const)
        .filter((key) => key in locked)
        .map((key) => `${at}: has the key ${key}`),
      ...[...own.matchAll(/\d+\.\d+\.\d+/g)]
        .filter(([version]) => !includes(wanted, version))
        .map(([version]) => `${at}: needs Node ${wanted}, and package.json allows ${version}`),
    ]
  })
}

const nodeRange = (locked: LockedPackage | undefined): string =>
  (locked?.engines && 'node' in locked.engines && locked.engines.node) || '*'

/** Whether an npm range includes a version. It knows `||`, spaces, `>=`, `<`, `^`, and versions whose last parts are left out. */
const includes = (range: string, version: string): boolean =>
  range.split('||').some((all) =>
    all
      .trim()
      .split(/(?<![<>=^]) +/)
      .every((each) => meets(each.replaceAll(' ', ''), numbersOf(version))),
  )

const numbersOf = (text: string): number[] =>
  (/\d[\d.]*/.exec(text)?.[0] ?? '').split('.').filter(Boolean).map(Number)

function meets(comparator: string, version: readonly number[]): boolean {
  const wanted = numbersOf(comparator)
  const isSame = (parts: number) => wanted.slice(0, parts).every((each, at) => each === version[at])
  const at = wanted.findIndex((each, place) => each !== version[place])
  const isAtLeast = at < 0 || (version[at] ?? 0) > (wanted[at] ?? 0)
  if (comparator.startsWith('>=')) return isAtLeast
  if (comparator.startsWith('<')) return !isAtLeast
  return comparator.startsWith('^') ? isSame(1) && isAtLeast : isSame(3)
}

/** The folders where Node looks for a package that another one needs, the innermost first. */
function placesOf(at: string, name: string): readonly string[] {
  const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
  if (at === '') return [place]
  return [place, ...placesOf(at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1)), name)]
}
