// Generated from ../solidity/Depository.sol by npm run compile.
export const depository = {
  "abi": [
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "owner_",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "allocator_",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "guardian_",
          "type": "address"
        },
        {
          "internalType": "address[]",
          "name": "payees",
          "type": "address[]"
        },
        {
          "internalType": "uint256",
          "name": "exitSeconds_",
          "type": "uint256"
        },
        {
          "internalType": "string",
          "name": "chainName",
          "type": "string"
        },
        {
          "components": [
            {
              "internalType": "address",
              "name": "currency",
              "type": "address"
            },
            {
              "internalType": "uint256",
              "name": "amount",
              "type": "uint256"
            }
          ],
          "internalType": "struct OutflowLimit.Limit[]",
          "name": "limits",
          "type": "tuple[]"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "constructor"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "depositId",
          "type": "bytes32"
        },
        {
          "internalType": "uint256",
          "name": "feeAt",
          "type": "uint256"
        }
      ],
      "name": "AboveFee",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "depositId",
          "type": "bytes32"
        }
      ],
      "name": "AboveOwed",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "txHash",
          "type": "bytes32"
        },
        {
          "internalType": "uint256",
          "name": "logIndex",
          "type": "uint256"
        }
      ],
      "name": "AlreadyPaid",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "CannotRenounce",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint256",
          "name": "expiration",
          "type": "uint256"
        }
      ],
      "name": "Expired",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "FailedCall",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint256",
          "name": "balance",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "needed",
          "type": "uint256"
        }
      ],
      "name": "InsufficientBalance",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "InvalidShortString",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "InvalidSignature",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "NoAllocator",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "NotADeposit",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "NotAPayee",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "orderId",
          "type": "bytes32"
        }
      ],
      "name": "NotInTheOrder",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "depositId",
          "type": "bytes32"
        }
      ],
      "name": "NotOwed",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "NotTheGuardian",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "currency",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "available",
          "type": "uint256"
        }
      ],
      "name": "NotUnrecorded",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "NothingDeposited",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "NothingOwed",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "currency",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "NothingToClaim",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "OnlyTheOwnAccount",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "depositId",
          "type": "bytes32"
        }
      ],
      "name": "OtherCurrency",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "orderId",
          "type": "bytes32"
        }
      ],
      "name": "OtherInput",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "currency",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "available",
          "type": "uint256"
        }
      ],
      "name": "OutflowExceeded",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "owner",
          "type": "address"
        }
      ],
      "name": "OwnableInvalidOwner",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "OwnableUnauthorizedAccount",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint256",
          "name": "timestamp",
          "type": "uint256"
        }
      ],
      "name": "PauseNotBefore",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint256",
          "name": "timestamp",
          "type": "uint256"
        }
      ],
      "name": "PausedUntil",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "ReentrancyGuardReentrantCall",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint8",
          "name": "bits",
          "type": "uint8"
        },
        {
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "SafeCastOverflowedUintDowncast",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "token",
          "type": "address"
        }
      ],
      "name": "SafeERC20FailedOperation",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "string",
          "name": "str",
          "type": "string"
        }
      ],
      "name": "StringTooLong",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint256",
          "name": "exitTime",
          "type": "uint256"
        }
      ],
      "name": "TooEarly",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "TooLittleGas",
      "type": "error"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "allocator",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "bool",
          "name": "isContract",
          "type": "bool"
        }
      ],
      "name": "AllocatorSet",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": false,
          "internalType": "string",
          "name": "name",
          "type": "string"
        }
      ],
      "name": "ChainNameSet",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "currency",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "account",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "recipient",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "Claimed",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "depositId",
          "type": "bytes32"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "recipient",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "DepositExited",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "depositId",
          "type": "bytes32"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "index",
          "type": "uint256"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "exitTime",
          "type": "uint256"
        }
      ],
      "name": "DepositRecorded",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "depositId",
          "type": "bytes32"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "recipient",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "cost",
          "type": "uint256"
        }
      ],
      "name": "DepositRefunded",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "depositId",
          "type": "bytes32"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "payee",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "DepositSettled",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [],
      "name": "EIP712DomainChanged",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "guardian",
          "type": "address"
        }
      ],
      "name": "GuardianSet",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "currency",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "OutflowLimitSet",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "previousOwner",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "newOwner",
          "type": "address"
        }
      ],
      "name": "OwnershipTransferStarted",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "previousOwner",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "newOwner",
          "type": "address"
        }
      ],
      "name": "OwnershipTransferred",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "until",
          "type": "uint256"
        }
      ],
      "name": "Paused",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "payee",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "since",
          "type": "uint256"
        }
      ],
      "name": "PayeeSet",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "currency",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "recipient",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "PaymentFailed",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": false,
          "internalType": "address",
          "name": "from",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "address",
          "name": "token",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        },
        {
          "indexed": false,
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        }
      ],
      "name": "RelayErc20Deposit",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": false,
          "internalType": "address",
          "name": "from",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        },
        {
          "indexed": false,
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        }
      ],
      "name": "RelayNativeDeposit",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "txHash",
          "type": "bytes32"
        },
        {
          "indexed": true,
          "internalType": "uint256",
          "name": "logIndex",
          "type": "uint256"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "currency",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        }
      ],
      "name": "UnrecordedPaid",
      "type": "event"
    },
    {
      "stateMutability": "payable",
      "type": "fallback"
    },
    {
      "inputs": [],
      "name": "acceptOwnership",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "payee",
          "type": "address"
        }
      ],
      "name": "addPayee",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "allocator",
      "outputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "allocatorIsContract",
      "outputs": [
        {
          "internalType": "bool",
          "name": "",
          "type": "bool"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "currency",
          "type": "address"
        }
      ],
      "name": "availableOutflow",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "chainNameHash",
      "outputs": [
        {
          "internalType": "bytes32",
          "name": "",
          "type": "bytes32"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "currency",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "recipient",
          "type": "address"
        }
      ],
      "name": "claim",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "currency",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "claimable",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "depositor",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "token",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        }
      ],
      "name": "depositErc20",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "depositor",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "token",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "amount",
          "type": "uint256"
        },
        {
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        }
      ],
      "name": "depositErc20",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "bytes32",
              "name": "orderId",
              "type": "bytes32"
            },
            {
              "internalType": "address",
              "name": "depositor",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "currency",
              "type": "address"
            },
            {
              "internalType": "uint256",
              "name": "amount",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "index",
              "type": "uint256"
            }
          ],
          "internalType": "struct Deposits.Deposit",
          "name": "deposit",
          "type": "tuple"
        }
      ],
      "name": "depositIdOf",
      "outputs": [
        {
          "internalType": "bytes32",
          "name": "",
          "type": "bytes32"
        }
      ],
      "stateMutability": "pure",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "depositor",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "id",
          "type": "bytes32"
        }
      ],
      "name": "depositNative",
      "outputs": [],
      "stateMutability": "payable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "eip712Domain",
      "outputs": [
        {
          "internalType": "bytes1",
          "name": "fields",
          "type": "bytes1"
        },
        {
          "internalType": "string",
          "name": "name",
          "type": "string"
        },
        {
          "internalType": "string",
          "name": "version",
          "type": "string"
        },
        {
          "internalType": "uint256",
          "name": "chainId",
          "type": "uint256"
        },
        {
          "internalType": "address",
          "name": "verifyingContract",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "salt",
          "type": "bytes32"
        },
        {
          "internalType": "uint256[]",
          "name": "extensions",
          "type": "uint256[]"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "bytes32",
              "name": "orderId",
              "type": "bytes32"
            },
            {
              "internalType": "address",
              "name": "depositor",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "currency",
              "type": "address"
            },
            {
              "internalType": "uint256",
              "name": "amount",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "index",
              "type": "uint256"
            }
          ],
          "internalType": "struct Deposits.Deposit",
          "name": "deposit",
          "type": "tuple"
        },
        {
          "internalType": "address",
          "name": "recipient",
          "type": "address"
        }
      ],
      "name": "exit",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "exitSeconds",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "guardian",
      "outputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "nextPauseAt",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "currency",
          "type": "address"
        }
      ],
      "name": "outflowLimit",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "owner",
      "outputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "pause",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "pausedUntil",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "bytes32",
              "name": "txHash",
              "type": "bytes32"
            },
            {
              "internalType": "uint256",
              "name": "logIndex",
              "type": "uint256"
            },
            {
              "internalType": "address",
              "name": "currency",
              "type": "address"
            },
            {
              "components": [
                {
                  "internalType": "address",
                  "name": "recipient",
                  "type": "address"
                },
                {
                  "internalType": "uint256",
                  "name": "amount",
                  "type": "uint256"
                }
              ],
              "internalType": "struct Depository.Payment[]",
              "name": "payments",
              "type": "tuple[]"
            },
            {
              "internalType": "uint256",
              "name": "expiration",
              "type": "uint256"
            }
          ],
          "internalType": "struct Depository.Unrecorded",
          "name": "signed",
          "type": "tuple"
        },
        {
          "internalType": "bytes",
          "name": "signature",
          "type": "bytes"
        }
      ],
      "name": "payUnrecorded",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "account",
          "type": "address"
        }
      ],
      "name": "payeeSince",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "pendingOwner",
      "outputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "depositId",
          "type": "bytes32"
        }
      ],
      "name": "records",
      "outputs": [
        {
          "internalType": "uint192",
          "name": "owed",
          "type": "uint192"
        },
        {
          "internalType": "uint64",
          "name": "exitTime",
          "type": "uint64"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "components": [
                {
                  "internalType": "bytes32",
                  "name": "orderId",
                  "type": "bytes32"
                },
                {
                  "internalType": "address",
                  "name": "depositor",
                  "type": "address"
                },
                {
                  "internalType": "address",
                  "name": "currency",
                  "type": "address"
                },
                {
                  "internalType": "uint256",
                  "name": "amount",
                  "type": "uint256"
                },
                {
                  "internalType": "uint256",
                  "name": "index",
                  "type": "uint256"
                }
              ],
              "internalType": "struct Deposits.Deposit",
              "name": "deposit",
              "type": "tuple"
            },
            {
              "internalType": "uint256",
              "name": "owed",
              "type": "uint256"
            },
            {
              "internalType": "address",
              "name": "recipient",
              "type": "address"
            },
            {
              "internalType": "uint256",
              "name": "amount",
              "type": "uint256"
            },
            {
              "internalType": "address",
              "name": "payee",
              "type": "address"
            },
            {
              "internalType": "uint256",
              "name": "cost",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "expiration",
              "type": "uint256"
            }
          ],
          "internalType": "struct Depository.Refund",
          "name": "signed",
          "type": "tuple"
        },
        {
          "components": [
            {
              "components": [
                {
                  "internalType": "bytes32",
                  "name": "version",
                  "type": "bytes32"
                },
                {
                  "internalType": "bytes32",
                  "name": "solverChainId",
                  "type": "bytes32"
                },
                {
                  "internalType": "address",
                  "name": "solver",
                  "type": "address"
                },
                {
                  "internalType": "uint256",
                  "name": "salt",
                  "type": "uint256"
                },
                {
                  "internalType": "bytes32",
                  "name": "inputs",
                  "type": "bytes32"
                },
                {
                  "internalType": "bytes32",
                  "name": "output",
                  "type": "bytes32"
                },
                {
                  "internalType": "bytes32",
                  "name": "fees",
                  "type": "bytes32"
                }
              ],
              "internalType": "struct Orders.OrderWords",
              "name": "order",
              "type": "tuple"
            },
            {
              "internalType": "bytes32[]",
              "name": "inputs",
              "type": "bytes32[]"
            },
            {
              "internalType": "uint256",
              "name": "inputAt",
              "type": "uint256"
            },
            {
              "internalType": "bytes32",
              "name": "paymentCurrency",
              "type": "bytes32"
            },
            {
              "internalType": "uint256",
              "name": "paymentAmount",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "paymentWeight",
              "type": "uint256"
            },
            {
              "internalType": "bytes32[]",
              "name": "refunds",
              "type": "bytes32[]"
            },
            {
              "internalType": "uint256",
              "name": "refundAt",
              "type": "uint256"
            },
            {
              "internalType": "bytes32",
              "name": "chainId",
              "type": "bytes32"
            },
            {
              "internalType": "bytes32",
              "name": "currency",
              "type": "bytes32"
            },
            {
              "internalType": "uint256",
              "name": "minimumAmount",
              "type": "uint256"
            },
            {
              "internalType": "uint32",
              "name": "deadline",
              "type": "uint32"
            },
            {
              "internalType": "bytes32",
              "name": "extraData",
              "type": "bytes32"
            }
          ],
          "internalType": "struct Orders.RefundProof[]",
          "name": "proof",
          "type": "tuple[]"
        },
        {
          "internalType": "bytes",
          "name": "signature",
          "type": "bytes"
        }
      ],
      "name": "refund",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "payee",
          "type": "address"
        }
      ],
      "name": "removePayee",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "renounceOwnership",
      "outputs": [],
      "stateMutability": "pure",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "currency",
          "type": "address"
        }
      ],
      "name": "reserved",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "allocator_",
          "type": "address"
        }
      ],
      "name": "setAllocator",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "string",
          "name": "name",
          "type": "string"
        }
      ],
      "name": "setChainName",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "guardian_",
          "type": "address"
        }
      ],
      "name": "setGuardian",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "currency",
              "type": "address"
            },
            {
              "internalType": "uint256",
              "name": "amount",
              "type": "uint256"
            }
          ],
          "internalType": "struct OutflowLimit.Limit[]",
          "name": "limits",
          "type": "tuple[]"
        }
      ],
      "name": "setOutflowLimits",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "currency",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "payee",
              "type": "address"
            },
            {
              "components": [
                {
                  "components": [
                    {
                      "internalType": "bytes32",
                      "name": "orderId",
                      "type": "bytes32"
                    },
                    {
                      "internalType": "address",
                      "name": "depositor",
                      "type": "address"
                    },
                    {
                      "internalType": "address",
                      "name": "currency",
                      "type": "address"
                    },
                    {
                      "internalType": "uint256",
                      "name": "amount",
                      "type": "uint256"
                    },
                    {
                      "internalType": "uint256",
                      "name": "index",
                      "type": "uint256"
                    }
                  ],
                  "internalType": "struct Deposits.Deposit",
                  "name": "deposit",
                  "type": "tuple"
                },
                {
                  "internalType": "uint256",
                  "name": "owed",
                  "type": "uint256"
                },
                {
                  "components": [
                    {
                      "internalType": "address",
                      "name": "recipient",
                      "type": "address"
                    },
                    {
                      "internalType": "uint256",
                      "name": "amount",
                      "type": "uint256"
                    },
                    {
                      "components": [
                        {
                          "internalType": "uint256",
                          "name": "feeAt",
                          "type": "uint256"
                        },
                        {
                          "internalType": "uint256",
                          "name": "amount",
                          "type": "uint256"
                        }
                      ],
                      "internalType": "struct Orders.FeeProof",
                      "name": "proof",
                      "type": "tuple"
                    }
                  ],
                  "internalType": "struct Depository.AppFee[]",
                  "name": "fees",
                  "type": "tuple[]"
                },
                {
                  "components": [
                    {
                      "components": [
                        {
                          "internalType": "bytes32",
                          "name": "version",
                          "type": "bytes32"
                        },
                        {
                          "internalType": "bytes32",
                          "name": "solverChainId",
                          "type": "bytes32"
                        },
                        {
                          "internalType": "address",
                          "name": "solver",
                          "type": "address"
                        },
                        {
                          "internalType": "uint256",
                          "name": "salt",
                          "type": "uint256"
                        },
                        {
                          "internalType": "bytes32",
                          "name": "inputs",
                          "type": "bytes32"
                        },
                        {
                          "internalType": "bytes32",
                          "name": "output",
                          "type": "bytes32"
                        },
                        {
                          "internalType": "bytes32",
                          "name": "fees",
                          "type": "bytes32"
                        }
                      ],
                      "internalType": "struct Orders.OrderWords",
                      "name": "order",
                      "type": "tuple"
                    },
                    {
                      "internalType": "bytes32[]",
                      "name": "inputs",
                      "type": "bytes32[]"
                    },
                    {
                      "internalType": "uint256",
                      "name": "inputAt",
                      "type": "uint256"
                    },
                    {
                      "internalType": "bytes32",
                      "name": "chainId",
                      "type": "bytes32"
                    },
                    {
                      "internalType": "uint256",
                      "name": "amount",
                      "type": "uint256"
                    },
                    {
                      "internalType": "uint256",
                      "name": "weight",
                      "type": "uint256"
                    },
                    {
                      "internalType": "bytes32",
                      "name": "refunds",
                      "type": "bytes32"
                    },
                    {
                      "internalType": "bytes32[]",
                      "name": "fees",
                      "type": "bytes32[]"
                    }
                  ],
                  "internalType": "struct Orders.PaymentProof[]",
                  "name": "proof",
                  "type": "tuple[]"
                }
              ],
              "internalType": "struct Depository.Draw[]",
              "name": "draws",
              "type": "tuple[]"
            },
            {
              "internalType": "uint256",
              "name": "expiration",
              "type": "uint256"
            }
          ],
          "internalType": "struct Depository.Settlement",
          "name": "settlement",
          "type": "tuple"
        },
        {
          "internalType": "bytes",
          "name": "signature",
          "type": "bytes"
        }
      ],
      "name": "settle",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "newOwner",
          "type": "address"
        }
      ],
      "name": "transferOwnership",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "unpause",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "bytes32",
          "name": "txHash",
          "type": "bytes32"
        },
        {
          "internalType": "uint256",
          "name": "logIndex",
          "type": "uint256"
        }
      ],
      "name": "unrecordedPaid",
      "outputs": [
        {
          "internalType": "bool",
          "name": "",
          "type": "bool"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "stateMutability": "payable",
      "type": "receive"
    }
  ],
  "bytecode": "0x610180604052348015610010575f5ffd5b506040516155ba3803806155ba83398101604081905261002f9161077c565b868686866040518060400160405280600f81526020016e52656c61794465706f7369746f727960881b815250604051806040016040528060018152602001603160f81b815250858980608081815250505f5c5f5d5f5f5f5e506001600160a01b0381166100b657604051631e4fbdf760e01b81525f60048201526024015b60405180910390fd5b6100bf816101e6565b506100c982610202565b610140526100d681610202565b61016052815160208084019190912061010052815190820120610120524660c0526101646101005161012051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60a05250503060e0526101768361023f565b61017f826102f0565b5f5b81518110156101bb576101b382828151811061019f5761019f6108a4565b60200260200101514261033960201b60201c565b600101610181565b505050505081515f146101d1576101d182610391565b6101da816103d6565b50505050505050610950565b600680546001600160a01b03191690556101ff816104e1565b50565b5f5f829050601f8151111561022c578260405163305a27a960e01b81526004016100ad91906108b8565b8051610237826108ed565b179392505050565b6001600160a01b03811661026657604051633d9ba13d60e21b815260040160405180910390fd5b600980546001600160a01b0319166001600160a01b03831617905561028a81610532565b6009805460ff60a01b1916600160a01b9215158302179081905560405160ff9290910491909116151581526001600160a01b038216907fb52add5d9181a80e5dd11001c7bf377c7597a4e1c052ee3b90bc390f926db0329060200160405180910390a250565b600a80546001600160a01b0319166001600160a01b0383169081179091556040517fe6c09ffe4572dc9ceaa5ddde4ae41befa655d6fdfe8052077af0970f700e942e905f90a250565b6001600160a01b0382165f818152600d602052604090819020839055517f09baed3d4c12655cd5f7c13e514a1a96ecfff03a5b76b457554be23ccb62e861906103859084815260200190565b60405180910390a25050565b80516020820120600f556040517f118335147420a5a803a04bebd9d1a62511cd466d494a87265f861a70b40f0d85906103cb9083906108b8565b60405180910390a150565b5f5b81518110156104dd5761040d8282815181106103f6576103f66108a4565b60200260200101516020015161059b60201b60201c565b6001600160a01b031660035f84848151811061042b5761042b6108a4565b60200260200101515f01516001600160a01b03166001600160a01b031681526020019081526020015f208190555081818151811061046b5761046b6108a4565b60200260200101515f01516001600160a01b03167f26cac2e9612e94b80b6577cdc3d8d10bf30a8178a54657541eb742b7fbf87a9d8383815181106104b2576104b26108a4565b6020026020010151602001516040516104cd91815260200190565b60405180910390a26001016103d8565b5050565b600580546001600160a01b038381166001600160a01b0319831681179093556040519116919082907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0905f90a35050565b5f5f826001600160a01b0316803b806020016040519081016040528181525f908060200190933c905080515f0361056b57505f92915050565b80516017141580610594575061058081610913565b6001600160e81b03191662ef010060e81b14155b9392505050565b5f6001600160a01b038211156105ce576040516306dfcc6560e41b815260a06004820152602481018390526044016100ad565b5090565b80516001600160a01b03811681146105e8575f5ffd5b919050565b634e487b7160e01b5f52604160045260245ffd5b604080519081016001600160401b0381118282101715610623576106236105ed565b60405290565b604051601f8201601f191681016001600160401b0381118282101715610651576106516105ed565b604052919050565b5f6001600160401b03821115610671576106716105ed565b5060051b60200190565b5f82601f83011261068a575f5ffd5b81516001600160401b038111156106a3576106a36105ed565b6106b6601f8201601f1916602001610629565b8181528460208386010111156106ca575f5ffd5b8160208501602083015e5f918101602001919091529392505050565b5f82601f8301126106f5575f5ffd5b815161070861070382610659565b610629565b8082825260208201915060208360061b860101925085831115610729575f5ffd5b602085015b838110156107725760408188031215610745575f5ffd5b61074d610601565b610756826105d2565b815260208281015181830152908452929092019160400161072e565b5095945050505050565b5f5f5f5f5f5f5f60e0888a031215610792575f5ffd5b61079b886105d2565b96506107a9602089016105d2565b95506107b7604089016105d2565b60608901519095506001600160401b038111156107d2575f5ffd5b8801601f81018a136107e2575f5ffd5b80516107f061070382610659565b8082825260208201915060208360051b85010192508c831115610811575f5ffd5b6020840193505b8284101561083a57610829846105d2565b825260209384019390910190610818565b60808c015160a08d01519198509650925050506001600160401b03811115610860575f5ffd5b61086c8a828b0161067b565b60c08a015190935090506001600160401b03811115610889575f5ffd5b6108958a828b016106e6565b91505092959891949750929550565b634e487b7160e01b5f52603260045260245ffd5b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b8051602080830151919081101561090d575f198160200360031b1b821691505b50919050565b805160208201516001600160e81b0319811691906003821015610949576001600160e81b03196003838103901b81901b82161692505b5050919050565b60805160a05160c05160e05161010051610120516101405161016051614c086109b25f395f6125f701525f6125c701525f613cb101525f613c8901525f613be401525f613c0e01525f613c3801525f81816107920152611ae90152614c085ff3fe60806040526004361061026d575f3560e01c8063864a0dcf11610152578063cd2bc876116100ca578063dce59c001161007e578063e801795211610063578063e8017952146107f0578063ef5e59141461080f578063f2fde38b1461083a576102a4565b8063dce59c00146107b4578063e30c3978146107d3576102a4565b8063da748b10116100af578063da748b1014610741578063da9425e214610756578063dbc7563414610781576102a4565b8063cd2bc876146106ec578063d4570c1c1461070b576102a4565b8063925b555311610121578063b2f72e0611610106578063b2f72e061461068f578063bf83f2a2146106ae578063c0c41f22146106cd576102a4565b8063925b555314610651578063aa5dcecc14610670576102a4565b8063864a0dcf146105c757806387a6d651146105dc5780638a0dac4a146106155780638da5cb5b14610634576102a4565b806349290c1c116101e55780635f74d879116101b457806379ba50971161019957806379ba5097146105785780638456cb591461058c57806384b0196e146105a0576102a4565b80635f74d87914610523578063715018a614610564576102a4565b806349290c1c146104a75780634e59f5d8146104ba5780635a1ee3ac146104e55780635e1c75e114610504576102a4565b80633b76dd021161023c5780633ed35855116102215780633ed358551461043d5780633f4ba83a1461045c578063452a932014610470576102a4565b80633b76dd02146103ff5780633ca1b8fb1461041e576102a4565b806301e64725146102f35780630501939a1461039e57806305414ec0146103bd57806326dc9079146103e0576102a4565b366102a4576040517f783c318e00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b602036146102de576040517f783c318e00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6102f1336102ec365f614081565b610859565b005b3480156102fe575f5ffd5b5061036061030d3660046140bd565b5f6020819052908152604090205477ffffffffffffffffffffffffffffffffffffffffffffffff8116907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1682565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909316835267ffffffffffffffff9091166020830152015b60405180910390f35b3480156103a9575f5ffd5b506102f16103b8366004614105565b6108b2565b3480156103c8575f5ffd5b506103d2600c5481565b604051908152602001610395565b3480156103eb575f5ffd5b506103d26103fa366004614137565b610ab5565b34801561040a575f5ffd5b506102f1610419366004614195565b610af9565b348015610429575f5ffd5b506103d261043836600461422b565b610e78565b348015610448575f5ffd5b506102f1610457366004614137565b610eed565b348015610467575f5ffd5b506102f1610f02565b34801561047b575f5ffd5b50600a5461048f906001600160a01b031681565b6040516001600160a01b039091168152602001610395565b6102f16104b53660046142cb565b610f6a565b3480156104c5575f5ffd5b506103d26104d4366004614137565b60036020525f908152604090205481565b3480156104f0575f5ffd5b506102f16104ff3660046142f3565b610f7c565b34801561050f575f5ffd5b506102f161051e36600461432d565b611015565b34801561052e575f5ffd5b506009546105549074010000000000000000000000000000000000000000900460ff1681565b6040519015158152602001610395565b34801561056f575f5ffd5b506102f161110b565b348015610583575f5ffd5b506102f161113d565b348015610597575f5ffd5b506102f1611197565b3480156105ab575f5ffd5b506105b4611242565b604051610395979695949392919061439b565b3480156105d2575f5ffd5b506103d2600f5481565b3480156105e7575f5ffd5b506105546105f636600461444d565b600e60209081525f928352604080842090915290825290205460ff1681565b348015610620575f5ffd5b506102f161062f366004614137565b6112a0565b34801561063f575f5ffd5b506005546001600160a01b031661048f565b34801561065c575f5ffd5b506102f161066b36600461446d565b6112b1565b34801561067b575f5ffd5b5060095461048f906001600160a01b031681565b34801561069a575f5ffd5b506102f16106a936600461452a565b6115a4565b3480156106b9575f5ffd5b506102f16106c8366004614137565b611606565b3480156106d8575f5ffd5b506102f16106e736600461459b565b611617565b3480156106f7575f5ffd5b506102f16107063660046145da565b61165d565b348015610716575f5ffd5b506103d261072536600461462e565b600160209081525f928352604080842090915290825290205481565b34801561074c575f5ffd5b506103d2600b5481565b348015610761575f5ffd5b506103d2610770366004614137565b60026020525f908152604090205481565b34801561078c575f5ffd5b506103d27f000000000000000000000000000000000000000000000000000000000000000081565b3480156107bf575f5ffd5b506102f16107ce366004614137565b611926565b3480156107de575f5ffd5b506006546001600160a01b031661048f565b3480156107fb575f5ffd5b506102f161080a366004614656565b611962565b34801561081a575f5ffd5b506103d2610829366004614137565b600d6020525f908152604090205481565b348015610845575f5ffd5b506102f1610854366004614137565b61197c565b604080516001600160a01b03841681523460208201529081018290527f8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e34779060600160405180910390a16108ae825f3484611a05565b5050565b6108ba611c22565b5f6108cd6104383685900385018561422b565b5f8181526020818152604080832081518083019092525477ffffffffffffffffffffffffffffffffffffffffffffffff8116808352780100000000000000000000000000000000000000000000000090910467ffffffffffffffff16928201929092529293509003610973576040517fce7631fe000000000000000000000000000000000000000000000000000000008152600481018390526024015b60405180910390fd5b806020015167ffffffffffffffff164210156109cd5760208101516040517f2a35a32400000000000000000000000000000000000000000000000000000000815267ffffffffffffffff909116600482015260240161096a565b6109e66109e06040860160208701614137565b84611c57565b5f828152602081815260409182902080547fffffffffffffffff0000000000000000000000000000000000000000000000001690558251915177ffffffffffffffffffffffffffffffffffffffffffffffff90921682526001600160a01b0385169184917f4ad741c107ff401773fca1013a2dcce72a6b829e4b4683e6125696b5dd07b15c910160405180910390a3610aab610a886060860160408701614137565b8251859077ffffffffffffffffffffffffffffffffffffffffffffffff16611cc4565b50506108ae611d1c565b6001600160a01b0381165f9081526003602052604081205481610ad88483611d46565b9050818110610ae7575f610af1565b610af181836146c2565b949350505050565b610b01611c22565b610b19610b0d84611e35565b84608001358484611fe8565b5f8080610b2c6060870160408801614137565b86355f818152600e60209081526040808320828c0135808552925290912054929550909350915060ff1615610b96576040517eee2956000000000000000000000000000000000000000000000000000000008152600481018390526024810182905260440161096a565b5f828152600e60209081526040808320848452909152812080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00166001179055805b610be660608901896146d5565b9050811015610c2b57610bfc60608901896146d5565b82818110610c0c57610c0c614739565b9050604002016020013582610c219190614766565b9150600101610bd9565b506001600160a01b0384165f818152600260205260408082205490517f70a08231000000000000000000000000000000000000000000000000000000008152306004820152919290916370a0823190602401602060405180830381865afa158015610c98573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610cbc9190614779565b610cc691906146c2565b905080821115610d14576040517f324d1fbf0000000000000000000000000000000000000000000000000000000081526001600160a01b03861660048201526024810182905260440161096a565b610d1e85836120e7565b610d6f5784610d2c86610ab5565b6040517fd393c4cb0000000000000000000000000000000000000000000000000000000081526001600160a01b039092166004830152602482015260440161096a565b6001600160a01b0385165f9081526002602052604081208054849290610d96908490614766565b92505081905550846001600160a01b031683857f3cd3ef084c965559733c3eb57698eaa15794be9d5a3ff3fe2a53612aa77a016685604051610dda91815260200190565b60405180910390a45f5b610df160608a018a6146d5565b9050811015610e6557610e5d86610e0b60608c018c6146d5565b84818110610e1b57610e1b614739565b610e319260206040909202019081019150614137565b610e3e60608d018d6146d5565b85818110610e4e57610e4e614739565b905060400201602001356121c0565b600101610de4565b505050505050610e73611d1c565b505050565b5f81604051602001610ed091905f60a082019050825182526001600160a01b0360208401511660208301526001600160a01b036040840151166040830152606083015160608301526080830151608083015292915050565b604051602081830303815290604052805190602001209050919050565b610ef56122f6565b610eff815f61233c565b50565b600a546001600160a01b03163314801590610f2857506005546001600160a01b03163314155b15610f5f576040517f79a0f11900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b610f6842612394565b565b6108ae610f76836123d0565b82610859565b610e73610f88846123d0565b6040517fdd62ed3e00000000000000000000000000000000000000000000000000000000815233600482015230602482015284906001600160a01b0382169063dd62ed3e90604401602060405180830381865afa158015610feb573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061100f9190614779565b846123ed565b61101d611c22565b6110278282611c57565b6001600160a01b038381165f9081526001602090815260408083209386168352929052908120805490829055908190036110a0576040517ff81d1d880000000000000000000000000000000000000000000000000000000081526001600160a01b0380861660048301528416602482015260440161096a565b816001600160a01b0316836001600160a01b0316856001600160a01b03167f913c992353dc81b7a8ba31496c484e9b6306bd2f6c509a649a38fdf5e1c953b2846040516110ef91815260200190565b60405180910390a4611102848383611cc4565b50610e73611d1c565b6040517fc5fea89800000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b60065433906001600160a01b0316811461118e576040517f118cdaa70000000000000000000000000000000000000000000000000000000081526001600160a01b038216600482015260240161096a565b610eff8161258f565b600a546001600160a01b031633146111db576040517f79a0f11900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600c5442101561121d57600c546040517ff2b950b200000000000000000000000000000000000000000000000000000000815260040161096a91815260200190565b61122a6212750042614766565b600c55610f6861123d6203f48042614766565b612394565b5f6060805f5f5f60606112536125c0565b61125b6125f0565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b6112a86122f6565b610eff8161261b565b6112b9611c22565b5f6112cc6104383688900388018861422b565b90506112e86112db878361267c565b8761014001358585611fe8565b5f806112fa6060890160408a01614137565b61130a60e08a0160c08b01614137565b909250905061131f6040890160208a01614137565b6001600160a01b0316816001600160a01b03161461136e5761136e885f015f01358383600f548b8b5f81811061135757611357614739565b90506020028101906113699190614790565b61273b565b60a088013515806113aa57505f8381526020819052604090205477ffffffffffffffffffffffffffffffffffffffffffffffff1660a089013514155b156113e4576040517fce7631fe0000000000000000000000000000000000000000000000000000000081526004810184905260240161096a565b61012088013560a08901356113fd8260e08c0135614766565b1115611438576040517fd946c6980000000000000000000000000000000000000000000000000000000081526004810185905260240161096a565b80156114c7576114586114536101208b016101008c01614137565b612a02565b61146283826120e7565b61146957505f5b6001600160a01b0383165f90815260016020526040812082916114946101208d016101008e01614137565b6001600160a01b03166001600160a01b031681526020019081526020015f205f8282546114c19190614766565b90915550505b806114da60e08b013560a08c01356146c2565b6114e491906146c2565b5f858152602081815260409182902080547fffffffffffffffff0000000000000000000000000000000000000000000000001677ffffffffffffffffffffffffffffffffffffffffffffffff9490941693909317909255805160e08c013581529182018390526001600160a01b0384169186917f3dac79845d4b63cb85d1a68582c461c6298fbd26cfacd8a88d0f145fc39340ef910160405180910390a361159183838b60e001356121c0565b5050505061159d611d1c565b5050505050565b6115ac6122f6565b6108ae8282808060200260200160405190810160405280939291908181526020015f905b828210156115fc576115ed604083028601368190038101906147cc565b815260200190600101906115d0565b5050505050612a68565b61160e6122f6565b610eff81612b69565b61161f6122f6565b6108ae82828080601f0160208091040260200160405190810160405280939291908181526020018383808284375f92019190915250612c7792505050565b611665611c22565b61167d61167184612cb1565b84606001358484611fe8565b5f8061168c6020860186614137565b61169c6040870160208801614137565b915091506116a981612a02565b5f5f5f5f5b6116bb60408a018a614847565b905081101561187757366116d260408b018b614847565b838181106116e2576116e2614739565b90506020028101906116f491906148ab565b90505f6117096104383684900384018461422b565b90506001600160a01b0388166117256060840160408501614137565b6001600160a01b031614611768576040517fe5da9f920000000000000000000000000000000000000000000000000000000081526004810182905260240161096a565b60a082013515806117a457505f8181526020819052604090205477ffffffffffffffffffffffffffffffffffffffffffffffff1660a083013514155b156117b057505061186f565b5f81815260208190526040902080547fffffffffffffffff0000000000000000000000000000000000000000000000001690556117f160a083013587614766565b9550846117fd816148dd565b95505061180a8183612fec565b6118189060a08401356146c2565b6118229085614766565b9350866001600160a01b0316817fb79bedda498c1cccf46fe8f24a27a5405a25186994fc12cfd72886efa2ba91418460a0013560405161186491815260200190565b60405180910390a350505b6001016116ae565b50825f036118b1576040517f797dba5400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f826001146118c9576118c486856120e7565b6118d3565b6118d386856131c6565b9050806118e45785610d2c87610ab5565b6001600160a01b038087165f90815260016020908152604080832093891683529290529081208054919055610e6590879087906119219086614766565b611cc4565b61192e6122f6565b6001600160a01b0381165f908152600d60205260408120549003610eff57610eff8161195d6202a30042614766565b61233c565b61197661196e856123d0565b8484846123ed565b50505050565b6119846122f6565b600680546001600160a01b0383167fffffffffffffffffffffffff000000000000000000000000000000000000000090911681179091556119cd6005546001600160a01b031690565b6001600160a01b03167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e2270060405160405180910390a350565b815f03611a3e576040517f69b95dc900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f6040518060a00160405280838152602001866001600160a01b03168152602001856001600160a01b031681526020018481526020015f81525090505f611a8482610e78565b90505b5f818152602081905260409020547801000000000000000000000000000000000000000000000000900467ffffffffffffffff1615611ae35760808201805190611ad0826148dd565b905250611adc82610e78565b9050611a87565b5f611b0e7f000000000000000000000000000000000000000000000000000000000000000042614766565b90506040518060400160405280611b2487613225565b77ffffffffffffffffffffffffffffffffffffffffffffffff168152602001611b4c83613286565b67ffffffffffffffff9081169091525f8481526020818152604080832085519583015190941678010000000000000000000000000000000000000000000000000277ffffffffffffffffffffffffffffffffffffffffffffffff909516949094179092556001600160a01b038916815260029091529081208054879290611bd4908490614766565b90915550506080830151604080519182526020820183905283917f46c2216241d96d6e66d4c4167daf35ec8128f071fa007461204724ff5f7b35d8910160405180910390a250505050505050565b611c2a6132d5565b610f6860017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b9061332e565b816001600160a01b0316816001600160a01b031614158015611c825750336001600160a01b03831614155b156108ae576040517f8b23b00e0000000000000000000000000000000000000000000000000000000081526001600160a01b038316600482015260240161096a565b6001600160a01b0383165f9081526002602052604081208054839290611ceb9084906146c2565b90915550506001600160a01b038316611d0857610e738282613335565b610e736001600160a01b03841683836133da565b610f685f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00611c51565b6001600160a01b0382165f90815260046020908152604080832081518083019092525477ffffffffffffffffffffffffffffffffffffffffffffffff811682527801000000000000000000000000000000000000000000000000900467ffffffffffffffff16918101829052908290610e1090611dc390426146c2565b611dcd9086614914565b611dd79190614958565b905080825f015177ffffffffffffffffffffffffffffffffffffffffffffffff1611611e03575f611e2a565b8151611e2a90829077ffffffffffffffffffffffffffffffffffffffffffffffff166146c2565b925050505b92915050565b5f80611e4460608401846146d5565b905067ffffffffffffffff811115611e5e57611e5e6141fe565b604051908082528060200260200182016040528015611e87578160200160208202803683370190505b5090505f5b8151811015611f25577fdb67adb4efd6ae16ace0713aeb18100134fff9487228b793b8dc1e70c20eceee611ec360608601866146d5565b83818110611ed357611ed3614739565b905060400201604051602001611eea92919061496b565b60405160208183030381529060405280519060200120828281518110611f1257611f12614739565b6020908102919091010152600101611e8c565b505f81604051602001611f38919061499d565b6040516020818303038152906040528051906020012090507f1b0353f6d263f9cd589cf9256b1a283f56a0e7f0fb3697b4679aefbc659596ec845f01358560200135866040016020810190611f8d9190614137565b60408051602081019590955284019290925260608301526001600160a01b031660808281019190915260a0820183905285013560c082015260e0015b6040516020818303038152906040528051906020012092505050919050565b600b5442101561202a57600b546040517f8b00ce4800000000000000000000000000000000000000000000000000000000815260040161096a91815260200190565b82421115612067576040517ff80dbaea0000000000000000000000000000000000000000000000000000000081526004810184905260240161096a565b5f61207185613428565b60095490915074010000000000000000000000000000000000000000900460ff166120a6576120a181848461346f565b6120b1565b6120b18184846134bc565b61159d576040517f8baa579f00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f6120f183610ab5565b8211156120ff57505f611e2f565b6001600160a01b0383165f908152600360205260408120548390612124908690611d46565b61212e9190614766565b9050604051806040016040528061214483613225565b77ffffffffffffffffffffffffffffffffffffffffffffffff908116825267ffffffffffffffff4281166020938401526001600160a01b0388165f908152600484526040902084519490930151167801000000000000000000000000000000000000000000000000029216919091179055506001905092915050565b6001600160a01b0383165f90815260026020526040812080548392906121e79084906146c2565b90915550506001600160a01b038316155f5a9050816122105761220b8585856134d6565b61221a565b61221a848461358d565b15612226575050505050565b5f61c350836122385762030d4061223c565b61c3505b6122469190614766565b905080612254604084614958565b61225e90846146c2565b1015612296576040517f5dd42bb600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6122a186868661359f565b846001600160a01b0316866001600160a01b03167fcceda04bf5b3b12ed328861c4d5132ccde0b298bd9775393c6d7db3357c1dab5866040516122e691815260200190565b60405180910390a3505050505050565b6005546001600160a01b03163314610f68576040517f118cdaa700000000000000000000000000000000000000000000000000000000815233600482015260240161096a565b6001600160a01b0382165f818152600d602052604090819020839055517f09baed3d4c12655cd5f7c13e514a1a96ecfff03a5b76b457554be23ccb62e861906123889084815260200190565b60405180910390a25050565b600b8190556040518181527f32fb7c9891bc4f963c7de9f1186d2a7755c7d6e9f4604dabe1d8bb3027c2f49e906020015b60405180910390a150565b5f6001600160a01b038216156123e65781611e2f565b3392915050565b6123f5611c22565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038516906370a0823190602401602060405180830381865afa158015612452573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906124769190614779565b905061248d6001600160a01b03851633308661360b565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f9082906001600160a01b038716906370a0823190602401602060405180830381865afa1580156124ec573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906125109190614779565b61251a91906146c2565b9050838111156125275750825b604080516001600160a01b03808916825287166020820152908101829052606081018490527f49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e19060800160405180910390a161258586868386611a05565b5050611976611d1c565b600680547fffffffffffffffffffffffff0000000000000000000000000000000000000000169055610eff8161365a565b60606125eb7f00000000000000000000000000000000000000000000000000000000000000006136c3565b905090565b60606125eb7f00000000000000000000000000000000000000000000000000000000000000006136c3565b600a80547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0383169081179091556040517fe6c09ffe4572dc9ceaa5ddde4ae41befa655d6fdfe8052077af0970f700e942e905f90a250565b5f7fa22da759469cc28cac47fe97347c8748e860102995362a0b8cdc7e1aa6e25f5a8260a08501356126b460e0870160c08801614137565b60e08701356126cb61012089016101008a01614137565b60408051602081019790975286019490945260608501929092526001600160a01b03908116608085015260a08401919091521660c08201526101208085013560e0830152610140850135610100830152015b60405160208183030381529060405280519060200120905092915050565b5f61274585613700565b90505f81836101200135141580612761575081836101e0013514155b905083836101c0013514158061278d5750600161278160e0850185614847565b905011801561278d5750805b156127c7576040517f2aef718d0000000000000000000000000000000000000000000000000000000081526004810188905260240161096a565b604080517f66edc7ab4e5f0ad0adad21638ffff360dbf956d89a28f9ec6cdd3e7a123bb4eb60208201529081018590526101208401356060820152610140840135608082015261016084013560a08201525f9060c0016040516020818303038152906040528051906020012090505f7f9f8e11410c9bfb023e54a2bfcc41ef4f8db1fe4bb5db7873169ff3aead2bf0e2856101c0013561286689613700565b6101e08801356102008901356128846102408b016102208c016149d2565b6040805160208101979097528601949094526060850192909252608084015260a083015263ffffffff1660c082015261024086013560e08201526101000160408051601f19818403018152919052805160209091012090505f7fc5b0643c7427e4816be79fd8064fc108fc7c5aefbe7016b1eeeb150228f93745836129156129106101808a018a614847565b613739565b604080516020810194909452830191909152606082015260800160408051601f19818403018152919052805160209091012090505f61296761295b610180890189614847565b896101a001358661374d565b801561298a575061298a61297e60e0890189614847565b8961010001358561374d565b80156129a8575060808701356129a661291060e08a018a614847565b145b80156129b957506129b98b8861377d565b9050806129f5576040517fd50a69df000000000000000000000000000000000000000000000000000000008152600481018c905260240161096a565b5050505050505050505050565b6001600160a01b0381165f908152600d6020526040902054801580612a2657508042105b156108ae576040517f3b99e8f50000000000000000000000000000000000000000000000000000000081526001600160a01b038316600482015260240161096a565b5f5b81518110156108ae57612a99828281518110612a8857612a88614739565b6020026020010151602001516137d1565b6001600160a01b031660035f848481518110612ab757612ab7614739565b60200260200101515f01516001600160a01b03166001600160a01b031681526020019081526020015f2081905550818181518110612af757612af7614739565b60200260200101515f01516001600160a01b03167f26cac2e9612e94b80b6577cdc3d8d10bf30a8178a54657541eb742b7fbf87a9d838381518110612b3e57612b3e614739565b602002602001015160200151604051612b5991815260200190565b60405180910390a2600101612a6a565b6001600160a01b038116612ba9576040517ff66e84f400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600980547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b038316179055612be58161381d565b600980547fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff16740100000000000000000000000000000000000000009215158302179081905560405160ff9290910491909116151581526001600160a01b038216907fb52add5d9181a80e5dd11001c7bf377c7597a4e1c052ee3b90bc390f926db0329060200160405180910390a250565b80516020820120600f556040517f118335147420a5a803a04bebd9d1a62511cd466d494a87265f861a70b40f0d85906123c59083906149f5565b5f80612cc06040840184614847565b905067ffffffffffffffff811115612cda57612cda6141fe565b604051908082528060200260200182016040528015612d03578160200160208202803683370190505b5090505f5b8151811015612f455736612d1f6040860186614847565b83818110612d2f57612d2f614739565b9050602002810190612d4191906148ab565b90505f612d5160c0830183614a07565b905067ffffffffffffffff811115612d6b57612d6b6141fe565b604051908082528060200260200182016040528015612d94578160200160208202803683370190505b5090505f5b8151811015612e84577f62234df1b8319b8247e451849a8c1fd91ab6ceee2952f785240e81e323f013b5612dd060c0850185614a07565b83818110612de057612de0614739565b612df69260206080909202019081019150614137565b612e0360c0860186614a07565b84818110612e1357612e13614739565b90506080020160200135604051602001612e49939291909283526001600160a01b03919091166020830152604082015260600190565b60405160208183030381529060405280519060200120828281518110612e7157612e71614739565b6020908102919091010152600101612d99565b505f612e986104383685900385018561422b565b90507f1292b2ecd962e5909706a4a6ec637e4d5df0f3e2ef1aad09734060ba2fa22c52818460a0013584604051602001612ed2919061499d565b60408051601f198184030181528282528051602091820120908301959095528101929092526060820152608081019190915260a00160405160208183030381529060405280519060200120858581518110612f2f57612f2f614739565b6020908102919091010152505050600101612d08565b505f81604051602001612f58919061499d565b60408051601f19818403018152919052805160209182012091507fad7a46fad8555b831ed9ffe17798ce5e5abb7fff45883402b25da648ebbd984990612fa090860186614137565b612fb06040870160208801614137565b6040805160208101949094526001600160a01b0392831690840152166060828101919091526080820183905285013560a082015260c001611fc9565b5f8181805b612ffe60c0860186614a07565b90508110156131bd573661301560c0870187614a07565b8381811061302557613025614739565b905060800201905036868060e0019061303e9190614847565b5f81811061304e5761304e614739565b90506020028101906130609190614a6b565b9050825f0361308457613084853561307e6060880160408901614137565b8361389b565b6130b085356130996060880160408901614137565b6130a66020860186614137565b8560400185613a1d565b5f6130cb606080850135908801356101408501356001613afb565b905060408301358511806130e25750808360200135115b1561312657604080517fab9b7434000000000000000000000000000000000000000000000000000000008152600481018b905290840135602482015260440161096a565b61313560408401356001614766565b9450613145602084013588614766565b96508760a00135871115613188576040517fd946c698000000000000000000000000000000000000000000000000000000008152600481018a905260240161096a565b6131b261319b6060880160408901614137565b6131a86020860186614137565b85602001356121c0565b505050600101612ff1565b50505092915050565b6001600160a01b0382165f9081526003602052604081205480831115806131eb575080155b806131fe57506131fb8482611d46565b15155b156132155761320d84846120e7565b915050611e2f565b6040518060400160405280612144855b5f77ffffffffffffffffffffffffffffffffffffffffffffffff821115613282576040517f6dfcc65000000000000000000000000000000000000000000000000000000000815260c060048201526024810183905260440161096a565b5090565b5f67ffffffffffffffff82111561328257604080517f6dfcc65000000000000000000000000000000000000000000000000000000000815260048101919091526024810183905260440161096a565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c15610f68576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b80471015613378576040517fcf4791810000000000000000000000000000000000000000000000000000000081524760048201526024810182905260440161096a565b613391828260405180602001604052805f815250613b3d565b1561339a575050565b3d156133a8576108ae613b52565b6040517fd6bda27500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6133e78383836001613b5d565b610e73576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161096a565b5f611e2f613434613bd8565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f5f5f61347d868686613d01565b5090925090505f81600381111561349657613496614a9d565b1480156134b057506009546001600160a01b038381169116145b925050505b9392505050565b6009545f90610af1906001600160a01b0316858585613d48565b6040516001600160a01b0383166024820152604481018290525f90819060640160408051601f19818403018152919052602080820180517bffffffffffffffffffffffffffffffffffffffffffffffffffffffff167fa9059cbb00000000000000000000000000000000000000000000000000000000178152825192935090915f91828962030d40f191503d801561357b5760015f5114601f3d111683169250613584565b5f863b11831692505b50509392505050565b5f5f5f5f5f858761c350f19392505050565b6001600160a01b038084165f908152600160209081526040808320938616835292905290812080548392906135d5908490614766565b90915550506001600160a01b0383165f9081526002602052604081208054839290613601908490614766565b9091555050505050565b613619848484846001613dcb565b611976576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b038516600482015260240161096a565b600580546001600160a01b038381167fffffffffffffffffffffffff0000000000000000000000000000000000000000831681179093556040519116919082907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0905f90a35050565b60605f6136cf83613e51565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b6040517fffffffffffffffffffffffffffffffffffffffff000000000000000000000000606083901b1660208201525f90603401610ed0565b5f828260405160200161271d929190614aca565b5f838310801561377457508185858581811061376b5761376b614739565b90506020020135145b95945050505050565b5f827fee05e73da8f2fce11d34a78a39998b4dd8a56c6298aa9ad2870c3f9a2821dc8e836040516020016137b2929190614b0a565b6040516020818303038152906040528051906020012014905092915050565b5f6001600160a01b03821115613282576040517f6dfcc65000000000000000000000000000000000000000000000000000000000815260a060048201526024810183905260440161096a565b5f5f826001600160a01b0316803b806020016040519081016040528181525f908060200190933c905080515f0361385657505f92915050565b805160171415806134b5575061386b81614b7b565b7cffffffffffffffffffffffffffffffffffffffffffffffffffffffffff191662ef010060e81b14159392505050565b5f7f66edc7ab4e5f0ad0adad21638ffff360dbf956d89a28f9ec6cdd3e7a123bb4eb8261012001356138cc85613700565b6040805160208101949094528301919091526060820152610140830135608082015261016083013560a082015260c00160408051601f1981840301815282825280516020918201207fc5b0643c7427e4816be79fd8064fc108fc7c5aefbe7016b1eeeb150228f9374591840191909152908201819052610180840135606083015291505f9060800160408051601f19818403018152919052805160209091012090505f61398b61397f60e0860186614847565b8661010001358561374d565b80156139a9575060808401356139a761291060e0870187614847565b145b80156139c8575060c08401356139c66129106101a0870187614847565b145b80156139d957506139d9868561377d565b905080613a15576040517fd50a69df0000000000000000000000000000000000000000000000000000000081526004810187905260240161096a565b505050505050565b5f7f5e1420e6482d4138dbc016fa378f064eb120b8b82c866fbb1da0b68c92f8abae826101200135613a4e86613700565b846101200135613a5d89613700565b60408051602081810197909752908101949094526060840192909252608083015260a08201529084013560c082015260e00160408051601f1981840301815291905280516020909101209050613ac2613aba6101a0840184614847565b85358461374d565b613a15576040517fd50a69df0000000000000000000000000000000000000000000000000000000081526004810187905260240161096a565b5f613b28613b0883613e91565b8015613b2357505f8480613b1e57613b1e61492b565b868809115b151590565b613b33868686613ebd565b6137749190614766565b5f5f5f83516020850186885af1949350505050565b6040513d5f823e3d81fd5b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f51148316613bcc578383151615613bc0573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f306001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016148015613c3057507f000000000000000000000000000000000000000000000000000000000000000046145b15613c5a57507f000000000000000000000000000000000000000000000000000000000000000090565b6125eb604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f80806041849003613d35578435602086013560408701355f1a613d2789828585613f6d565b955095509550505050613d3f565b505f915060029050825b93509350939050565b604080517f1626ba7e00000000000000000000000000000000000000000000000000000000808252600482018690526024820192909252604481018390525f91908390818660648301375f82606483010152601f820160051c60051b915060205f60648401838b5afa9050825f5114601f3d111681169350505050949350505050565b6040517f23b872dd000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038781166004528616602452604485905291602083606481808c5af1925060015f51148316613e40578383151615613e34573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b5f60ff8216601f811115611e2f576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f6002826003811115613ea657613ea6614a9d565b613eb09190614be7565b60ff166001149050919050565b5f5f5f613eca8686614035565b91509150815f03613eee57838181613ee457613ee461492b565b04925050506134b5565b818411613f0557613f056003851502601118614070565b5f848688095f868103871696879004966002600389028118808a02820302808a02820302808a02820302808a02820302808a02820302808a02909103029181900381900460010185841190960395909502919093039390930492909217029150509392505050565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0841115613fa657505f9150600390508261402b565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015613ff7573d5f5f3e3d5ffd5b5050604051601f1901519150506001600160a01b03811661402257505f92506001915082905061402b565b92505f91508190505b9450945094915050565b5f807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83850993909202808410938190039390930393915050565b634e487b715f52806020526024601cfd5b80356020831015611e2f577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff602084900360031b1b1692915050565b5f602082840312156140cd575f5ffd5b5035919050565b5f60a082840312156140e4575f5ffd5b50919050565b80356001600160a01b0381168114614100575f5ffd5b919050565b5f5f60c08385031215614116575f5ffd5b61412084846140d4565b915061412e60a084016140ea565b90509250929050565b5f60208284031215614147575f5ffd5b6134b5826140ea565b5f5f83601f840112614160575f5ffd5b50813567ffffffffffffffff811115614177575f5ffd5b60208301915083602082850101111561418e575f5ffd5b9250929050565b5f5f5f604084860312156141a7575f5ffd5b833567ffffffffffffffff8111156141bd575f5ffd5b6141c9868287016140d4565b935050602084013567ffffffffffffffff8111156141e5575f5ffd5b6141f186828701614150565b9497909650939450505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f60a082840312801561423c575f5ffd5b5060405160a0810167ffffffffffffffff81118282101715614285577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405282358152614298602084016140ea565b60208201526142a9604084016140ea565b6040820152606083810135908201526080928301359281019290925250919050565b5f5f604083850312156142dc575f5ffd5b6142e5836140ea565b946020939093013593505050565b5f5f5f60608486031215614305575f5ffd5b61430e846140ea565b925061431c602085016140ea565b929592945050506040919091013590565b5f5f5f6060848603121561433f575f5ffd5b614348846140ea565b9250614356602085016140ea565b9150614364604085016140ea565b90509250925092565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f6143d560e083018961436d565b82810360408401526143e7818961436d565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b8181101561443c57835183526020938401939092019160010161441e565b50909b9a5050505050505050505050565b5f5f6040838503121561445e575f5ffd5b50508035926020909101359150565b5f5f5f5f5f8587036101a0811215614483575f5ffd5b610160811215614491575f5ffd5b5085945061016086013567ffffffffffffffff8111156144af575f5ffd5b8601601f810188136144bf575f5ffd5b803567ffffffffffffffff8111156144d5575f5ffd5b8860208260051b84010111156144e9575f5ffd5b6020919091019450925061018086013567ffffffffffffffff81111561450d575f5ffd5b61451988828901614150565b969995985093965092949392505050565b5f5f6020838503121561453b575f5ffd5b823567ffffffffffffffff811115614551575f5ffd5b8301601f81018513614561575f5ffd5b803567ffffffffffffffff811115614577575f5ffd5b8560208260061b840101111561458b575f5ffd5b6020919091019590945092505050565b5f5f602083850312156145ac575f5ffd5b823567ffffffffffffffff8111156145c2575f5ffd5b6145ce85828601614150565b90969095509350505050565b5f5f5f604084860312156145ec575f5ffd5b833567ffffffffffffffff811115614602575f5ffd5b840160808187031215614613575f5ffd5b9250602084013567ffffffffffffffff8111156141e5575f5ffd5b5f5f6040838503121561463f575f5ffd5b614648836140ea565b915061412e602084016140ea565b5f5f5f5f60808587031215614669575f5ffd5b614672856140ea565b9350614680602086016140ea565b93969395505050506040820135916060013590565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b81810381811115611e2f57611e2f614695565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112614708575f5ffd5b83018035915067ffffffffffffffff821115614722575f5ffd5b6020019150600681901b360382131561418e575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b80820180821115611e2f57611e2f614695565b5f60208284031215614789575f5ffd5b5051919050565b5f82357ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffda18336030181126147c2575f5ffd5b9190910192915050565b5f60408284031280156147dd575f5ffd5b506040805190810167ffffffffffffffff81118282101715614826577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b604052614832836140ea565b81526020928301359281019290925250919050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe184360301811261487a575f5ffd5b83018035915067ffffffffffffffff821115614894575f5ffd5b6020019150600581901b360382131561418e575f5ffd5b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff018336030181126147c2575f5ffd5b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff820361490d5761490d614695565b5060010190565b8082028115828204841417611e2f57611e2f614695565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b5f826149665761496661492b565b500490565b828152606081016001600160a01b03614983846140ea565b166020838101919091529290920135604090910152919050565b81515f90829060208501835b828110156149c75781518452602093840193909101906001016149a9565b509195945050505050565b5f602082840312156149e2575f5ffd5b813563ffffffff811681146134b5575f5ffd5b602081525f6134b5602083018461436d565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112614a3a575f5ffd5b83018035915067ffffffffffffffff821115614a54575f5ffd5b6020019150600781901b360382131561418e575f5ffd5b5f82357ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe418336030181126147c2575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b5f7f07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff831115614af7575f5ffd5b8260051b80858437919091019392505050565b82815281356020808301919091528201356040808301919091526101008201906001600160a01b0390614b3e9085016140ea565b1660608381019190915283013560808084019190915283013560a08084019190915283013560c0808401919091529092013560e090910152919050565b805160208201517fffffff0000000000000000000000000000000000000000000000000000000000811691906003821015614be0577fffffff0000000000000000000000000000000000000000000000000000000000808360030360031b1b82161692505b5050919050565b5f60ff831680614bf957614bf961492b565b8060ff8416069150509291505056",
  "deployedBytecode": "0x60806040526004361061026d575f3560e01c8063864a0dcf11610152578063cd2bc876116100ca578063dce59c001161007e578063e801795211610063578063e8017952146107f0578063ef5e59141461080f578063f2fde38b1461083a576102a4565b8063dce59c00146107b4578063e30c3978146107d3576102a4565b8063da748b10116100af578063da748b1014610741578063da9425e214610756578063dbc7563414610781576102a4565b8063cd2bc876146106ec578063d4570c1c1461070b576102a4565b8063925b555311610121578063b2f72e0611610106578063b2f72e061461068f578063bf83f2a2146106ae578063c0c41f22146106cd576102a4565b8063925b555314610651578063aa5dcecc14610670576102a4565b8063864a0dcf146105c757806387a6d651146105dc5780638a0dac4a146106155780638da5cb5b14610634576102a4565b806349290c1c116101e55780635f74d879116101b457806379ba50971161019957806379ba5097146105785780638456cb591461058c57806384b0196e146105a0576102a4565b80635f74d87914610523578063715018a614610564576102a4565b806349290c1c146104a75780634e59f5d8146104ba5780635a1ee3ac146104e55780635e1c75e114610504576102a4565b80633b76dd021161023c5780633ed35855116102215780633ed358551461043d5780633f4ba83a1461045c578063452a932014610470576102a4565b80633b76dd02146103ff5780633ca1b8fb1461041e576102a4565b806301e64725146102f35780630501939a1461039e57806305414ec0146103bd57806326dc9079146103e0576102a4565b366102a4576040517f783c318e00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b602036146102de576040517f783c318e00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6102f1336102ec365f614081565b610859565b005b3480156102fe575f5ffd5b5061036061030d3660046140bd565b5f6020819052908152604090205477ffffffffffffffffffffffffffffffffffffffffffffffff8116907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1682565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909316835267ffffffffffffffff9091166020830152015b60405180910390f35b3480156103a9575f5ffd5b506102f16103b8366004614105565b6108b2565b3480156103c8575f5ffd5b506103d2600c5481565b604051908152602001610395565b3480156103eb575f5ffd5b506103d26103fa366004614137565b610ab5565b34801561040a575f5ffd5b506102f1610419366004614195565b610af9565b348015610429575f5ffd5b506103d261043836600461422b565b610e78565b348015610448575f5ffd5b506102f1610457366004614137565b610eed565b348015610467575f5ffd5b506102f1610f02565b34801561047b575f5ffd5b50600a5461048f906001600160a01b031681565b6040516001600160a01b039091168152602001610395565b6102f16104b53660046142cb565b610f6a565b3480156104c5575f5ffd5b506103d26104d4366004614137565b60036020525f908152604090205481565b3480156104f0575f5ffd5b506102f16104ff3660046142f3565b610f7c565b34801561050f575f5ffd5b506102f161051e36600461432d565b611015565b34801561052e575f5ffd5b506009546105549074010000000000000000000000000000000000000000900460ff1681565b6040519015158152602001610395565b34801561056f575f5ffd5b506102f161110b565b348015610583575f5ffd5b506102f161113d565b348015610597575f5ffd5b506102f1611197565b3480156105ab575f5ffd5b506105b4611242565b604051610395979695949392919061439b565b3480156105d2575f5ffd5b506103d2600f5481565b3480156105e7575f5ffd5b506105546105f636600461444d565b600e60209081525f928352604080842090915290825290205460ff1681565b348015610620575f5ffd5b506102f161062f366004614137565b6112a0565b34801561063f575f5ffd5b506005546001600160a01b031661048f565b34801561065c575f5ffd5b506102f161066b36600461446d565b6112b1565b34801561067b575f5ffd5b5060095461048f906001600160a01b031681565b34801561069a575f5ffd5b506102f16106a936600461452a565b6115a4565b3480156106b9575f5ffd5b506102f16106c8366004614137565b611606565b3480156106d8575f5ffd5b506102f16106e736600461459b565b611617565b3480156106f7575f5ffd5b506102f16107063660046145da565b61165d565b348015610716575f5ffd5b506103d261072536600461462e565b600160209081525f928352604080842090915290825290205481565b34801561074c575f5ffd5b506103d2600b5481565b348015610761575f5ffd5b506103d2610770366004614137565b60026020525f908152604090205481565b34801561078c575f5ffd5b506103d27f000000000000000000000000000000000000000000000000000000000000000081565b3480156107bf575f5ffd5b506102f16107ce366004614137565b611926565b3480156107de575f5ffd5b506006546001600160a01b031661048f565b3480156107fb575f5ffd5b506102f161080a366004614656565b611962565b34801561081a575f5ffd5b506103d2610829366004614137565b600d6020525f908152604090205481565b348015610845575f5ffd5b506102f1610854366004614137565b61197c565b604080516001600160a01b03841681523460208201529081018290527f8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e34779060600160405180910390a16108ae825f3484611a05565b5050565b6108ba611c22565b5f6108cd6104383685900385018561422b565b5f8181526020818152604080832081518083019092525477ffffffffffffffffffffffffffffffffffffffffffffffff8116808352780100000000000000000000000000000000000000000000000090910467ffffffffffffffff16928201929092529293509003610973576040517fce7631fe000000000000000000000000000000000000000000000000000000008152600481018390526024015b60405180910390fd5b806020015167ffffffffffffffff164210156109cd5760208101516040517f2a35a32400000000000000000000000000000000000000000000000000000000815267ffffffffffffffff909116600482015260240161096a565b6109e66109e06040860160208701614137565b84611c57565b5f828152602081815260409182902080547fffffffffffffffff0000000000000000000000000000000000000000000000001690558251915177ffffffffffffffffffffffffffffffffffffffffffffffff90921682526001600160a01b0385169184917f4ad741c107ff401773fca1013a2dcce72a6b829e4b4683e6125696b5dd07b15c910160405180910390a3610aab610a886060860160408701614137565b8251859077ffffffffffffffffffffffffffffffffffffffffffffffff16611cc4565b50506108ae611d1c565b6001600160a01b0381165f9081526003602052604081205481610ad88483611d46565b9050818110610ae7575f610af1565b610af181836146c2565b949350505050565b610b01611c22565b610b19610b0d84611e35565b84608001358484611fe8565b5f8080610b2c6060870160408801614137565b86355f818152600e60209081526040808320828c0135808552925290912054929550909350915060ff1615610b96576040517eee2956000000000000000000000000000000000000000000000000000000008152600481018390526024810182905260440161096a565b5f828152600e60209081526040808320848452909152812080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00166001179055805b610be660608901896146d5565b9050811015610c2b57610bfc60608901896146d5565b82818110610c0c57610c0c614739565b9050604002016020013582610c219190614766565b9150600101610bd9565b506001600160a01b0384165f818152600260205260408082205490517f70a08231000000000000000000000000000000000000000000000000000000008152306004820152919290916370a0823190602401602060405180830381865afa158015610c98573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610cbc9190614779565b610cc691906146c2565b905080821115610d14576040517f324d1fbf0000000000000000000000000000000000000000000000000000000081526001600160a01b03861660048201526024810182905260440161096a565b610d1e85836120e7565b610d6f5784610d2c86610ab5565b6040517fd393c4cb0000000000000000000000000000000000000000000000000000000081526001600160a01b039092166004830152602482015260440161096a565b6001600160a01b0385165f9081526002602052604081208054849290610d96908490614766565b92505081905550846001600160a01b031683857f3cd3ef084c965559733c3eb57698eaa15794be9d5a3ff3fe2a53612aa77a016685604051610dda91815260200190565b60405180910390a45f5b610df160608a018a6146d5565b9050811015610e6557610e5d86610e0b60608c018c6146d5565b84818110610e1b57610e1b614739565b610e319260206040909202019081019150614137565b610e3e60608d018d6146d5565b85818110610e4e57610e4e614739565b905060400201602001356121c0565b600101610de4565b505050505050610e73611d1c565b505050565b5f81604051602001610ed091905f60a082019050825182526001600160a01b0360208401511660208301526001600160a01b036040840151166040830152606083015160608301526080830151608083015292915050565b604051602081830303815290604052805190602001209050919050565b610ef56122f6565b610eff815f61233c565b50565b600a546001600160a01b03163314801590610f2857506005546001600160a01b03163314155b15610f5f576040517f79a0f11900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b610f6842612394565b565b6108ae610f76836123d0565b82610859565b610e73610f88846123d0565b6040517fdd62ed3e00000000000000000000000000000000000000000000000000000000815233600482015230602482015284906001600160a01b0382169063dd62ed3e90604401602060405180830381865afa158015610feb573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061100f9190614779565b846123ed565b61101d611c22565b6110278282611c57565b6001600160a01b038381165f9081526001602090815260408083209386168352929052908120805490829055908190036110a0576040517ff81d1d880000000000000000000000000000000000000000000000000000000081526001600160a01b0380861660048301528416602482015260440161096a565b816001600160a01b0316836001600160a01b0316856001600160a01b03167f913c992353dc81b7a8ba31496c484e9b6306bd2f6c509a649a38fdf5e1c953b2846040516110ef91815260200190565b60405180910390a4611102848383611cc4565b50610e73611d1c565b6040517fc5fea89800000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b60065433906001600160a01b0316811461118e576040517f118cdaa70000000000000000000000000000000000000000000000000000000081526001600160a01b038216600482015260240161096a565b610eff8161258f565b600a546001600160a01b031633146111db576040517f79a0f11900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600c5442101561121d57600c546040517ff2b950b200000000000000000000000000000000000000000000000000000000815260040161096a91815260200190565b61122a6212750042614766565b600c55610f6861123d6203f48042614766565b612394565b5f6060805f5f5f60606112536125c0565b61125b6125f0565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b6112a86122f6565b610eff8161261b565b6112b9611c22565b5f6112cc6104383688900388018861422b565b90506112e86112db878361267c565b8761014001358585611fe8565b5f806112fa6060890160408a01614137565b61130a60e08a0160c08b01614137565b909250905061131f6040890160208a01614137565b6001600160a01b0316816001600160a01b03161461136e5761136e885f015f01358383600f548b8b5f81811061135757611357614739565b90506020028101906113699190614790565b61273b565b60a088013515806113aa57505f8381526020819052604090205477ffffffffffffffffffffffffffffffffffffffffffffffff1660a089013514155b156113e4576040517fce7631fe0000000000000000000000000000000000000000000000000000000081526004810184905260240161096a565b61012088013560a08901356113fd8260e08c0135614766565b1115611438576040517fd946c6980000000000000000000000000000000000000000000000000000000081526004810185905260240161096a565b80156114c7576114586114536101208b016101008c01614137565b612a02565b61146283826120e7565b61146957505f5b6001600160a01b0383165f90815260016020526040812082916114946101208d016101008e01614137565b6001600160a01b03166001600160a01b031681526020019081526020015f205f8282546114c19190614766565b90915550505b806114da60e08b013560a08c01356146c2565b6114e491906146c2565b5f858152602081815260409182902080547fffffffffffffffff0000000000000000000000000000000000000000000000001677ffffffffffffffffffffffffffffffffffffffffffffffff9490941693909317909255805160e08c013581529182018390526001600160a01b0384169186917f3dac79845d4b63cb85d1a68582c461c6298fbd26cfacd8a88d0f145fc39340ef910160405180910390a361159183838b60e001356121c0565b5050505061159d611d1c565b5050505050565b6115ac6122f6565b6108ae8282808060200260200160405190810160405280939291908181526020015f905b828210156115fc576115ed604083028601368190038101906147cc565b815260200190600101906115d0565b5050505050612a68565b61160e6122f6565b610eff81612b69565b61161f6122f6565b6108ae82828080601f0160208091040260200160405190810160405280939291908181526020018383808284375f92019190915250612c7792505050565b611665611c22565b61167d61167184612cb1565b84606001358484611fe8565b5f8061168c6020860186614137565b61169c6040870160208801614137565b915091506116a981612a02565b5f5f5f5f5b6116bb60408a018a614847565b905081101561187757366116d260408b018b614847565b838181106116e2576116e2614739565b90506020028101906116f491906148ab565b90505f6117096104383684900384018461422b565b90506001600160a01b0388166117256060840160408501614137565b6001600160a01b031614611768576040517fe5da9f920000000000000000000000000000000000000000000000000000000081526004810182905260240161096a565b60a082013515806117a457505f8181526020819052604090205477ffffffffffffffffffffffffffffffffffffffffffffffff1660a083013514155b156117b057505061186f565b5f81815260208190526040902080547fffffffffffffffff0000000000000000000000000000000000000000000000001690556117f160a083013587614766565b9550846117fd816148dd565b95505061180a8183612fec565b6118189060a08401356146c2565b6118229085614766565b9350866001600160a01b0316817fb79bedda498c1cccf46fe8f24a27a5405a25186994fc12cfd72886efa2ba91418460a0013560405161186491815260200190565b60405180910390a350505b6001016116ae565b50825f036118b1576040517f797dba5400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f826001146118c9576118c486856120e7565b6118d3565b6118d386856131c6565b9050806118e45785610d2c87610ab5565b6001600160a01b038087165f90815260016020908152604080832093891683529290529081208054919055610e6590879087906119219086614766565b611cc4565b61192e6122f6565b6001600160a01b0381165f908152600d60205260408120549003610eff57610eff8161195d6202a30042614766565b61233c565b61197661196e856123d0565b8484846123ed565b50505050565b6119846122f6565b600680546001600160a01b0383167fffffffffffffffffffffffff000000000000000000000000000000000000000090911681179091556119cd6005546001600160a01b031690565b6001600160a01b03167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e2270060405160405180910390a350565b815f03611a3e576040517f69b95dc900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f6040518060a00160405280838152602001866001600160a01b03168152602001856001600160a01b031681526020018481526020015f81525090505f611a8482610e78565b90505b5f818152602081905260409020547801000000000000000000000000000000000000000000000000900467ffffffffffffffff1615611ae35760808201805190611ad0826148dd565b905250611adc82610e78565b9050611a87565b5f611b0e7f000000000000000000000000000000000000000000000000000000000000000042614766565b90506040518060400160405280611b2487613225565b77ffffffffffffffffffffffffffffffffffffffffffffffff168152602001611b4c83613286565b67ffffffffffffffff9081169091525f8481526020818152604080832085519583015190941678010000000000000000000000000000000000000000000000000277ffffffffffffffffffffffffffffffffffffffffffffffff909516949094179092556001600160a01b038916815260029091529081208054879290611bd4908490614766565b90915550506080830151604080519182526020820183905283917f46c2216241d96d6e66d4c4167daf35ec8128f071fa007461204724ff5f7b35d8910160405180910390a250505050505050565b611c2a6132d5565b610f6860017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b9061332e565b816001600160a01b0316816001600160a01b031614158015611c825750336001600160a01b03831614155b156108ae576040517f8b23b00e0000000000000000000000000000000000000000000000000000000081526001600160a01b038316600482015260240161096a565b6001600160a01b0383165f9081526002602052604081208054839290611ceb9084906146c2565b90915550506001600160a01b038316611d0857610e738282613335565b610e736001600160a01b03841683836133da565b610f685f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00611c51565b6001600160a01b0382165f90815260046020908152604080832081518083019092525477ffffffffffffffffffffffffffffffffffffffffffffffff811682527801000000000000000000000000000000000000000000000000900467ffffffffffffffff16918101829052908290610e1090611dc390426146c2565b611dcd9086614914565b611dd79190614958565b905080825f015177ffffffffffffffffffffffffffffffffffffffffffffffff1611611e03575f611e2a565b8151611e2a90829077ffffffffffffffffffffffffffffffffffffffffffffffff166146c2565b925050505b92915050565b5f80611e4460608401846146d5565b905067ffffffffffffffff811115611e5e57611e5e6141fe565b604051908082528060200260200182016040528015611e87578160200160208202803683370190505b5090505f5b8151811015611f25577fdb67adb4efd6ae16ace0713aeb18100134fff9487228b793b8dc1e70c20eceee611ec360608601866146d5565b83818110611ed357611ed3614739565b905060400201604051602001611eea92919061496b565b60405160208183030381529060405280519060200120828281518110611f1257611f12614739565b6020908102919091010152600101611e8c565b505f81604051602001611f38919061499d565b6040516020818303038152906040528051906020012090507f1b0353f6d263f9cd589cf9256b1a283f56a0e7f0fb3697b4679aefbc659596ec845f01358560200135866040016020810190611f8d9190614137565b60408051602081019590955284019290925260608301526001600160a01b031660808281019190915260a0820183905285013560c082015260e0015b6040516020818303038152906040528051906020012092505050919050565b600b5442101561202a57600b546040517f8b00ce4800000000000000000000000000000000000000000000000000000000815260040161096a91815260200190565b82421115612067576040517ff80dbaea0000000000000000000000000000000000000000000000000000000081526004810184905260240161096a565b5f61207185613428565b60095490915074010000000000000000000000000000000000000000900460ff166120a6576120a181848461346f565b6120b1565b6120b18184846134bc565b61159d576040517f8baa579f00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f6120f183610ab5565b8211156120ff57505f611e2f565b6001600160a01b0383165f908152600360205260408120548390612124908690611d46565b61212e9190614766565b9050604051806040016040528061214483613225565b77ffffffffffffffffffffffffffffffffffffffffffffffff908116825267ffffffffffffffff4281166020938401526001600160a01b0388165f908152600484526040902084519490930151167801000000000000000000000000000000000000000000000000029216919091179055506001905092915050565b6001600160a01b0383165f90815260026020526040812080548392906121e79084906146c2565b90915550506001600160a01b038316155f5a9050816122105761220b8585856134d6565b61221a565b61221a848461358d565b15612226575050505050565b5f61c350836122385762030d4061223c565b61c3505b6122469190614766565b905080612254604084614958565b61225e90846146c2565b1015612296576040517f5dd42bb600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6122a186868661359f565b846001600160a01b0316866001600160a01b03167fcceda04bf5b3b12ed328861c4d5132ccde0b298bd9775393c6d7db3357c1dab5866040516122e691815260200190565b60405180910390a3505050505050565b6005546001600160a01b03163314610f68576040517f118cdaa700000000000000000000000000000000000000000000000000000000815233600482015260240161096a565b6001600160a01b0382165f818152600d602052604090819020839055517f09baed3d4c12655cd5f7c13e514a1a96ecfff03a5b76b457554be23ccb62e861906123889084815260200190565b60405180910390a25050565b600b8190556040518181527f32fb7c9891bc4f963c7de9f1186d2a7755c7d6e9f4604dabe1d8bb3027c2f49e906020015b60405180910390a150565b5f6001600160a01b038216156123e65781611e2f565b3392915050565b6123f5611c22565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038516906370a0823190602401602060405180830381865afa158015612452573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906124769190614779565b905061248d6001600160a01b03851633308661360b565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f9082906001600160a01b038716906370a0823190602401602060405180830381865afa1580156124ec573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906125109190614779565b61251a91906146c2565b9050838111156125275750825b604080516001600160a01b03808916825287166020820152908101829052606081018490527f49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e19060800160405180910390a161258586868386611a05565b5050611976611d1c565b600680547fffffffffffffffffffffffff0000000000000000000000000000000000000000169055610eff8161365a565b60606125eb7f00000000000000000000000000000000000000000000000000000000000000006136c3565b905090565b60606125eb7f00000000000000000000000000000000000000000000000000000000000000006136c3565b600a80547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0383169081179091556040517fe6c09ffe4572dc9ceaa5ddde4ae41befa655d6fdfe8052077af0970f700e942e905f90a250565b5f7fa22da759469cc28cac47fe97347c8748e860102995362a0b8cdc7e1aa6e25f5a8260a08501356126b460e0870160c08801614137565b60e08701356126cb61012089016101008a01614137565b60408051602081019790975286019490945260608501929092526001600160a01b03908116608085015260a08401919091521660c08201526101208085013560e0830152610140850135610100830152015b60405160208183030381529060405280519060200120905092915050565b5f61274585613700565b90505f81836101200135141580612761575081836101e0013514155b905083836101c0013514158061278d5750600161278160e0850185614847565b905011801561278d5750805b156127c7576040517f2aef718d0000000000000000000000000000000000000000000000000000000081526004810188905260240161096a565b604080517f66edc7ab4e5f0ad0adad21638ffff360dbf956d89a28f9ec6cdd3e7a123bb4eb60208201529081018590526101208401356060820152610140840135608082015261016084013560a08201525f9060c0016040516020818303038152906040528051906020012090505f7f9f8e11410c9bfb023e54a2bfcc41ef4f8db1fe4bb5db7873169ff3aead2bf0e2856101c0013561286689613700565b6101e08801356102008901356128846102408b016102208c016149d2565b6040805160208101979097528601949094526060850192909252608084015260a083015263ffffffff1660c082015261024086013560e08201526101000160408051601f19818403018152919052805160209091012090505f7fc5b0643c7427e4816be79fd8064fc108fc7c5aefbe7016b1eeeb150228f93745836129156129106101808a018a614847565b613739565b604080516020810194909452830191909152606082015260800160408051601f19818403018152919052805160209091012090505f61296761295b610180890189614847565b896101a001358661374d565b801561298a575061298a61297e60e0890189614847565b8961010001358561374d565b80156129a8575060808701356129a661291060e08a018a614847565b145b80156129b957506129b98b8861377d565b9050806129f5576040517fd50a69df000000000000000000000000000000000000000000000000000000008152600481018c905260240161096a565b5050505050505050505050565b6001600160a01b0381165f908152600d6020526040902054801580612a2657508042105b156108ae576040517f3b99e8f50000000000000000000000000000000000000000000000000000000081526001600160a01b038316600482015260240161096a565b5f5b81518110156108ae57612a99828281518110612a8857612a88614739565b6020026020010151602001516137d1565b6001600160a01b031660035f848481518110612ab757612ab7614739565b60200260200101515f01516001600160a01b03166001600160a01b031681526020019081526020015f2081905550818181518110612af757612af7614739565b60200260200101515f01516001600160a01b03167f26cac2e9612e94b80b6577cdc3d8d10bf30a8178a54657541eb742b7fbf87a9d838381518110612b3e57612b3e614739565b602002602001015160200151604051612b5991815260200190565b60405180910390a2600101612a6a565b6001600160a01b038116612ba9576040517ff66e84f400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600980547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b038316179055612be58161381d565b600980547fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff16740100000000000000000000000000000000000000009215158302179081905560405160ff9290910491909116151581526001600160a01b038216907fb52add5d9181a80e5dd11001c7bf377c7597a4e1c052ee3b90bc390f926db0329060200160405180910390a250565b80516020820120600f556040517f118335147420a5a803a04bebd9d1a62511cd466d494a87265f861a70b40f0d85906123c59083906149f5565b5f80612cc06040840184614847565b905067ffffffffffffffff811115612cda57612cda6141fe565b604051908082528060200260200182016040528015612d03578160200160208202803683370190505b5090505f5b8151811015612f455736612d1f6040860186614847565b83818110612d2f57612d2f614739565b9050602002810190612d4191906148ab565b90505f612d5160c0830183614a07565b905067ffffffffffffffff811115612d6b57612d6b6141fe565b604051908082528060200260200182016040528015612d94578160200160208202803683370190505b5090505f5b8151811015612e84577f62234df1b8319b8247e451849a8c1fd91ab6ceee2952f785240e81e323f013b5612dd060c0850185614a07565b83818110612de057612de0614739565b612df69260206080909202019081019150614137565b612e0360c0860186614a07565b84818110612e1357612e13614739565b90506080020160200135604051602001612e49939291909283526001600160a01b03919091166020830152604082015260600190565b60405160208183030381529060405280519060200120828281518110612e7157612e71614739565b6020908102919091010152600101612d99565b505f612e986104383685900385018561422b565b90507f1292b2ecd962e5909706a4a6ec637e4d5df0f3e2ef1aad09734060ba2fa22c52818460a0013584604051602001612ed2919061499d565b60408051601f198184030181528282528051602091820120908301959095528101929092526060820152608081019190915260a00160405160208183030381529060405280519060200120858581518110612f2f57612f2f614739565b6020908102919091010152505050600101612d08565b505f81604051602001612f58919061499d565b60408051601f19818403018152919052805160209182012091507fad7a46fad8555b831ed9ffe17798ce5e5abb7fff45883402b25da648ebbd984990612fa090860186614137565b612fb06040870160208801614137565b6040805160208101949094526001600160a01b0392831690840152166060828101919091526080820183905285013560a082015260c001611fc9565b5f8181805b612ffe60c0860186614a07565b90508110156131bd573661301560c0870187614a07565b8381811061302557613025614739565b905060800201905036868060e0019061303e9190614847565b5f81811061304e5761304e614739565b90506020028101906130609190614a6b565b9050825f0361308457613084853561307e6060880160408901614137565b8361389b565b6130b085356130996060880160408901614137565b6130a66020860186614137565b8560400185613a1d565b5f6130cb606080850135908801356101408501356001613afb565b905060408301358511806130e25750808360200135115b1561312657604080517fab9b7434000000000000000000000000000000000000000000000000000000008152600481018b905290840135602482015260440161096a565b61313560408401356001614766565b9450613145602084013588614766565b96508760a00135871115613188576040517fd946c698000000000000000000000000000000000000000000000000000000008152600481018a905260240161096a565b6131b261319b6060880160408901614137565b6131a86020860186614137565b85602001356121c0565b505050600101612ff1565b50505092915050565b6001600160a01b0382165f9081526003602052604081205480831115806131eb575080155b806131fe57506131fb8482611d46565b15155b156132155761320d84846120e7565b915050611e2f565b6040518060400160405280612144855b5f77ffffffffffffffffffffffffffffffffffffffffffffffff821115613282576040517f6dfcc65000000000000000000000000000000000000000000000000000000000815260c060048201526024810183905260440161096a565b5090565b5f67ffffffffffffffff82111561328257604080517f6dfcc65000000000000000000000000000000000000000000000000000000000815260048101919091526024810183905260440161096a565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c15610f68576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b80471015613378576040517fcf4791810000000000000000000000000000000000000000000000000000000081524760048201526024810182905260440161096a565b613391828260405180602001604052805f815250613b3d565b1561339a575050565b3d156133a8576108ae613b52565b6040517fd6bda27500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6133e78383836001613b5d565b610e73576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161096a565b5f611e2f613434613bd8565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f5f5f61347d868686613d01565b5090925090505f81600381111561349657613496614a9d565b1480156134b057506009546001600160a01b038381169116145b925050505b9392505050565b6009545f90610af1906001600160a01b0316858585613d48565b6040516001600160a01b0383166024820152604481018290525f90819060640160408051601f19818403018152919052602080820180517bffffffffffffffffffffffffffffffffffffffffffffffffffffffff167fa9059cbb00000000000000000000000000000000000000000000000000000000178152825192935090915f91828962030d40f191503d801561357b5760015f5114601f3d111683169250613584565b5f863b11831692505b50509392505050565b5f5f5f5f5f858761c350f19392505050565b6001600160a01b038084165f908152600160209081526040808320938616835292905290812080548392906135d5908490614766565b90915550506001600160a01b0383165f9081526002602052604081208054839290613601908490614766565b9091555050505050565b613619848484846001613dcb565b611976576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b038516600482015260240161096a565b600580546001600160a01b038381167fffffffffffffffffffffffff0000000000000000000000000000000000000000831681179093556040519116919082907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0905f90a35050565b60605f6136cf83613e51565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b6040517fffffffffffffffffffffffffffffffffffffffff000000000000000000000000606083901b1660208201525f90603401610ed0565b5f828260405160200161271d929190614aca565b5f838310801561377457508185858581811061376b5761376b614739565b90506020020135145b95945050505050565b5f827fee05e73da8f2fce11d34a78a39998b4dd8a56c6298aa9ad2870c3f9a2821dc8e836040516020016137b2929190614b0a565b6040516020818303038152906040528051906020012014905092915050565b5f6001600160a01b03821115613282576040517f6dfcc65000000000000000000000000000000000000000000000000000000000815260a060048201526024810183905260440161096a565b5f5f826001600160a01b0316803b806020016040519081016040528181525f908060200190933c905080515f0361385657505f92915050565b805160171415806134b5575061386b81614b7b565b7cffffffffffffffffffffffffffffffffffffffffffffffffffffffffff191662ef010060e81b14159392505050565b5f7f66edc7ab4e5f0ad0adad21638ffff360dbf956d89a28f9ec6cdd3e7a123bb4eb8261012001356138cc85613700565b6040805160208101949094528301919091526060820152610140830135608082015261016083013560a082015260c00160408051601f1981840301815282825280516020918201207fc5b0643c7427e4816be79fd8064fc108fc7c5aefbe7016b1eeeb150228f9374591840191909152908201819052610180840135606083015291505f9060800160408051601f19818403018152919052805160209091012090505f61398b61397f60e0860186614847565b8661010001358561374d565b80156139a9575060808401356139a761291060e0870187614847565b145b80156139c8575060c08401356139c66129106101a0870187614847565b145b80156139d957506139d9868561377d565b905080613a15576040517fd50a69df0000000000000000000000000000000000000000000000000000000081526004810187905260240161096a565b505050505050565b5f7f5e1420e6482d4138dbc016fa378f064eb120b8b82c866fbb1da0b68c92f8abae826101200135613a4e86613700565b846101200135613a5d89613700565b60408051602081810197909752908101949094526060840192909252608083015260a08201529084013560c082015260e00160408051601f1981840301815291905280516020909101209050613ac2613aba6101a0840184614847565b85358461374d565b613a15576040517fd50a69df0000000000000000000000000000000000000000000000000000000081526004810187905260240161096a565b5f613b28613b0883613e91565b8015613b2357505f8480613b1e57613b1e61492b565b868809115b151590565b613b33868686613ebd565b6137749190614766565b5f5f5f83516020850186885af1949350505050565b6040513d5f823e3d81fd5b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f51148316613bcc578383151615613bc0573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f306001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016148015613c3057507f000000000000000000000000000000000000000000000000000000000000000046145b15613c5a57507f000000000000000000000000000000000000000000000000000000000000000090565b6125eb604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f80806041849003613d35578435602086013560408701355f1a613d2789828585613f6d565b955095509550505050613d3f565b505f915060029050825b93509350939050565b604080517f1626ba7e00000000000000000000000000000000000000000000000000000000808252600482018690526024820192909252604481018390525f91908390818660648301375f82606483010152601f820160051c60051b915060205f60648401838b5afa9050825f5114601f3d111681169350505050949350505050565b6040517f23b872dd000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038781166004528616602452604485905291602083606481808c5af1925060015f51148316613e40578383151615613e34573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b5f60ff8216601f811115611e2f576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f6002826003811115613ea657613ea6614a9d565b613eb09190614be7565b60ff166001149050919050565b5f5f5f613eca8686614035565b91509150815f03613eee57838181613ee457613ee461492b565b04925050506134b5565b818411613f0557613f056003851502601118614070565b5f848688095f868103871696879004966002600389028118808a02820302808a02820302808a02820302808a02820302808a02820302808a02909103029181900381900460010185841190960395909502919093039390930492909217029150509392505050565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0841115613fa657505f9150600390508261402b565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015613ff7573d5f5f3e3d5ffd5b5050604051601f1901519150506001600160a01b03811661402257505f92506001915082905061402b565b92505f91508190505b9450945094915050565b5f807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83850993909202808410938190039390930393915050565b634e487b715f52806020526024601cfd5b80356020831015611e2f577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff602084900360031b1b1692915050565b5f602082840312156140cd575f5ffd5b5035919050565b5f60a082840312156140e4575f5ffd5b50919050565b80356001600160a01b0381168114614100575f5ffd5b919050565b5f5f60c08385031215614116575f5ffd5b61412084846140d4565b915061412e60a084016140ea565b90509250929050565b5f60208284031215614147575f5ffd5b6134b5826140ea565b5f5f83601f840112614160575f5ffd5b50813567ffffffffffffffff811115614177575f5ffd5b60208301915083602082850101111561418e575f5ffd5b9250929050565b5f5f5f604084860312156141a7575f5ffd5b833567ffffffffffffffff8111156141bd575f5ffd5b6141c9868287016140d4565b935050602084013567ffffffffffffffff8111156141e5575f5ffd5b6141f186828701614150565b9497909650939450505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f60a082840312801561423c575f5ffd5b5060405160a0810167ffffffffffffffff81118282101715614285577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405282358152614298602084016140ea565b60208201526142a9604084016140ea565b6040820152606083810135908201526080928301359281019290925250919050565b5f5f604083850312156142dc575f5ffd5b6142e5836140ea565b946020939093013593505050565b5f5f5f60608486031215614305575f5ffd5b61430e846140ea565b925061431c602085016140ea565b929592945050506040919091013590565b5f5f5f6060848603121561433f575f5ffd5b614348846140ea565b9250614356602085016140ea565b9150614364604085016140ea565b90509250925092565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f6143d560e083018961436d565b82810360408401526143e7818961436d565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b8181101561443c57835183526020938401939092019160010161441e565b50909b9a5050505050505050505050565b5f5f6040838503121561445e575f5ffd5b50508035926020909101359150565b5f5f5f5f5f8587036101a0811215614483575f5ffd5b610160811215614491575f5ffd5b5085945061016086013567ffffffffffffffff8111156144af575f5ffd5b8601601f810188136144bf575f5ffd5b803567ffffffffffffffff8111156144d5575f5ffd5b8860208260051b84010111156144e9575f5ffd5b6020919091019450925061018086013567ffffffffffffffff81111561450d575f5ffd5b61451988828901614150565b969995985093965092949392505050565b5f5f6020838503121561453b575f5ffd5b823567ffffffffffffffff811115614551575f5ffd5b8301601f81018513614561575f5ffd5b803567ffffffffffffffff811115614577575f5ffd5b8560208260061b840101111561458b575f5ffd5b6020919091019590945092505050565b5f5f602083850312156145ac575f5ffd5b823567ffffffffffffffff8111156145c2575f5ffd5b6145ce85828601614150565b90969095509350505050565b5f5f5f604084860312156145ec575f5ffd5b833567ffffffffffffffff811115614602575f5ffd5b840160808187031215614613575f5ffd5b9250602084013567ffffffffffffffff8111156141e5575f5ffd5b5f5f6040838503121561463f575f5ffd5b614648836140ea565b915061412e602084016140ea565b5f5f5f5f60808587031215614669575f5ffd5b614672856140ea565b9350614680602086016140ea565b93969395505050506040820135916060013590565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b81810381811115611e2f57611e2f614695565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112614708575f5ffd5b83018035915067ffffffffffffffff821115614722575f5ffd5b6020019150600681901b360382131561418e575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b80820180821115611e2f57611e2f614695565b5f60208284031215614789575f5ffd5b5051919050565b5f82357ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffda18336030181126147c2575f5ffd5b9190910192915050565b5f60408284031280156147dd575f5ffd5b506040805190810167ffffffffffffffff81118282101715614826577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b604052614832836140ea565b81526020928301359281019290925250919050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe184360301811261487a575f5ffd5b83018035915067ffffffffffffffff821115614894575f5ffd5b6020019150600581901b360382131561418e575f5ffd5b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff018336030181126147c2575f5ffd5b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff820361490d5761490d614695565b5060010190565b8082028115828204841417611e2f57611e2f614695565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b5f826149665761496661492b565b500490565b828152606081016001600160a01b03614983846140ea565b166020838101919091529290920135604090910152919050565b81515f90829060208501835b828110156149c75781518452602093840193909101906001016149a9565b509195945050505050565b5f602082840312156149e2575f5ffd5b813563ffffffff811681146134b5575f5ffd5b602081525f6134b5602083018461436d565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112614a3a575f5ffd5b83018035915067ffffffffffffffff821115614a54575f5ffd5b6020019150600781901b360382131561418e575f5ffd5b5f82357ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe418336030181126147c2575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b5f7f07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff831115614af7575f5ffd5b8260051b80858437919091019392505050565b82815281356020808301919091528201356040808301919091526101008201906001600160a01b0390614b3e9085016140ea565b1660608381019190915283013560808084019190915283013560a08084019190915283013560c0808401919091529092013560e090910152919050565b805160208201517fffffff0000000000000000000000000000000000000000000000000000000000811691906003821015614be0577fffffff0000000000000000000000000000000000000000000000000000000000808360030360031b1b82161692505b5050919050565b5f60ff831680614bf957614bf961492b565b8060ff8416069150509291505056",
  "immutables": [
    [
      1938,
      32
    ],
    [
      6889,
      32
    ],
    [
      9671,
      32
    ],
    [
      9719,
      32
    ],
    [
      15332,
      32
    ],
    [
      15374,
      32
    ],
    [
      15416,
      32
    ],
    [
      15497,
      32
    ],
    [
      15537,
      32
    ]
  ]
} as const
