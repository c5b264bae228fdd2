import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders and files whose tests take longest, the longest first. */
const slow = [
  'test/crash/',
  'test/system/',
  'test/solver/',
  'test/tracker/',
  'test/requests/',
  'test/rest/onDevnet',
  'test/onChain/',
  'test/contracts/',
  'test/gateway/subscribers',
  'src/requests/store/',
  'src/market/',
  'src/devnet/',
  'src/execution/',
]

/** How early a file runs: those that take longest come first, so that all workers end at about the same time. */
function rankOf({ moduleId }: TestSpecification): number {
  const at = slow.findIndex((part) => moduleId.includes(part))
  return at === -1 ? slow.length : at
}

export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => rankOf(one) - rankOf(other))
  }
}
