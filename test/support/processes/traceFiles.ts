// biome-ignore-all lint/style/noDefaultExport: only the default export of node:fs is mutable.
import fs from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Appends a line to the file TRACE for each write to a file (`write <path>`), each fsync (`sync <path>`) and each
 * answer on standard output (`answer`). NODE_OPTIONS imports it before a program, in all of its threads.
 */
// biome-ignore lint/style/noProcessEnv: the test can pass it only through the environment.
const trace = fs.openSync(process.env['TRACE'] ?? '', 'a')
const { writeSync, fsyncSync } = fs
const record = (line: string) => writeSync(trace, `${line}\n`)
const pathOf = (file: number) => fs.readlinkSync(`/proc/self/fd/${file}`)

fs.fsyncSync = (file) => {
  fsyncSync(file)
  record(`sync ${pathOf(file)}`)
}
fs.writeSync = ((file: number, ...rest: [NodeJS.ArrayBufferView]) => {
  record(`write ${pathOf(file)}`)
  return writeSync(file, ...rest)
}) as typeof fs.writeSync

if (isMainThread) {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (text: string) => {
    record('answer')
    return write(text)
  }
}
