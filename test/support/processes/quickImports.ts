import { registerHooks } from 'node:module'

/**
 * Processes of the tests import this file first. Node parses the `exports` of a package for each of its modules: 170 kB
 * for each of the hundred modules of drizzle-orm, a quarter of the CPU time of a start.
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
