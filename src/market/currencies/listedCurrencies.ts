import { dirname, resolve } from 'node:path'
import { redactUrl } from '#src/chains/rpc/redact.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { readRemoteTokenList } from './remoteTokenList.ts'
import { mergeTokenLists, readTokenListFile } from './tokenList.ts'

/**
 * The currencies of the configuration's token lists on its chains. Paths are relative to the configuration file.
 * @throws Error that names the list if it cannot be read.
 */
export async function readListedCurrencies(
  deps: Readonly<{ log: Log; directory: string }>,
  { tokenList = [], chains }: Pick<Config, 'tokenList' | 'chains'>,
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
  return mergeTokenLists(deps.log, lists, new Set(chains.map(({ id }) => id)))
}
