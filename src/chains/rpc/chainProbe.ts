import { parseChainId, parseHeight } from './rpcAnswer.ts'
import { UnusableAnswerError } from './rpcError.ts'
import type { RpcRequest } from './rpcRequest.ts'

/** The requests that show which chain an endpoint serves and how far it is. They differ by virtual machine. */
export type ChainProbe = Readonly<{
  identity: RpcRequest
  /** @throws WrongChainError; UnusableAnswerError */
  checkIdentity: (answer: unknown) => void
  height: RpcRequest
  /** @throws UnusableAnswerError */
  parseHeight: (answer: unknown) => bigint
}>

/** The endpoint serves another chain than the configured one. */
export class WrongChainError extends UnusableAnswerError {}

/** The probe of an EVM chain. */
export const evmProbe = (chainId: number): ChainProbe => ({
  identity: { method: 'eth_chainId', params: [] },
  checkIdentity: (answer) => {
    const found = parseChainId(answer)
    if (found !== BigInt(chainId))
      throw new WrongChainError(`its chain id is ${found}, not ${chainId}`)
  },
  height: { method: 'eth_blockNumber', params: [] },
  parseHeight,
})
