import { encodeFunctionData, type Hex, parseAbi } from 'viem'

const multicall = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3Value[] calls) payable',
])

/** A batch for an account with the code of Multicall3, all or nothing. Anybody may run it: only for tests. */
export const batchOf = (calls: readonly Readonly<{ to: Hex; data: Hex }>[]): Hex =>
  encodeFunctionData({
    abi: multicall,
    args: [
      calls.map(({ to, data }) => ({ target: to, allowFailure: false, value: 0n, callData: data })),
    ],
  })
