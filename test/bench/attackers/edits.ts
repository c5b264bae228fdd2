import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A place of the source that is replaced while it is loaded, like a seeded fault: nothing is written. */
export type Edit = Readonly<{ file: string; find: string; replace: string }>

const root = new URL('../../../', import.meta.url)

/**
 * Loads these files with their edits. Call it before they are imported.
 * @throws Error if a file does not have the text of its edit exactly once
 */
export function loadWithEdits(edits: readonly Edit[]): void {
  const sources = new Map<string, string>()
  for (const { file, find, replace } of edits) {
    const { href } = new URL(file, root)
    const source = sources.get(href) ?? readFileSync(fileURLToPath(href), 'utf8')
    if (source.split(find).length !== 2) throw new Error(`${file} does not have this once: ${find}`)
    sources.set(
      href,
      source.replace(find, () => replace),
    )
  }
  registerHooks({
    load: (url, context, nextLoad) => {
      const source = sources.get(url)
      if (source === undefined) return nextLoad(url, context)
      return { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}
