import { encodeFunctionData, type Hex, parseAbi } from 'viem'

const multicall = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3Value[] calls) payable',
])

type Call = Readonly<{ to: Hex; data: Hex; value?: bigint | Hex | undefined }>

/** A batch for an account with the code of Multicall3, all or nothing. Anybody may run it: only for tests. */
export const batchOf = (calls: readonly Call[]): Hex =>
  encodeFunctionData({
    abi: multicall,
    args: [
      calls.map(({ to, data, value }) => ({
        target: to,
        allowFailure: false,
        value: BigInt(value ?? 0),
        callData: data,
      })),
    ],
  })
