import { existsSync } from 'node:fs'

const folder = new URL('../../svm/peers/node_modules/', import.meta.url)

/** Whether `npm run peers` has installed the packages of `test/svm/peers`. Tests that need them are skipped without. */
export const hasPeers = existsSync(folder)

/** Loads one of these packages. `path` is that of its entry file. */
export const loadPeer = async <Exports>(path: string): Promise<Exports> =>
  import(new URL(path, folder).href)
