// biome-ignore-all lint/style/noDefaultExport: only the default export of node:fs can be changed.
import fs from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Appends a line to the file that TRACE names for each write to a file, each fsync and each answer on standard output: `write <path>`,
 * `sync <path>` and `answer`. Imported before a program, with NODE_OPTIONS, in all its threads.
 */
// biome-ignore lint/style/noProcessEnv: the test passes it on through NODE_OPTIONS alone.
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
