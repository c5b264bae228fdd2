import { registerHooks } from 'node:module'

/**
 * Imported first by the processes of the tests. To find the format of a module Node parses the `exports` of its
 * package: 170 kB for each of the hundred modules of drizzle-orm, which takes a quarter of the CPU time of a start.
 */
registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL = '' } = context
    return specifier.startsWith('.') && parentURL.includes('/node_modules/drizzle-orm/')
      ? { url: new URL(specifier, parentURL).href, format: formatOf(specifier), shortCircuit: true }
      : next(specifier, context)
  },
})

const formatOf = (path: string) => (path.endsWith('.cjs') ? 'commonjs' : 'module')
