import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders and files whose tests take longest, the longest first. */
const slow = [
  'test/svm/solver/killedProcesses',
  'src/requests/store/openRequestStoreCrash',
  'test/attacks/plainTransfers',
  'test/gateway/subscribers',
  'test/endpoints/badMinutes',
  'test/svm/solver/',
  'test/svm/program/solvency.slow',
  'test/solver/',
  'test/crash/',
  'test/permits/',
  'test/page/',
  'test/system/',
  'test/execute/',
  'test/requests/',
  'test/faults/',
  'test/attacks/',
  'test/tracker/',
  'src/market/',
  'test/contracts/',
  'test/docs/',
  'test/rest/onDevnet',
  'test/onChain/',
  'test/endpoints/',
  'src/requests/store/',
  'src/devnet/',
  'src/protocol/',
]

/** The rank of a file: the slowest ones run first, so that all workers end at about the same time. */
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
