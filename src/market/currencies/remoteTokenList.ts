import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Agent, type Dispatcher } from 'undici'
import { readBody } from '#src/chains/readBody.ts'
import { redactUrl } from '#src/chains/rpc/redact.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import { mergeTokenLists, parseTokenList, readTokenListFile } from './tokenList.ts'

/**
 * The currencies of the configuration's token lists on its chains. Paths are relative to the configuration file.
 * @throws Error that names the list if it cannot be read.
 */
export async function readListedCurrencies(
  deps: Readonly<{ log: Log; directory: string }>,
  { tokenList = [], chains, svmChains }: Config,
  configPath = '.',
): Promise<readonly Currency[]> {
  const lists = await Promise.all(
    tokenList.map(async (place) => {
      if (/^https:/i.test(place))
        return { source: redactUrl(place), value: await readRemoteTokenList(deps, place) }
      const source = resolve(dirname(configPath), place)
      return { source, value: readTokenListFile(source) }
    }),
  )
  const chainIds = new Set([...chains, ...svmChains].map(({ id }) => id))
  const svmIds = new Set(svmChains.map(({ id }) => id))
  // An address in the form of another virtual machine than the chain's names nothing.
  return mergeTokenLists(deps.log, lists, chainIds).filter(
    ({ chainId, address }) => (vmTypeOf(address) === 'svm') === svmIds.has(chainId),
  )
}

/** The largest known lists have 2 MB. */
const maxBytes = 10 * 1024 * 1024
const timeoutMs = 10_000

type Deps = Readonly<{
  log: Log
  /** Contains the last valid copy of each list. */
  directory: string
  dispatcher?: Dispatcher
  timeoutMs?: number
}>

/**
 * The token list at an https URL, as JSON. Stores each valid answer on disk, and uses the last stored copy if the URL
 * gives no valid answer. Redirects are not followed: they could lead away from https.
 * @throws Error that names the host if there is neither an answer nor a copy.
 */
export async function readRemoteTokenList(deps: Deps, url: string): Promise<unknown> {
  const { log, directory } = deps
  const name = redactUrl(url)
  const copy = join(directory, `${createHash('sha256').update(url).digest('hex')}.json`)
  try {
    const text = await download(deps, url)
    const list: unknown = JSON.parse(text)
    parseTokenList(list, name, new Set())
    keep(deps, copy, text)
    return list
  } catch (error) {
    const reason = reasonOf(error)
    try {
      const list: unknown = JSON.parse(readFileSync(copy, 'utf8'))
      const from = statSync(copy).mtime.toISOString()
      log.warn(
        { tokenList: name, reason, from },
        'A token list is unavailable; using its last copy',
      )
      return list
    } catch {
      throw new Error(`tokenList: cannot read ${name}, and there is no copy of it: ${reason}`)
    }
  }
}

async function download({ dispatcher, ...limits }: Deps, url: string): Promise<string> {
  const agent = dispatcher ?? new Agent({ maxResponseSize: maxBytes })
  const { origin, pathname, search } = new URL(url)
  try {
    const { statusCode, headers, body } = await agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(limits.timeoutMs ?? timeoutMs),
    })
    const text = await readBody(body, maxBytes)
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`)
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new Error('the answer is compressed')
    return text
  } finally {
    if (dispatcher === undefined) await agent.destroy()
  }
}

/** Replaces the copy atomically. A failure is only logged: this start has the list in memory. */
function keep({ log, directory }: Deps, path: string, text: string): void {
  try {
    mkdirSync(directory, { recursive: true })
    const temporary = `${path}.${process.pid}`
    writeFileSync(temporary, text)
    renameSync(temporary, path)
  } catch (error) {
    log.warn({ directory, reason: reasonOf(error) }, 'No copy of a token list could be kept')
  }
}
