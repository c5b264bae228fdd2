import { parseAbi } from 'viem'

export const depositoryAbi = parseAbi([
  'function depositNative(address depositor, bytes32 id) payable',
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
])

export const routerAbi = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'struct Path { uint256 amountIn; uint256 mostOut; bytes hops; }',
  'function multicall(Call[] calls, address refundTo, address nftRecipient, bytes metadata) payable returns (Result[] results)',
  'function swap(address input, Path[] paths)',
  'function unwrap(address wrapped)',
  'function pay(address currency, address recipient, uint256 minimum)',
  'function requireBalance(address currency, uint256 minimum)',
  'function depositNative(address depository, address depositor, bytes32 id, uint256 minimum, uint256 most)',
  'function depositErc20(address depository, address depositor, address currency, bytes32 id, uint256 minimum, uint256 most)',
  'function cleanupErc20s(address[] currencies, address[] recipients, uint256[] amounts)',
  'function cleanupNative(uint256 amount, address recipient)',
])

export const approvalProxyAbi = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function transferAndMulticall(address[] tokens, uint256[] amounts, Call[] calls, address refundTo, address nftRecipient, bytes metadata) payable returns (Result[] results)',
])
