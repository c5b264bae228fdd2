import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  http,
  type PrivateKeyAccount,
  parseAbi,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import type { DevnetDescription } from '#src/devnet/describe.ts'

type Chain = DevnetDescription['chains'][number]

/** An amount of a currency on the destination chain. */
type Output = Readonly<{ chain: Chain; address: Address; decimals: number; amount: bigint }>

const multicall = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3Value[] calls) payable',
])

/**
 * The fields of a quote that gives a new account code by EIP-7702. The account receives the output and transfers half
 * of it, although it has never held native currency for gas. It delegates to Multicall3, which executes anybody's
 * calls: use this on a devnet only. Real wallets delegate to the contract of a wallet.
 */
export async function delegate(output: Output) {
  const [account, payee] = [newAccount(), toAddress(newAccount().address)]
  const { multicall3 } = output.chain.contracts
  const signed = await account.signAuthorization({
    chainId: output.chain.id,
    contractAddress: multicall3,
    nonce: 0,
  })
  const { chainId, address, nonce, yParity = 0, r, s } = signed
  return {
    fields: {
      tradeType: 'EXACT_OUTPUT',
      txs: callsOf(output, toAddress(account.address), payee),
      authorizationList: [{ chainId, address, nonce, yParity, r, s }],
    },
    /** One line with the account's code and balances after the fill. */
    report: () => reportOf(output, account.address, payee),
  }
}

const newAccount = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

/** Pays the output to the account, which then transfers half of it to the payee. */
function callsOf({ address, amount }: Output, account: Address, payee: Address) {
  const half = amount / 2n
  const forward = (target: Address, value: bigint, callData: `0x${string}`) =>
    encodeFunctionData({
      abi: multicall,
      args: [[{ target, allowFailure: false, value, callData }]],
    })
  if (address === nativeAddress)
    return [{ to: account, value: `${amount}`, data: forward(payee, half, '0x') }]
  const transfer = (to: Address, value: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] })
  return [
    { to: address, value: '0', data: transfer(account, amount) },
    { to: account, value: '0', data: forward(address, 0n, transfer(payee, half)) },
  ]
}

async function reportOf(
  { chain, address, decimals }: Output,
  account: `0x${string}`,
  payee: Address,
): Promise<string> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const balanceOf = async (holder: `0x${string}`) => {
    const balance =
      address === nativeAddress
        ? client.getBalance({ address: holder })
        : client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
    return formatUnits(await balance, decimals)
  }
  const [code, remaining, forwarded] = await Promise.all([
    client.getCode({ address: account }),
    balanceOf(account),
    balanceOf(payee),
  ])
  return `${account} has the code ${code ?? '0x'}: it holds ${remaining}, and has passed on ${forwarded}.`
}
