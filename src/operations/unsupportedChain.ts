import { AppError } from '#src/errors.ts'

/** No such chain is configured. */
export class UnsupportedChainError extends AppError {
  constructor(field: string, chainId: number, chains: Iterable<Readonly<{ id: number }>>) {
    const supportedChainIds = Array.from(chains, ({ id }) => id)
    const supported = supportedChainIds.join(', ')
    super(
      'UNSUPPORTED_CHAIN',
      `${field}: chain ${chainId} is not supported; supported are ${supported}.`,
      { field, chainId, supportedChainIds },
    )
  }
}
