import { readFileSync } from 'node:fs'
import { type LockFile, lockProblems } from './lock/lockProblems.ts'

/** `npm run lock` fails if package-lock.json would not install everywhere as it is. CONTRIBUTING.md says how it is made. */
const problems = lockProblems(JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile)
for (const problem of problems) process.stderr.write(`package-lock.json: ${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
