import { concatHex, encodeDeployData, getCreate2Address, type Hex, stringToHex } from 'viem'
import { approvalProxy } from '#src/contracts/artifacts/approvalProxy.ts'
import { depository } from '#src/contracts/artifacts/depository.ts'
import { router } from '#src/contracts/artifacts/router.ts'
import { type Address, toAddress } from '#src/units/address.ts'

/**
 * Deploys by CREATE2 from a salt and creation code. It has the same address on every chain.
 * @source https://github.com/Arachnid/deterministic-deployment-proxy
 */
export const deterministicDeployer = toAddress('0x4e59b44847b379578588920ca78fbf26c0b4956c')

const salt = stringToHex('crossquote', { size: 32 })

export type Roles = Readonly<{ owner: Address; allocator: Address }>

type Deployment = Readonly<{
  address: Address
  /** Calldata for the deterministic deployer. */
  data: Hex
}>

/** The addresses of our contracts. They depend only on the code and the roles, so they are equal on all chains. */
export function planDeployment({ owner, allocator }: Roles) {
  const placedRouter = place(encodeDeployData(router))
  return {
    depository: place(encodeDeployData({ ...depository, args: [owner, allocator] })),
    router: placedRouter,
    approvalProxy: place(encodeDeployData({ ...approvalProxy, args: [placedRouter.address] })),
  } as const satisfies Record<string, Deployment>
}

const place = (creationCode: Hex): Deployment => ({
  address: toAddress(
    getCreate2Address({ from: deterministicDeployer, salt, bytecode: creationCode }),
  ),
  data: concatHex([salt, creationCode]),
})
