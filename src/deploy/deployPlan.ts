import { concatHex, encodeDeployData, getCreate2Address, type Hex, stringToHex } from 'viem'
import { approvalProxy } from '#src/contracts/artifacts/approvalProxy.ts'
import { depository } from '#src/contracts/artifacts/depository.ts'
import { router } from '#src/contracts/artifacts/router.ts'
import { type Address, toAddress } from '#src/units/address.ts'

/**
 * The same address on every chain that has it: takes a salt and creation code, and deploys by CREATE2.
 * @source https://github.com/Arachnid/deterministic-deployment-proxy
 */
export const deterministicDeployer = toAddress('0x4e59b44847b379578588920ca78fbf26c0b4956c')

const salt = stringToHex('crossquote', { size: 32 })

export type Roles = Readonly<{ owner: Address; allocator: Address }>

type Deployment = Readonly<{
  address: Address
  /** What the deterministic deployer is sent. */
  data: Hex
}>

/** Where our contracts come to stand on any chain, which follows from their code and their roles. */
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
