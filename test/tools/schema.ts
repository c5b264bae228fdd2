import { readFileSync, writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { createSchema } from '#src/gateway/graphql/schema.ts'

/** Writes schema.graphql from the builder. With --check, fails if the file differs from it. */
const printed = `${printSchema(createSchema())}\n`
if (!process.argv.includes('--check')) writeFileSync('schema.graphql', printed)
else if (readFileSync('schema.graphql', 'utf8') !== printed)
  throw new Error('schema.graphql is not what the builder prints: run `npm run schema`')
