import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'

/** Compiles the standard JSON of standard input, as native solc does. */
const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string }
process.stdout.write(solc.compile(await text(process.stdin)))
