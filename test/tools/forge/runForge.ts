import { spawnSync } from 'node:child_process'
import { forgePath } from './forgePath.ts'

/** `npm run test:contracts`: runs forge with these arguments, and exits with its code. */
const { status } = spawnSync(forgePath(), process.argv.slice(2), { stdio: 'inherit' })
process.exit(status ?? 1)
