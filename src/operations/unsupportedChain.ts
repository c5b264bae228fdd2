import { FieldError, type FieldPath } from './input/fieldError.ts'

/** No such chain is configured. */
export class UnsupportedChainError extends FieldError {
  constructor(path: FieldPath, chainId: number, chains: Iterable<Readonly<{ id: number }>>) {
    const supportedChainIds = Array.from(chains, ({ id }) => id)
    const supported = supportedChainIds.join(', ')
    const reason = `chain ${chainId} is not supported; supported are ${supported}`
    super('UNSUPPORTED_CHAIN', path, reason, { chainId, supportedChainIds })
  }
}
