import { measureLivePrices } from './livePrices.ts'

for (const [what, met] of await measureLivePrices()) process.stdout.write(`${what}: ${met}\n`)
process.exit()
