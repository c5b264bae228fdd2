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
          "indexed": false,
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
          "indexed": false,
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
          "indexed": false,
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
          "indexed": false,
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
          "indexed": false,
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
              "name": "payment",
              "type": "bytes32"
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
  "bytecode": "0x610180604052348015610010575f5ffd5b5060405161515538038061515583398101604081905261002f916106c0565b858585856040518060400160405280600f81526020016e52656c61794465706f7369746f727960881b815250604051806040016040528060018152602001603160f81b815250858880608081815250505f5c5f5d5f5f5f5e506001600160a01b0381166100b657604051631e4fbdf760e01b81525f60048201526024015b60405180910390fd5b6100bf816101da565b506100c9826101f6565b610140526100d6816101f6565b61016052815160208084019190912061010052815190820120610120524660c0526101646101005161012051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60a05250503060e05261017683610233565b61017f826102e4565b5f5b81518110156101bb576101b382828151811061019f5761019f6107bc565b60200260200101514261032d60201b60201c565b600101610181565b50505050506101cf8161038560201b60201c565b505050505050610868565b600680546001600160a01b03191690556101f381610490565b50565b5f5f829050601f81511115610220578260405163305a27a960e01b81526004016100ad91906107d0565b805161022b82610805565b179392505050565b6001600160a01b03811661025a57604051633d9ba13d60e21b815260040160405180910390fd5b600980546001600160a01b0319166001600160a01b03831617905561027e816104e1565b6009805460ff60a01b1916600160a01b9215158302179081905560405160ff9290910491909116151581526001600160a01b038216907fb52add5d9181a80e5dd11001c7bf377c7597a4e1c052ee3b90bc390f926db0329060200160405180910390a250565b600a80546001600160a01b0319166001600160a01b0383169081179091556040517fe6c09ffe4572dc9ceaa5ddde4ae41befa655d6fdfe8052077af0970f700e942e905f90a250565b6001600160a01b0382165f818152600d602052604090819020839055517f09baed3d4c12655cd5f7c13e514a1a96ecfff03a5b76b457554be23ccb62e861906103799084815260200190565b60405180910390a25050565b5f5b815181101561048c576103bc8282815181106103a5576103a56107bc565b60200260200101516020015161054a60201b60201c565b6001600160a01b031660035f8484815181106103da576103da6107bc565b60200260200101515f01516001600160a01b03166001600160a01b031681526020019081526020015f208190555081818151811061041a5761041a6107bc565b60200260200101515f01516001600160a01b03167f26cac2e9612e94b80b6577cdc3d8d10bf30a8178a54657541eb742b7fbf87a9d838381518110610461576104616107bc565b60200260200101516020015160405161047c91815260200190565b60405180910390a2600101610387565b5050565b600580546001600160a01b038381166001600160a01b0319831681179093556040519116919082907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0905f90a35050565b5f5f826001600160a01b0316803b806020016040519081016040528181525f908060200190933c905080515f0361051a57505f92915050565b80516017141580610543575061052f8161082b565b6001600160e81b03191662ef010060e81b14155b9392505050565b5f6001600160a01b0382111561057d576040516306dfcc6560e41b815260a06004820152602481018390526044016100ad565b5090565b80516001600160a01b0381168114610597575f5ffd5b919050565b634e487b7160e01b5f52604160045260245ffd5b604080519081016001600160401b03811182821017156105d2576105d261059c565b60405290565b604051601f8201601f191681016001600160401b03811182821017156106005761060061059c565b604052919050565b5f6001600160401b038211156106205761062061059c565b5060051b60200190565b5f82601f830112610639575f5ffd5b815161064c61064782610608565b6105d8565b8082825260208201915060208360061b86010192508583111561066d575f5ffd5b602085015b838110156106b65760408188031215610689575f5ffd5b6106916105b0565b61069a82610581565b8152602082810151818301529084529290920191604001610672565b5095945050505050565b5f5f5f5f5f5f60c087890312156106d5575f5ffd5b6106de87610581565b95506106ec60208801610581565b94506106fa60408801610581565b60608801519094506001600160401b03811115610715575f5ffd5b8701601f81018913610725575f5ffd5b805161073361064782610608565b8082825260208201915060208360051b85010192508b831115610754575f5ffd5b6020840193505b8284101561077d5761076c84610581565b82526020938401939091019061075b565b60808b015160a08c01519197509550925050506001600160401b038111156107a3575f5ffd5b6107af89828a0161062a565b9150509295509295509295565b634e487b7160e01b5f52603260045260245ffd5b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80516020808301519190811015610825575f198160200360031b1b821691505b50919050565b805160208201516001600160e81b0319811691906003821015610861576001600160e81b03196003838103901b81901b82161692505b5050919050565b60805160a05160c05160e0516101005161012051610140516101605161488b6108ca5f395f6127b301525f61278301525f61398501525f61395d01525f6138b801525f6138e201525f61390c01525f81816107280152611959015261488b5ff3fe608060405260043610610237575f3560e01c80638456cb5911610137578063d4570c1c116100af578063dce59c001161007e578063e801795211610063578063e801795214610786578063ef5e5914146107a5578063f2fde38b146107d05761026e565b8063dce59c001461074a578063e30c3978146107695761026e565b8063d4570c1c146106a1578063da748b10146106d7578063da9425e2146106ec578063dbc75634146107175761026e565b80638da5cb5b11610106578063b2f72e06116100eb578063b2f72e0614610644578063bf83f2a214610663578063cd2bc876146106825761026e565b80638da5cb5b14610608578063aa5dcecc146106255761026e565b80638456cb591461057557806384b0196e1461058957806387a6d651146105b05780638a0dac4a146105e95761026e565b80633f4ba83a116101ca5780635a1ee3ac116101995780635f74d8791161017e5780635f74d8791461050c578063715018a61461054d57806379ba5097146105615761026e565b80635a1ee3ac146104ce5780635e1c75e1146104ed5761026e565b80633f4ba83a14610445578063452a93201461045957806349290c1c146104905780634e59f5d8146104a35761026e565b80633a1f1021116102065780633a1f1021146103c95780633b76dd02146103e85780633ca1b8fb146104075780633ed35855146104265761026e565b806301e64725146102bd5780630501939a1461036857806305414ec01461038757806326dc9079146103aa5761026e565b3661026e576040517f783c318e00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b602036146102a8576040517f783c318e00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6102bb336102b6365f613d55565b6107ef565b005b3480156102c8575f5ffd5b5061032a6102d7366004613d91565b5f6020819052908152604090205477ffffffffffffffffffffffffffffffffffffffffffffffff8116907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1682565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909316835267ffffffffffffffff9091166020830152015b60405180910390f35b348015610373575f5ffd5b506102bb610382366004613dd9565b610848565b348015610392575f5ffd5b5061039c600c5481565b60405190815260200161035f565b3480156103b5575f5ffd5b5061039c6103c4366004613e0b565b610a51565b3480156103d4575f5ffd5b506102bb6103e3366004613e69565b610a95565b3480156103f3575f5ffd5b506102bb610402366004613f26565b610d85565b348015610412575f5ffd5b5061039c610421366004613fbc565b6110b2565b348015610431575f5ffd5b506102bb610440366004613e0b565b611127565b348015610450575f5ffd5b506102bb61113c565b348015610464575f5ffd5b50600a54610478906001600160a01b031681565b6040516001600160a01b03909116815260200161035f565b6102bb61049e36600461405c565b6111a4565b3480156104ae575f5ffd5b5061039c6104bd366004613e0b565b60036020525f908152604090205481565b3480156104d9575f5ffd5b506102bb6104e8366004614084565b6111b6565b3480156104f8575f5ffd5b506102bb6105073660046140be565b61124f565b348015610517575f5ffd5b5060095461053d9074010000000000000000000000000000000000000000900460ff1681565b604051901515815260200161035f565b348015610558575f5ffd5b506102bb6112df565b34801561056c575f5ffd5b506102bb611311565b348015610580575f5ffd5b506102bb61136b565b348015610594575f5ffd5b5061059d611416565b60405161035f979695949392919061412c565b3480156105bb575f5ffd5b5061053d6105ca3660046141de565b600e60209081525f928352604080842090915290825290205460ff1681565b3480156105f4575f5ffd5b506102bb610603366004613e0b565b611474565b348015610613575f5ffd5b506005546001600160a01b0316610478565b348015610630575f5ffd5b50600954610478906001600160a01b031681565b34801561064f575f5ffd5b506102bb61065e3660046141fe565b611485565b34801561066e575f5ffd5b506102bb61067d366004613e0b565b6114e7565b34801561068d575f5ffd5b506102bb61069c36600461426f565b6114f8565b3480156106ac575f5ffd5b5061039c6106bb3660046142c3565b600160209081525f928352604080842090915290825290205481565b3480156106e2575f5ffd5b5061039c600b5481565b3480156106f7575f5ffd5b5061039c610706366004613e0b565b60026020525f908152604090205481565b348015610722575f5ffd5b5061039c7f000000000000000000000000000000000000000000000000000000000000000081565b348015610755575f5ffd5b506102bb610764366004613e0b565b611796565b348015610774575f5ffd5b506006546001600160a01b0316610478565b348015610791575f5ffd5b506102bb6107a03660046142eb565b6117d2565b3480156107b0575f5ffd5b5061039c6107bf366004613e0b565b600d6020525f908152604090205481565b3480156107db575f5ffd5b506102bb6107ea366004613e0b565b6117ec565b604080516001600160a01b03841681523460208201529081018290527f8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e34779060600160405180910390a1610844825f3484611875565b5050565b610850611a92565b5f61086361042136859003850185613fbc565b5f8181526020818152604080832081518083019092525477ffffffffffffffffffffffffffffffffffffffffffffffff8116808352780100000000000000000000000000000000000000000000000090910467ffffffffffffffff16928201929092529293509003610909576040517fce7631fe000000000000000000000000000000000000000000000000000000008152600481018390526024015b60405180910390fd5b806020015167ffffffffffffffff164210156109635760208101516040517f2a35a32400000000000000000000000000000000000000000000000000000000815267ffffffffffffffff9091166004820152602401610900565b61097c6109766040860160208701613e0b565b84611ac7565b5f828152602081815260409182902080547fffffffffffffffff000000000000000000000000000000000000000000000000169055825182516001600160a01b038716815277ffffffffffffffffffffffffffffffffffffffffffffffff9091169181019190915283917f4ad741c107ff401773fca1013a2dcce72a6b829e4b4683e6125696b5dd07b15c910160405180910390a2610a47610a246060860160408701613e0b565b8251859077ffffffffffffffffffffffffffffffffffffffffffffffff16611b34565b5050610844611b8c565b6001600160a01b0381165f9081526003602052604081205481610a748483611bb6565b9050818110610a83575f610a8d565b610a8d8183614357565b949350505050565b610a9d611a92565b5f610ab061042136889003880188613fbc565b9050610acc610abf8783611ca5565b8761014001358585611d64565b5f80610ade6060890160408a01613e0b565b610aee60e08a0160c08b01613e0b565b9092509050610b036040890160208a01613e0b565b6001600160a01b0316816001600160a01b031614610b4857610b4888358289895f81610b3157610b3161436a565b9050602002810190610b439190614397565b611e63565b60a08801351580610b8457505f8381526020819052604090205477ffffffffffffffffffffffffffffffffffffffffffffffff1660a089013514155b15610bbe576040517fce7631fe00000000000000000000000000000000000000000000000000000000815260048101849052602401610900565b61012088013560a0890135610bd78260e08c01356143d3565b1115610c12576040517fd946c69800000000000000000000000000000000000000000000000000000000815260048101859052602401610900565b8015610ca157610c32610c2d6101208b016101008c01613e0b565b612030565b610c3c8382612096565b610c4357505f5b6001600160a01b0383165f9081526001602052604081208291610c6e6101208d016101008e01613e0b565b6001600160a01b03166001600160a01b031681526020019081526020015f205f828254610c9b91906143d3565b90915550505b80610cb460e08b013560a08c0135614357565b610cbe9190614357565b5f858152602081815260409182902080547fffffffffffffffff0000000000000000000000000000000000000000000000001677ffffffffffffffffffffffffffffffffffffffffffffffff949094169390931790925580516001600160a01b038516815260e08c013592810192909252810182905284907f3dac79845d4b63cb85d1a68582c461c6298fbd26cfacd8a88d0f145fc39340ef9060600160405180910390a2610d7283838b60e0013561216f565b50505050610d7e611b8c565b5050505050565b610d8d611a92565b610da5610d99846122a5565b84608001358484611d64565b5f8080610db86060870160408801613e0b565b86355f818152600e60209081526040808320828c0135808552925290912054929550909350915060ff1615610e22576040517eee29560000000000000000000000000000000000000000000000000000000081526004810183905260248101829052604401610900565b5f828152600e60209081526040808320848452909152812080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00166001179055805b610e7260608901896143e6565b9050811015610eb757610e8860608901896143e6565b82818110610e9857610e9861436a565b9050604002016020013582610ead91906143d3565b9150600101610e65565b506001600160a01b0384165f818152600260205260408082205490517f70a08231000000000000000000000000000000000000000000000000000000008152306004820152919290916370a0823190602401602060405180830381865afa158015610f24573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610f48919061444a565b610f529190614357565b905080821115610fa0576040517f324d1fbf0000000000000000000000000000000000000000000000000000000081526001600160a01b038616600482015260248101829052604401610900565b610faa8583612458565b6001600160a01b0385165f9081526002602052604081208054849290610fd19084906143d3565b9091555050604080516001600160a01b038716815260208101849052849186917f3cd3ef084c965559733c3eb57698eaa15794be9d5a3ff3fe2a53612aa77a0166910160405180910390a35f5b61102b60608a018a6143e6565b905081101561109f576110978661104560608c018c6143e6565b848181106110555761105561436a565b61106b9260206040909202019081019150613e0b565b61107860608d018d6143e6565b858181106110885761108861436a565b9050604002016020013561216f565b60010161101e565b5050505050506110ad611b8c565b505050565b5f8160405160200161110a91905f60a082019050825182526001600160a01b0360208401511660208301526001600160a01b036040840151166040830152606083015160608301526080830151608083015292915050565b604051602081830303815290604052805190602001209050919050565b61112f6124b3565b611139815f6124f9565b50565b600a546001600160a01b0316331480159061116257506005546001600160a01b03163314155b15611199576040517f79a0f11900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6111a242612551565b565b6108446111b08361258c565b826107ef565b6110ad6111c28461258c565b6040517fdd62ed3e00000000000000000000000000000000000000000000000000000000815233600482015230602482015284906001600160a01b0382169063dd62ed3e90604401602060405180830381865afa158015611225573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611249919061444a565b846125a9565b611257611a92565b6112618282611ac7565b6001600160a01b038381165f818152600160209081526040808320878616808552908352818420805494905581519587168652918501839052805192949193927f913c992353dc81b7a8ba31496c484e9b6306bd2f6c509a649a38fdf5e1c953b29281900390910190a36112d6848383611b34565b506110ad611b8c565b6040517fc5fea89800000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b60065433906001600160a01b03168114611362576040517f118cdaa70000000000000000000000000000000000000000000000000000000081526001600160a01b0382166004820152602401610900565b6111398161274b565b600a546001600160a01b031633146113af576040517f79a0f11900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600c544210156113f157600c546040517ff2b950b200000000000000000000000000000000000000000000000000000000815260040161090091815260200190565b6113fe62127500426143d3565b600c556111a26114116203f480426143d3565b612551565b5f6060805f5f5f606061142761277c565b61142f6127ac565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b61147c6124b3565b611139816127d7565b61148d6124b3565b6108448282808060200260200160405190810160405280939291908181526020015f905b828210156114dd576114ce60408302860136819003810190614461565b815260200190600101906114b1565b5050505050612838565b6114ef6124b3565b61113981612939565b611500611a92565b61151861150c84612a47565b84606001358484611d64565b5f806115276020860186613e0b565b6115376040870160208801613e0b565b9150915061154481612030565b5f5f5f5b61155560408901896144dc565b9050811015611704573661156c60408a018a6144dc565b8381811061157c5761157c61436a565b905060200281019061158e9190614540565b90505f6115a361042136849003840184613fbc565b90506001600160a01b0387166115bf6060840160408501613e0b565b6001600160a01b031614611602576040517fe5da9f9200000000000000000000000000000000000000000000000000000000815260048101829052602401610900565b60a0820135158061163e57505f8181526020819052604090205477ffffffffffffffffffffffffffffffffffffffffffffffff1660a083013514155b1561164a5750506116fc565b5f81815260208190526040902080547fffffffffffffffff00000000000000000000000000000000000000000000000016905561168b60a0830135866143d3565b94506116978183612d82565b6116a59060a0840135614357565b6116af90856143d3565b604080516001600160a01b038916815260a0850135602082015291955082917fb79bedda498c1cccf46fe8f24a27a5405a25186994fc12cfd72886efa2ba9141910160405180910390a250505b600101611548565b50815f0361173e576040517f797dba5400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6117488483612458565b6001600160a01b038085165f9081526001602090815260408083209387168352929052908120805491905561178a908590859061178590856143d3565b611b34565b505050506110ad611b8c565b61179e6124b3565b6001600160a01b0381165f908152600d6020526040812054900361113957611139816117cd6202a300426143d3565b6124f9565b6117e66117de8561258c565b8484846125a9565b50505050565b6117f46124b3565b600680546001600160a01b0383167fffffffffffffffffffffffff0000000000000000000000000000000000000000909116811790915561183d6005546001600160a01b031690565b6001600160a01b03167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e2270060405160405180910390a350565b815f036118ae576040517f69b95dc900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f6040518060a00160405280838152602001866001600160a01b03168152602001856001600160a01b031681526020018481526020015f81525090505f6118f4826110b2565b90505b5f818152602081905260409020547801000000000000000000000000000000000000000000000000900467ffffffffffffffff1615611953576080820180519061194082614572565b90525061194c826110b2565b90506118f7565b5f61197e7f0000000000000000000000000000000000000000000000000000000000000000426143d3565b9050604051806040016040528061199487612f5c565b77ffffffffffffffffffffffffffffffffffffffffffffffff1681526020016119bc83612fbd565b67ffffffffffffffff9081169091525f8481526020818152604080832085519583015190941678010000000000000000000000000000000000000000000000000277ffffffffffffffffffffffffffffffffffffffffffffffff909516949094179092556001600160a01b038916815260029091529081208054879290611a449084906143d3565b90915550506080830151604080519182526020820183905283917f46c2216241d96d6e66d4c4167daf35ec8128f071fa007461204724ff5f7b35d8910160405180910390a250505050505050565b611a9a61300c565b6111a260017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90613065565b816001600160a01b0316816001600160a01b031614158015611af25750336001600160a01b03831614155b15610844576040517f8b23b00e0000000000000000000000000000000000000000000000000000000081526001600160a01b0383166004820152602401610900565b6001600160a01b0383165f9081526002602052604081208054839290611b5b908490614357565b90915550506001600160a01b038316611b78576110ad828261306c565b6110ad6001600160a01b0384168383613111565b6111a25f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00611ac1565b6001600160a01b0382165f90815260046020908152604080832081518083019092525477ffffffffffffffffffffffffffffffffffffffffffffffff811682527801000000000000000000000000000000000000000000000000900467ffffffffffffffff16918101829052908290610e1090611c339042614357565b611c3d90866145a9565b611c4791906145ed565b905080825f015177ffffffffffffffffffffffffffffffffffffffffffffffff1611611c73575f611c9a565b8151611c9a90829077ffffffffffffffffffffffffffffffffffffffffffffffff16614357565b925050505b92915050565b5f7fa22da759469cc28cac47fe97347c8748e860102995362a0b8cdc7e1aa6e25f5a8260a0850135611cdd60e0870160c08801613e0b565b60e0870135611cf461012089016101008a01613e0b565b60408051602081019790975286019490945260608501929092526001600160a01b03908116608085015260a08401919091521660c08201526101208085013560e0830152610140850135610100830152015b60405160208183030381529060405280519060200120905092915050565b600b54421015611da657600b546040517f8b00ce4800000000000000000000000000000000000000000000000000000000815260040161090091815260200190565b82421115611de3576040517ff80dbaea00000000000000000000000000000000000000000000000000000000815260048101849052602401610900565b5f611ded8561315f565b60095490915074010000000000000000000000000000000000000000900460ff16611e2257611e1d8184846131a6565b611e2d565b611e2d8184846131f3565b610d7e576040517f8baa579f00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f7f9f8e11410c9bfb023e54a2bfcc41ef4f8db1fe4bb5db7873169ff3aead2bf0e2826101800135611e948561320d565b6101a08501356101c0860135611eb261020088016101e08901614600565b6040805160208101979097528601949094526060850192909252608084015260a083015263ffffffff1660c082015261020083013560e08201526101000160408051601f19818403018152919052805160209091012090505f7fc5b0643c7427e4816be79fd8064fc108fc7c5aefbe7016b1eeeb150228f93745610120840135611f48611f436101408701876144dc565b613246565b604080516020810194909452830191909152606082015260800160408051601f19818403018152919052805160209091012090505f611f9a611f8e6101408601866144dc565b8661016001358661325a565b8015611fbd5750611fbd611fb160e08601866144dc565b8661010001358561325a565b8015611fdb57506080840135611fd9611f4360e08701876144dc565b145b8015611fec5750611fec868561328a565b905080612028576040517fd50a69df00000000000000000000000000000000000000000000000000000000815260048101879052602401610900565b505050505050565b6001600160a01b0381165f908152600d602052604090205480158061205457508042105b15610844576040517f3b99e8f50000000000000000000000000000000000000000000000000000000081526001600160a01b0383166004820152602401610900565b5f6120a083610a51565b8211156120ae57505f611c9f565b6001600160a01b0383165f9081526003602052604081205483906120d3908690611bb6565b6120dd91906143d3565b905060405180604001604052806120f383612f5c565b77ffffffffffffffffffffffffffffffffffffffffffffffff908116825267ffffffffffffffff4281166020938401526001600160a01b0388165f908152600484526040902084519490930151167801000000000000000000000000000000000000000000000000029216919091179055506001905092915050565b6001600160a01b0383165f9081526002602052604081208054839290612196908490614357565b90915550506001600160a01b038316155f5a9050816121bf576121ba8585856132de565b6121c9565b6121c98484613395565b156121d5575050505050565b5f61c350836121e75762030d406121eb565b61c3505b6121f591906143d3565b9050806122036040846145ed565b61220d9084614357565b1015612245576040517f5dd42bb600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6122508686866133a7565b846001600160a01b0316866001600160a01b03167fcceda04bf5b3b12ed328861c4d5132ccde0b298bd9775393c6d7db3357c1dab58660405161229591815260200190565b60405180910390a3505050505050565b5f806122b460608401846143e6565b905067ffffffffffffffff8111156122ce576122ce613f8f565b6040519080825280602002602001820160405280156122f7578160200160208202803683370190505b5090505f5b8151811015612395577fdb67adb4efd6ae16ace0713aeb18100134fff9487228b793b8dc1e70c20eceee61233360608601866143e6565b838181106123435761234361436a565b90506040020160405160200161235a929190614623565b604051602081830303815290604052805190602001208282815181106123825761238261436a565b60209081029190910101526001016122fc565b505f816040516020016123a89190614655565b6040516020818303038152906040528051906020012090507f1b0353f6d263f9cd589cf9256b1a283f56a0e7f0fb3697b4679aefbc659596ec845f013585602001358660400160208101906123fd9190613e0b565b60408051602081019590955284019290925260608301526001600160a01b031660808281019190915260a0820183905285013560c082015260e0015b6040516020818303038152906040528051906020012092505050919050565b6124628282612096565b610844578161247083610a51565b6040517fd393c4cb0000000000000000000000000000000000000000000000000000000081526001600160a01b0390921660048301526024820152604401610900565b6005546001600160a01b031633146111a2576040517f118cdaa7000000000000000000000000000000000000000000000000000000008152336004820152602401610900565b6001600160a01b0382165f818152600d602052604090819020839055517f09baed3d4c12655cd5f7c13e514a1a96ecfff03a5b76b457554be23ccb62e861906125459084815260200190565b60405180910390a25050565b600b8190556040518181527f32fb7c9891bc4f963c7de9f1186d2a7755c7d6e9f4604dabe1d8bb3027c2f49e9060200160405180910390a150565b5f6001600160a01b038216156125a25781611c9f565b3392915050565b6125b1611a92565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038516906370a0823190602401602060405180830381865afa15801561260e573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190612632919061444a565b90506126496001600160a01b038516333086613413565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f9082906001600160a01b038716906370a0823190602401602060405180830381865afa1580156126a8573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906126cc919061444a565b6126d69190614357565b9050838111156126e35750825b604080516001600160a01b03808916825287166020820152908101829052606081018490527f49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e19060800160405180910390a161274186868386611875565b50506117e6611b8c565b600680547fffffffffffffffffffffffff000000000000000000000000000000000000000016905561113981613462565b60606127a77f00000000000000000000000000000000000000000000000000000000000000006134cb565b905090565b60606127a77f00000000000000000000000000000000000000000000000000000000000000006134cb565b600a80547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0383169081179091556040517fe6c09ffe4572dc9ceaa5ddde4ae41befa655d6fdfe8052077af0970f700e942e905f90a250565b5f5b8151811015610844576128698282815181106128585761285861436a565b602002602001015160200151613508565b6001600160a01b031660035f8484815181106128875761288761436a565b60200260200101515f01516001600160a01b03166001600160a01b031681526020019081526020015f20819055508181815181106128c7576128c761436a565b60200260200101515f01516001600160a01b03167f26cac2e9612e94b80b6577cdc3d8d10bf30a8178a54657541eb742b7fbf87a9d83838151811061290e5761290e61436a565b60200260200101516020015160405161292991815260200190565b60405180910390a260010161283a565b6001600160a01b038116612979576040517ff66e84f400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600980547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0383161790556129b581613554565b600980547fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff16740100000000000000000000000000000000000000009215158302179081905560405160ff9290910491909116151581526001600160a01b038216907fb52add5d9181a80e5dd11001c7bf377c7597a4e1c052ee3b90bc390f926db0329060200160405180910390a250565b5f80612a5660408401846144dc565b905067ffffffffffffffff811115612a7057612a70613f8f565b604051908082528060200260200182016040528015612a99578160200160208202803683370190505b5090505f5b8151811015612cdb5736612ab560408601866144dc565b83818110612ac557612ac561436a565b9050602002810190612ad79190614540565b90505f612ae760c083018361468a565b905067ffffffffffffffff811115612b0157612b01613f8f565b604051908082528060200260200182016040528015612b2a578160200160208202803683370190505b5090505f5b8151811015612c1a577f62234df1b8319b8247e451849a8c1fd91ab6ceee2952f785240e81e323f013b5612b6660c085018561468a565b83818110612b7657612b7661436a565b612b8c9260206080909202019081019150613e0b565b612b9960c086018661468a565b84818110612ba957612ba961436a565b90506080020160200135604051602001612bdf939291909283526001600160a01b03919091166020830152604082015260600190565b60405160208183030381529060405280519060200120828281518110612c0757612c0761436a565b6020908102919091010152600101612b2f565b505f612c2e61042136859003850185613fbc565b90507f1292b2ecd962e5909706a4a6ec637e4d5df0f3e2ef1aad09734060ba2fa22c52818460a0013584604051602001612c689190614655565b60408051601f198184030181528282528051602091820120908301959095528101929092526060820152608081019190915260a00160405160208183030381529060405280519060200120858581518110612cc557612cc561436a565b6020908102919091010152505050600101612a9e565b505f81604051602001612cee9190614655565b60408051601f19818403018152919052805160209182012091507fad7a46fad8555b831ed9ffe17798ce5e5abb7fff45883402b25da648ebbd984990612d3690860186613e0b565b612d466040870160208801613e0b565b6040805160208101949094526001600160a01b0392831690840152166060828101919091526080820183905285013560a082015260c001612439565b5f8181805b612d9460c086018661468a565b9050811015612f535736612dab60c087018761468a565b83818110612dbb57612dbb61436a565b905060800201905036868060e00190612dd491906144dc565b5f818110612de457612de461436a565b9050602002810190612df691906146ee565b9050825f03612e1a57612e1a8535612e146060880160408901613e0b565b836135d2565b612e468535612e2f6060880160408901613e0b565b612e3c6020860186613e0b565b85604001856136f1565b5f612e616060808501359088013561014085013560016137cf565b90506040830135851180612e785750808360200135115b15612ebc57604080517fab9b7434000000000000000000000000000000000000000000000000000000008152600481018b9052908401356024820152604401610900565b612ecb604084013560016143d3565b9450612edb6020840135886143d3565b96508760a00135871115612f1e576040517fd946c698000000000000000000000000000000000000000000000000000000008152600481018a9052602401610900565b612f48612f316060880160408901613e0b565b612f3e6020860186613e0b565b856020013561216f565b505050600101612d87565b50505092915050565b5f77ffffffffffffffffffffffffffffffffffffffffffffffff821115612fb9576040517f6dfcc65000000000000000000000000000000000000000000000000000000000815260c0600482015260248101839052604401610900565b5090565b5f67ffffffffffffffff821115612fb957604080517f6dfcc650000000000000000000000000000000000000000000000000000000008152600481019190915260248101839052604401610900565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c156111a2576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b804710156130af576040517fcf47918100000000000000000000000000000000000000000000000000000000815247600482015260248101829052604401610900565b6130c8828260405180602001604052805f815250613811565b156130d1575050565b3d156130df57610844613826565b6040517fd6bda27500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b61311e8383836001613831565b6110ad576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b0384166004820152602401610900565b5f611c9f61316b6138ac565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f5f5f6131b48686866139d5565b5090925090505f8160038111156131cd576131cd614720565b1480156131e757506009546001600160a01b038381169116145b925050505b9392505050565b6009545f90610a8d906001600160a01b0316858585613a1c565b6040517fffffffffffffffffffffffffffffffffffffffff000000000000000000000000606083901b1660208201525f9060340161110a565b5f8282604051602001611d4692919061474d565b5f83831080156132815750818585858181106132785761327861436a565b90506020020135145b95945050505050565b5f827fee05e73da8f2fce11d34a78a39998b4dd8a56c6298aa9ad2870c3f9a2821dc8e836040516020016132bf92919061478d565b6040516020818303038152906040528051906020012014905092915050565b6040516001600160a01b0383166024820152604481018290525f90819060640160408051601f19818403018152919052602080820180517bffffffffffffffffffffffffffffffffffffffffffffffffffffffff167fa9059cbb00000000000000000000000000000000000000000000000000000000178152825192935090915f91828962030d40f191503d80156133835760015f5114601f3d11168316925061338c565b5f863b11831692505b50509392505050565b5f5f5f5f5f858761c350f19392505050565b6001600160a01b038084165f908152600160209081526040808320938616835292905290812080548392906133dd9084906143d3565b90915550506001600160a01b0383165f90815260026020526040812080548392906134099084906143d3565b9091555050505050565b613421848484846001613a9f565b6117e6576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b0385166004820152602401610900565b600580546001600160a01b038381167fffffffffffffffffffffffff0000000000000000000000000000000000000000831681179093556040519116919082907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0905f90a35050565b60605f6134d783613b25565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f6001600160a01b03821115612fb9576040517f6dfcc65000000000000000000000000000000000000000000000000000000000815260a0600482015260248101839052604401610900565b5f5f826001600160a01b0316803b806020016040519081016040528181525f908060200190933c905080515f0361358d57505f92915050565b805160171415806131ec57506135a2816147fe565b7cffffffffffffffffffffffffffffffffffffffffffffffffffffffffff191662ef010060e81b14159392505050565b5f7f66edc7ab4e5f0ad0adad21638ffff360dbf956d89a28f9ec6cdd3e7a123bb4eb8261012001356136038561320d565b6040805160208101949094528301919091526060820152610140830135608082015261016083013560a082015260c00160408051601f1981840301815282825280516020918201207fc5b0643c7427e4816be79fd8064fc108fc7c5aefbe7016b1eeeb150228f9374591840191909152908201819052610180840135606083015291505f9060800160408051601f19818403018152919052805160209091012090505f6136b6611fb160e08601866144dc565b80156136d4575060808401356136d2611f4360e08701876144dc565b145b8015611fdb575060c0840135611fd9611f436101a08701876144dc565b5f7f5e1420e6482d4138dbc016fa378f064eb120b8b82c866fbb1da0b68c92f8abae8261012001356137228661320d565b8461012001356137318961320d565b60408051602081810197909752908101949094526060840192909252608083015260a08201529084013560c082015260e00160408051601f198184030181529190528051602090910120905061379661378e6101a08401846144dc565b85358461325a565b612028576040517fd50a69df00000000000000000000000000000000000000000000000000000000815260048101879052602401610900565b5f6137fc6137dc83613b65565b80156137f757505f84806137f2576137f26145c0565b868809115b151590565b613807868686613b91565b61328191906143d3565b5f5f5f83516020850186885af1949350505050565b6040513d5f823e3d81fd5b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f511483166138a0578383151615613894573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f306001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614801561390457507f000000000000000000000000000000000000000000000000000000000000000046145b1561392e57507f000000000000000000000000000000000000000000000000000000000000000090565b6127a7604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f80806041849003613a09578435602086013560408701355f1a6139fb89828585613c41565b955095509550505050613a13565b505f915060029050825b93509350939050565b604080517f1626ba7e00000000000000000000000000000000000000000000000000000000808252600482018690526024820192909252604481018390525f91908390818660648301375f82606483010152601f820160051c60051b915060205f60648401838b5afa9050825f5114601f3d111681169350505050949350505050565b6040517f23b872dd000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038781166004528616602452604485905291602083606481808c5af1925060015f51148316613b14578383151615613b08573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b5f60ff8216601f811115611c9f576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f6002826003811115613b7a57613b7a614720565b613b84919061486a565b60ff166001149050919050565b5f5f5f613b9e8686613d09565b91509150815f03613bc257838181613bb857613bb86145c0565b04925050506131ec565b818411613bd957613bd96003851502601118613d44565b5f848688095f868103871696879004966002600389028118808a02820302808a02820302808a02820302808a02820302808a02820302808a02909103029181900381900460010185841190960395909502919093039390930492909217029150509392505050565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0841115613c7a57505f91506003905082613cff565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015613ccb573d5f5f3e3d5ffd5b5050604051601f1901519150506001600160a01b038116613cf657505f925060019150829050613cff565b92505f91508190505b9450945094915050565b5f807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83850993909202808410938190039390930393915050565b634e487b715f52806020526024601cfd5b80356020831015611c9f577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff602084900360031b1b1692915050565b5f60208284031215613da1575f5ffd5b5035919050565b5f60a08284031215613db8575f5ffd5b50919050565b80356001600160a01b0381168114613dd4575f5ffd5b919050565b5f5f60c08385031215613dea575f5ffd5b613df48484613da8565b9150613e0260a08401613dbe565b90509250929050565b5f60208284031215613e1b575f5ffd5b6131ec82613dbe565b5f5f83601f840112613e34575f5ffd5b50813567ffffffffffffffff811115613e4b575f5ffd5b602083019150836020828501011115613e62575f5ffd5b9250929050565b5f5f5f5f5f8587036101a0811215613e7f575f5ffd5b610160811215613e8d575f5ffd5b5085945061016086013567ffffffffffffffff811115613eab575f5ffd5b8601601f81018813613ebb575f5ffd5b803567ffffffffffffffff811115613ed1575f5ffd5b8860208260051b8401011115613ee5575f5ffd5b6020919091019450925061018086013567ffffffffffffffff811115613f09575f5ffd5b613f1588828901613e24565b969995985093965092949392505050565b5f5f5f60408486031215613f38575f5ffd5b833567ffffffffffffffff811115613f4e575f5ffd5b613f5a86828701613da8565b935050602084013567ffffffffffffffff811115613f76575f5ffd5b613f8286828701613e24565b9497909650939450505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f60a0828403128015613fcd575f5ffd5b5060405160a0810167ffffffffffffffff81118282101715614016577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b6040528235815261402960208401613dbe565b602082015261403a60408401613dbe565b6040820152606083810135908201526080928301359281019290925250919050565b5f5f6040838503121561406d575f5ffd5b61407683613dbe565b946020939093013593505050565b5f5f5f60608486031215614096575f5ffd5b61409f84613dbe565b92506140ad60208501613dbe565b929592945050506040919091013590565b5f5f5f606084860312156140d0575f5ffd5b6140d984613dbe565b92506140e760208501613dbe565b91506140f560408501613dbe565b90509250925092565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f61416660e08301896140fe565b828103604084015261417881896140fe565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b818110156141cd5783518352602093840193909201916001016141af565b50909b9a5050505050505050505050565b5f5f604083850312156141ef575f5ffd5b50508035926020909101359150565b5f5f6020838503121561420f575f5ffd5b823567ffffffffffffffff811115614225575f5ffd5b8301601f81018513614235575f5ffd5b803567ffffffffffffffff81111561424b575f5ffd5b8560208260061b840101111561425f575f5ffd5b6020919091019590945092505050565b5f5f5f60408486031215614281575f5ffd5b833567ffffffffffffffff811115614297575f5ffd5b8401608081870312156142a8575f5ffd5b9250602084013567ffffffffffffffff811115613f76575f5ffd5b5f5f604083850312156142d4575f5ffd5b6142dd83613dbe565b9150613e0260208401613dbe565b5f5f5f5f608085870312156142fe575f5ffd5b61430785613dbe565b935061431560208601613dbe565b93969395505050506040820135916060013590565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b81810381811115611c9f57611c9f61432a565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b5f82357ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffde18336030181126143c9575f5ffd5b9190910192915050565b80820180821115611c9f57611c9f61432a565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112614419575f5ffd5b83018035915067ffffffffffffffff821115614433575f5ffd5b6020019150600681901b3603821315613e62575f5ffd5b5f6020828403121561445a575f5ffd5b5051919050565b5f6040828403128015614472575f5ffd5b506040805190810167ffffffffffffffff811182821017156144bb577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b6040526144c783613dbe565b81526020928301359281019290925250919050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe184360301811261450f575f5ffd5b83018035915067ffffffffffffffff821115614529575f5ffd5b6020019150600581901b3603821315613e62575f5ffd5b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff018336030181126143c9575f5ffd5b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff82036145a2576145a261432a565b5060010190565b8082028115828204841417611c9f57611c9f61432a565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b5f826145fb576145fb6145c0565b500490565b5f60208284031215614610575f5ffd5b813563ffffffff811681146131ec575f5ffd5b828152606081016001600160a01b0361463b84613dbe565b166020838101919091529290920135604090910152919050565b81515f90829060208501835b8281101561467f578151845260209384019390910190600101614661565b509195945050505050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe18436030181126146bd575f5ffd5b83018035915067ffffffffffffffff8211156146d7575f5ffd5b6020019150600781901b3603821315613e62575f5ffd5b5f82357ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe418336030181126143c9575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b5f7f07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83111561477a575f5ffd5b8260051b80858437919091019392505050565b82815281356020808301919091528201356040808301919091526101008201906001600160a01b03906147c1908501613dbe565b1660608381019190915283013560808084019190915283013560a08084019190915283013560c0808401919091529092013560e090910152919050565b805160208201517fffffff0000000000000000000000000000000000000000000000000000000000811691906003821015614863577fffffff0000000000000000000000000000000000000000000000000000000000808360030360031b1b82161692505b5050919050565b5f60ff83168061487c5761487c6145c0565b8060ff8416069150509291505056",
  "deployedBytecode": "0x608060405260043610610237575f3560e01c80638456cb5911610137578063d4570c1c116100af578063dce59c001161007e578063e801795211610063578063e801795214610786578063ef5e5914146107a5578063f2fde38b146107d05761026e565b8063dce59c001461074a578063e30c3978146107695761026e565b8063d4570c1c146106a1578063da748b10146106d7578063da9425e2146106ec578063dbc75634146107175761026e565b80638da5cb5b11610106578063b2f72e06116100eb578063b2f72e0614610644578063bf83f2a214610663578063cd2bc876146106825761026e565b80638da5cb5b14610608578063aa5dcecc146106255761026e565b80638456cb591461057557806384b0196e1461058957806387a6d651146105b05780638a0dac4a146105e95761026e565b80633f4ba83a116101ca5780635a1ee3ac116101995780635f74d8791161017e5780635f74d8791461050c578063715018a61461054d57806379ba5097146105615761026e565b80635a1ee3ac146104ce5780635e1c75e1146104ed5761026e565b80633f4ba83a14610445578063452a93201461045957806349290c1c146104905780634e59f5d8146104a35761026e565b80633a1f1021116102065780633a1f1021146103c95780633b76dd02146103e85780633ca1b8fb146104075780633ed35855146104265761026e565b806301e64725146102bd5780630501939a1461036857806305414ec01461038757806326dc9079146103aa5761026e565b3661026e576040517f783c318e00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b602036146102a8576040517f783c318e00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6102bb336102b6365f613d55565b6107ef565b005b3480156102c8575f5ffd5b5061032a6102d7366004613d91565b5f6020819052908152604090205477ffffffffffffffffffffffffffffffffffffffffffffffff8116907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1682565b6040805177ffffffffffffffffffffffffffffffffffffffffffffffff909316835267ffffffffffffffff9091166020830152015b60405180910390f35b348015610373575f5ffd5b506102bb610382366004613dd9565b610848565b348015610392575f5ffd5b5061039c600c5481565b60405190815260200161035f565b3480156103b5575f5ffd5b5061039c6103c4366004613e0b565b610a51565b3480156103d4575f5ffd5b506102bb6103e3366004613e69565b610a95565b3480156103f3575f5ffd5b506102bb610402366004613f26565b610d85565b348015610412575f5ffd5b5061039c610421366004613fbc565b6110b2565b348015610431575f5ffd5b506102bb610440366004613e0b565b611127565b348015610450575f5ffd5b506102bb61113c565b348015610464575f5ffd5b50600a54610478906001600160a01b031681565b6040516001600160a01b03909116815260200161035f565b6102bb61049e36600461405c565b6111a4565b3480156104ae575f5ffd5b5061039c6104bd366004613e0b565b60036020525f908152604090205481565b3480156104d9575f5ffd5b506102bb6104e8366004614084565b6111b6565b3480156104f8575f5ffd5b506102bb6105073660046140be565b61124f565b348015610517575f5ffd5b5060095461053d9074010000000000000000000000000000000000000000900460ff1681565b604051901515815260200161035f565b348015610558575f5ffd5b506102bb6112df565b34801561056c575f5ffd5b506102bb611311565b348015610580575f5ffd5b506102bb61136b565b348015610594575f5ffd5b5061059d611416565b60405161035f979695949392919061412c565b3480156105bb575f5ffd5b5061053d6105ca3660046141de565b600e60209081525f928352604080842090915290825290205460ff1681565b3480156105f4575f5ffd5b506102bb610603366004613e0b565b611474565b348015610613575f5ffd5b506005546001600160a01b0316610478565b348015610630575f5ffd5b50600954610478906001600160a01b031681565b34801561064f575f5ffd5b506102bb61065e3660046141fe565b611485565b34801561066e575f5ffd5b506102bb61067d366004613e0b565b6114e7565b34801561068d575f5ffd5b506102bb61069c36600461426f565b6114f8565b3480156106ac575f5ffd5b5061039c6106bb3660046142c3565b600160209081525f928352604080842090915290825290205481565b3480156106e2575f5ffd5b5061039c600b5481565b3480156106f7575f5ffd5b5061039c610706366004613e0b565b60026020525f908152604090205481565b348015610722575f5ffd5b5061039c7f000000000000000000000000000000000000000000000000000000000000000081565b348015610755575f5ffd5b506102bb610764366004613e0b565b611796565b348015610774575f5ffd5b506006546001600160a01b0316610478565b348015610791575f5ffd5b506102bb6107a03660046142eb565b6117d2565b3480156107b0575f5ffd5b5061039c6107bf366004613e0b565b600d6020525f908152604090205481565b3480156107db575f5ffd5b506102bb6107ea366004613e0b565b6117ec565b604080516001600160a01b03841681523460208201529081018290527f8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e34779060600160405180910390a1610844825f3484611875565b5050565b610850611a92565b5f61086361042136859003850185613fbc565b5f8181526020818152604080832081518083019092525477ffffffffffffffffffffffffffffffffffffffffffffffff8116808352780100000000000000000000000000000000000000000000000090910467ffffffffffffffff16928201929092529293509003610909576040517fce7631fe000000000000000000000000000000000000000000000000000000008152600481018390526024015b60405180910390fd5b806020015167ffffffffffffffff164210156109635760208101516040517f2a35a32400000000000000000000000000000000000000000000000000000000815267ffffffffffffffff9091166004820152602401610900565b61097c6109766040860160208701613e0b565b84611ac7565b5f828152602081815260409182902080547fffffffffffffffff000000000000000000000000000000000000000000000000169055825182516001600160a01b038716815277ffffffffffffffffffffffffffffffffffffffffffffffff9091169181019190915283917f4ad741c107ff401773fca1013a2dcce72a6b829e4b4683e6125696b5dd07b15c910160405180910390a2610a47610a246060860160408701613e0b565b8251859077ffffffffffffffffffffffffffffffffffffffffffffffff16611b34565b5050610844611b8c565b6001600160a01b0381165f9081526003602052604081205481610a748483611bb6565b9050818110610a83575f610a8d565b610a8d8183614357565b949350505050565b610a9d611a92565b5f610ab061042136889003880188613fbc565b9050610acc610abf8783611ca5565b8761014001358585611d64565b5f80610ade6060890160408a01613e0b565b610aee60e08a0160c08b01613e0b565b9092509050610b036040890160208a01613e0b565b6001600160a01b0316816001600160a01b031614610b4857610b4888358289895f81610b3157610b3161436a565b9050602002810190610b439190614397565b611e63565b60a08801351580610b8457505f8381526020819052604090205477ffffffffffffffffffffffffffffffffffffffffffffffff1660a089013514155b15610bbe576040517fce7631fe00000000000000000000000000000000000000000000000000000000815260048101849052602401610900565b61012088013560a0890135610bd78260e08c01356143d3565b1115610c12576040517fd946c69800000000000000000000000000000000000000000000000000000000815260048101859052602401610900565b8015610ca157610c32610c2d6101208b016101008c01613e0b565b612030565b610c3c8382612096565b610c4357505f5b6001600160a01b0383165f9081526001602052604081208291610c6e6101208d016101008e01613e0b565b6001600160a01b03166001600160a01b031681526020019081526020015f205f828254610c9b91906143d3565b90915550505b80610cb460e08b013560a08c0135614357565b610cbe9190614357565b5f858152602081815260409182902080547fffffffffffffffff0000000000000000000000000000000000000000000000001677ffffffffffffffffffffffffffffffffffffffffffffffff949094169390931790925580516001600160a01b038516815260e08c013592810192909252810182905284907f3dac79845d4b63cb85d1a68582c461c6298fbd26cfacd8a88d0f145fc39340ef9060600160405180910390a2610d7283838b60e0013561216f565b50505050610d7e611b8c565b5050505050565b610d8d611a92565b610da5610d99846122a5565b84608001358484611d64565b5f8080610db86060870160408801613e0b565b86355f818152600e60209081526040808320828c0135808552925290912054929550909350915060ff1615610e22576040517eee29560000000000000000000000000000000000000000000000000000000081526004810183905260248101829052604401610900565b5f828152600e60209081526040808320848452909152812080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00166001179055805b610e7260608901896143e6565b9050811015610eb757610e8860608901896143e6565b82818110610e9857610e9861436a565b9050604002016020013582610ead91906143d3565b9150600101610e65565b506001600160a01b0384165f818152600260205260408082205490517f70a08231000000000000000000000000000000000000000000000000000000008152306004820152919290916370a0823190602401602060405180830381865afa158015610f24573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610f48919061444a565b610f529190614357565b905080821115610fa0576040517f324d1fbf0000000000000000000000000000000000000000000000000000000081526001600160a01b038616600482015260248101829052604401610900565b610faa8583612458565b6001600160a01b0385165f9081526002602052604081208054849290610fd19084906143d3565b9091555050604080516001600160a01b038716815260208101849052849186917f3cd3ef084c965559733c3eb57698eaa15794be9d5a3ff3fe2a53612aa77a0166910160405180910390a35f5b61102b60608a018a6143e6565b905081101561109f576110978661104560608c018c6143e6565b848181106110555761105561436a565b61106b9260206040909202019081019150613e0b565b61107860608d018d6143e6565b858181106110885761108861436a565b9050604002016020013561216f565b60010161101e565b5050505050506110ad611b8c565b505050565b5f8160405160200161110a91905f60a082019050825182526001600160a01b0360208401511660208301526001600160a01b036040840151166040830152606083015160608301526080830151608083015292915050565b604051602081830303815290604052805190602001209050919050565b61112f6124b3565b611139815f6124f9565b50565b600a546001600160a01b0316331480159061116257506005546001600160a01b03163314155b15611199576040517f79a0f11900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6111a242612551565b565b6108446111b08361258c565b826107ef565b6110ad6111c28461258c565b6040517fdd62ed3e00000000000000000000000000000000000000000000000000000000815233600482015230602482015284906001600160a01b0382169063dd62ed3e90604401602060405180830381865afa158015611225573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611249919061444a565b846125a9565b611257611a92565b6112618282611ac7565b6001600160a01b038381165f818152600160209081526040808320878616808552908352818420805494905581519587168652918501839052805192949193927f913c992353dc81b7a8ba31496c484e9b6306bd2f6c509a649a38fdf5e1c953b29281900390910190a36112d6848383611b34565b506110ad611b8c565b6040517fc5fea89800000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b60065433906001600160a01b03168114611362576040517f118cdaa70000000000000000000000000000000000000000000000000000000081526001600160a01b0382166004820152602401610900565b6111398161274b565b600a546001600160a01b031633146113af576040517f79a0f11900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600c544210156113f157600c546040517ff2b950b200000000000000000000000000000000000000000000000000000000815260040161090091815260200190565b6113fe62127500426143d3565b600c556111a26114116203f480426143d3565b612551565b5f6060805f5f5f606061142761277c565b61142f6127ac565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b61147c6124b3565b611139816127d7565b61148d6124b3565b6108448282808060200260200160405190810160405280939291908181526020015f905b828210156114dd576114ce60408302860136819003810190614461565b815260200190600101906114b1565b5050505050612838565b6114ef6124b3565b61113981612939565b611500611a92565b61151861150c84612a47565b84606001358484611d64565b5f806115276020860186613e0b565b6115376040870160208801613e0b565b9150915061154481612030565b5f5f5f5b61155560408901896144dc565b9050811015611704573661156c60408a018a6144dc565b8381811061157c5761157c61436a565b905060200281019061158e9190614540565b90505f6115a361042136849003840184613fbc565b90506001600160a01b0387166115bf6060840160408501613e0b565b6001600160a01b031614611602576040517fe5da9f9200000000000000000000000000000000000000000000000000000000815260048101829052602401610900565b60a0820135158061163e57505f8181526020819052604090205477ffffffffffffffffffffffffffffffffffffffffffffffff1660a083013514155b1561164a5750506116fc565b5f81815260208190526040902080547fffffffffffffffff00000000000000000000000000000000000000000000000016905561168b60a0830135866143d3565b94506116978183612d82565b6116a59060a0840135614357565b6116af90856143d3565b604080516001600160a01b038916815260a0850135602082015291955082917fb79bedda498c1cccf46fe8f24a27a5405a25186994fc12cfd72886efa2ba9141910160405180910390a250505b600101611548565b50815f0361173e576040517f797dba5400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6117488483612458565b6001600160a01b038085165f9081526001602090815260408083209387168352929052908120805491905561178a908590859061178590856143d3565b611b34565b505050506110ad611b8c565b61179e6124b3565b6001600160a01b0381165f908152600d6020526040812054900361113957611139816117cd6202a300426143d3565b6124f9565b6117e66117de8561258c565b8484846125a9565b50505050565b6117f46124b3565b600680546001600160a01b0383167fffffffffffffffffffffffff0000000000000000000000000000000000000000909116811790915561183d6005546001600160a01b031690565b6001600160a01b03167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e2270060405160405180910390a350565b815f036118ae576040517f69b95dc900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f6040518060a00160405280838152602001866001600160a01b03168152602001856001600160a01b031681526020018481526020015f81525090505f6118f4826110b2565b90505b5f818152602081905260409020547801000000000000000000000000000000000000000000000000900467ffffffffffffffff1615611953576080820180519061194082614572565b90525061194c826110b2565b90506118f7565b5f61197e7f0000000000000000000000000000000000000000000000000000000000000000426143d3565b9050604051806040016040528061199487612f5c565b77ffffffffffffffffffffffffffffffffffffffffffffffff1681526020016119bc83612fbd565b67ffffffffffffffff9081169091525f8481526020818152604080832085519583015190941678010000000000000000000000000000000000000000000000000277ffffffffffffffffffffffffffffffffffffffffffffffff909516949094179092556001600160a01b038916815260029091529081208054879290611a449084906143d3565b90915550506080830151604080519182526020820183905283917f46c2216241d96d6e66d4c4167daf35ec8128f071fa007461204724ff5f7b35d8910160405180910390a250505050505050565b611a9a61300c565b6111a260017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90613065565b816001600160a01b0316816001600160a01b031614158015611af25750336001600160a01b03831614155b15610844576040517f8b23b00e0000000000000000000000000000000000000000000000000000000081526001600160a01b0383166004820152602401610900565b6001600160a01b0383165f9081526002602052604081208054839290611b5b908490614357565b90915550506001600160a01b038316611b78576110ad828261306c565b6110ad6001600160a01b0384168383613111565b6111a25f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00611ac1565b6001600160a01b0382165f90815260046020908152604080832081518083019092525477ffffffffffffffffffffffffffffffffffffffffffffffff811682527801000000000000000000000000000000000000000000000000900467ffffffffffffffff16918101829052908290610e1090611c339042614357565b611c3d90866145a9565b611c4791906145ed565b905080825f015177ffffffffffffffffffffffffffffffffffffffffffffffff1611611c73575f611c9a565b8151611c9a90829077ffffffffffffffffffffffffffffffffffffffffffffffff16614357565b925050505b92915050565b5f7fa22da759469cc28cac47fe97347c8748e860102995362a0b8cdc7e1aa6e25f5a8260a0850135611cdd60e0870160c08801613e0b565b60e0870135611cf461012089016101008a01613e0b565b60408051602081019790975286019490945260608501929092526001600160a01b03908116608085015260a08401919091521660c08201526101208085013560e0830152610140850135610100830152015b60405160208183030381529060405280519060200120905092915050565b600b54421015611da657600b546040517f8b00ce4800000000000000000000000000000000000000000000000000000000815260040161090091815260200190565b82421115611de3576040517ff80dbaea00000000000000000000000000000000000000000000000000000000815260048101849052602401610900565b5f611ded8561315f565b60095490915074010000000000000000000000000000000000000000900460ff16611e2257611e1d8184846131a6565b611e2d565b611e2d8184846131f3565b610d7e576040517f8baa579f00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f7f9f8e11410c9bfb023e54a2bfcc41ef4f8db1fe4bb5db7873169ff3aead2bf0e2826101800135611e948561320d565b6101a08501356101c0860135611eb261020088016101e08901614600565b6040805160208101979097528601949094526060850192909252608084015260a083015263ffffffff1660c082015261020083013560e08201526101000160408051601f19818403018152919052805160209091012090505f7fc5b0643c7427e4816be79fd8064fc108fc7c5aefbe7016b1eeeb150228f93745610120840135611f48611f436101408701876144dc565b613246565b604080516020810194909452830191909152606082015260800160408051601f19818403018152919052805160209091012090505f611f9a611f8e6101408601866144dc565b8661016001358661325a565b8015611fbd5750611fbd611fb160e08601866144dc565b8661010001358561325a565b8015611fdb57506080840135611fd9611f4360e08701876144dc565b145b8015611fec5750611fec868561328a565b905080612028576040517fd50a69df00000000000000000000000000000000000000000000000000000000815260048101879052602401610900565b505050505050565b6001600160a01b0381165f908152600d602052604090205480158061205457508042105b15610844576040517f3b99e8f50000000000000000000000000000000000000000000000000000000081526001600160a01b0383166004820152602401610900565b5f6120a083610a51565b8211156120ae57505f611c9f565b6001600160a01b0383165f9081526003602052604081205483906120d3908690611bb6565b6120dd91906143d3565b905060405180604001604052806120f383612f5c565b77ffffffffffffffffffffffffffffffffffffffffffffffff908116825267ffffffffffffffff4281166020938401526001600160a01b0388165f908152600484526040902084519490930151167801000000000000000000000000000000000000000000000000029216919091179055506001905092915050565b6001600160a01b0383165f9081526002602052604081208054839290612196908490614357565b90915550506001600160a01b038316155f5a9050816121bf576121ba8585856132de565b6121c9565b6121c98484613395565b156121d5575050505050565b5f61c350836121e75762030d406121eb565b61c3505b6121f591906143d3565b9050806122036040846145ed565b61220d9084614357565b1015612245576040517f5dd42bb600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6122508686866133a7565b846001600160a01b0316866001600160a01b03167fcceda04bf5b3b12ed328861c4d5132ccde0b298bd9775393c6d7db3357c1dab58660405161229591815260200190565b60405180910390a3505050505050565b5f806122b460608401846143e6565b905067ffffffffffffffff8111156122ce576122ce613f8f565b6040519080825280602002602001820160405280156122f7578160200160208202803683370190505b5090505f5b8151811015612395577fdb67adb4efd6ae16ace0713aeb18100134fff9487228b793b8dc1e70c20eceee61233360608601866143e6565b838181106123435761234361436a565b90506040020160405160200161235a929190614623565b604051602081830303815290604052805190602001208282815181106123825761238261436a565b60209081029190910101526001016122fc565b505f816040516020016123a89190614655565b6040516020818303038152906040528051906020012090507f1b0353f6d263f9cd589cf9256b1a283f56a0e7f0fb3697b4679aefbc659596ec845f013585602001358660400160208101906123fd9190613e0b565b60408051602081019590955284019290925260608301526001600160a01b031660808281019190915260a0820183905285013560c082015260e0015b6040516020818303038152906040528051906020012092505050919050565b6124628282612096565b610844578161247083610a51565b6040517fd393c4cb0000000000000000000000000000000000000000000000000000000081526001600160a01b0390921660048301526024820152604401610900565b6005546001600160a01b031633146111a2576040517f118cdaa7000000000000000000000000000000000000000000000000000000008152336004820152602401610900565b6001600160a01b0382165f818152600d602052604090819020839055517f09baed3d4c12655cd5f7c13e514a1a96ecfff03a5b76b457554be23ccb62e861906125459084815260200190565b60405180910390a25050565b600b8190556040518181527f32fb7c9891bc4f963c7de9f1186d2a7755c7d6e9f4604dabe1d8bb3027c2f49e9060200160405180910390a150565b5f6001600160a01b038216156125a25781611c9f565b3392915050565b6125b1611a92565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038516906370a0823190602401602060405180830381865afa15801561260e573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190612632919061444a565b90506126496001600160a01b038516333086613413565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f9082906001600160a01b038716906370a0823190602401602060405180830381865afa1580156126a8573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906126cc919061444a565b6126d69190614357565b9050838111156126e35750825b604080516001600160a01b03808916825287166020820152908101829052606081018490527f49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e19060800160405180910390a161274186868386611875565b50506117e6611b8c565b600680547fffffffffffffffffffffffff000000000000000000000000000000000000000016905561113981613462565b60606127a77f00000000000000000000000000000000000000000000000000000000000000006134cb565b905090565b60606127a77f00000000000000000000000000000000000000000000000000000000000000006134cb565b600a80547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0383169081179091556040517fe6c09ffe4572dc9ceaa5ddde4ae41befa655d6fdfe8052077af0970f700e942e905f90a250565b5f5b8151811015610844576128698282815181106128585761285861436a565b602002602001015160200151613508565b6001600160a01b031660035f8484815181106128875761288761436a565b60200260200101515f01516001600160a01b03166001600160a01b031681526020019081526020015f20819055508181815181106128c7576128c761436a565b60200260200101515f01516001600160a01b03167f26cac2e9612e94b80b6577cdc3d8d10bf30a8178a54657541eb742b7fbf87a9d83838151811061290e5761290e61436a565b60200260200101516020015160405161292991815260200190565b60405180910390a260010161283a565b6001600160a01b038116612979576040517ff66e84f400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600980547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0383161790556129b581613554565b600980547fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff16740100000000000000000000000000000000000000009215158302179081905560405160ff9290910491909116151581526001600160a01b038216907fb52add5d9181a80e5dd11001c7bf377c7597a4e1c052ee3b90bc390f926db0329060200160405180910390a250565b5f80612a5660408401846144dc565b905067ffffffffffffffff811115612a7057612a70613f8f565b604051908082528060200260200182016040528015612a99578160200160208202803683370190505b5090505f5b8151811015612cdb5736612ab560408601866144dc565b83818110612ac557612ac561436a565b9050602002810190612ad79190614540565b90505f612ae760c083018361468a565b905067ffffffffffffffff811115612b0157612b01613f8f565b604051908082528060200260200182016040528015612b2a578160200160208202803683370190505b5090505f5b8151811015612c1a577f62234df1b8319b8247e451849a8c1fd91ab6ceee2952f785240e81e323f013b5612b6660c085018561468a565b83818110612b7657612b7661436a565b612b8c9260206080909202019081019150613e0b565b612b9960c086018661468a565b84818110612ba957612ba961436a565b90506080020160200135604051602001612bdf939291909283526001600160a01b03919091166020830152604082015260600190565b60405160208183030381529060405280519060200120828281518110612c0757612c0761436a565b6020908102919091010152600101612b2f565b505f612c2e61042136859003850185613fbc565b90507f1292b2ecd962e5909706a4a6ec637e4d5df0f3e2ef1aad09734060ba2fa22c52818460a0013584604051602001612c689190614655565b60408051601f198184030181528282528051602091820120908301959095528101929092526060820152608081019190915260a00160405160208183030381529060405280519060200120858581518110612cc557612cc561436a565b6020908102919091010152505050600101612a9e565b505f81604051602001612cee9190614655565b60408051601f19818403018152919052805160209182012091507fad7a46fad8555b831ed9ffe17798ce5e5abb7fff45883402b25da648ebbd984990612d3690860186613e0b565b612d466040870160208801613e0b565b6040805160208101949094526001600160a01b0392831690840152166060828101919091526080820183905285013560a082015260c001612439565b5f8181805b612d9460c086018661468a565b9050811015612f535736612dab60c087018761468a565b83818110612dbb57612dbb61436a565b905060800201905036868060e00190612dd491906144dc565b5f818110612de457612de461436a565b9050602002810190612df691906146ee565b9050825f03612e1a57612e1a8535612e146060880160408901613e0b565b836135d2565b612e468535612e2f6060880160408901613e0b565b612e3c6020860186613e0b565b85604001856136f1565b5f612e616060808501359088013561014085013560016137cf565b90506040830135851180612e785750808360200135115b15612ebc57604080517fab9b7434000000000000000000000000000000000000000000000000000000008152600481018b9052908401356024820152604401610900565b612ecb604084013560016143d3565b9450612edb6020840135886143d3565b96508760a00135871115612f1e576040517fd946c698000000000000000000000000000000000000000000000000000000008152600481018a9052602401610900565b612f48612f316060880160408901613e0b565b612f3e6020860186613e0b565b856020013561216f565b505050600101612d87565b50505092915050565b5f77ffffffffffffffffffffffffffffffffffffffffffffffff821115612fb9576040517f6dfcc65000000000000000000000000000000000000000000000000000000000815260c0600482015260248101839052604401610900565b5090565b5f67ffffffffffffffff821115612fb957604080517f6dfcc650000000000000000000000000000000000000000000000000000000008152600481019190915260248101839052604401610900565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c156111a2576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b804710156130af576040517fcf47918100000000000000000000000000000000000000000000000000000000815247600482015260248101829052604401610900565b6130c8828260405180602001604052805f815250613811565b156130d1575050565b3d156130df57610844613826565b6040517fd6bda27500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b61311e8383836001613831565b6110ad576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b0384166004820152602401610900565b5f611c9f61316b6138ac565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f5f5f6131b48686866139d5565b5090925090505f8160038111156131cd576131cd614720565b1480156131e757506009546001600160a01b038381169116145b925050505b9392505050565b6009545f90610a8d906001600160a01b0316858585613a1c565b6040517fffffffffffffffffffffffffffffffffffffffff000000000000000000000000606083901b1660208201525f9060340161110a565b5f8282604051602001611d4692919061474d565b5f83831080156132815750818585858181106132785761327861436a565b90506020020135145b95945050505050565b5f827fee05e73da8f2fce11d34a78a39998b4dd8a56c6298aa9ad2870c3f9a2821dc8e836040516020016132bf92919061478d565b6040516020818303038152906040528051906020012014905092915050565b6040516001600160a01b0383166024820152604481018290525f90819060640160408051601f19818403018152919052602080820180517bffffffffffffffffffffffffffffffffffffffffffffffffffffffff167fa9059cbb00000000000000000000000000000000000000000000000000000000178152825192935090915f91828962030d40f191503d80156133835760015f5114601f3d11168316925061338c565b5f863b11831692505b50509392505050565b5f5f5f5f5f858761c350f19392505050565b6001600160a01b038084165f908152600160209081526040808320938616835292905290812080548392906133dd9084906143d3565b90915550506001600160a01b0383165f90815260026020526040812080548392906134099084906143d3565b9091555050505050565b613421848484846001613a9f565b6117e6576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b0385166004820152602401610900565b600580546001600160a01b038381167fffffffffffffffffffffffff0000000000000000000000000000000000000000831681179093556040519116919082907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0905f90a35050565b60605f6134d783613b25565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f6001600160a01b03821115612fb9576040517f6dfcc65000000000000000000000000000000000000000000000000000000000815260a0600482015260248101839052604401610900565b5f5f826001600160a01b0316803b806020016040519081016040528181525f908060200190933c905080515f0361358d57505f92915050565b805160171415806131ec57506135a2816147fe565b7cffffffffffffffffffffffffffffffffffffffffffffffffffffffffff191662ef010060e81b14159392505050565b5f7f66edc7ab4e5f0ad0adad21638ffff360dbf956d89a28f9ec6cdd3e7a123bb4eb8261012001356136038561320d565b6040805160208101949094528301919091526060820152610140830135608082015261016083013560a082015260c00160408051601f1981840301815282825280516020918201207fc5b0643c7427e4816be79fd8064fc108fc7c5aefbe7016b1eeeb150228f9374591840191909152908201819052610180840135606083015291505f9060800160408051601f19818403018152919052805160209091012090505f6136b6611fb160e08601866144dc565b80156136d4575060808401356136d2611f4360e08701876144dc565b145b8015611fdb575060c0840135611fd9611f436101a08701876144dc565b5f7f5e1420e6482d4138dbc016fa378f064eb120b8b82c866fbb1da0b68c92f8abae8261012001356137228661320d565b8461012001356137318961320d565b60408051602081810197909752908101949094526060840192909252608083015260a08201529084013560c082015260e00160408051601f198184030181529190528051602090910120905061379661378e6101a08401846144dc565b85358461325a565b612028576040517fd50a69df00000000000000000000000000000000000000000000000000000000815260048101879052602401610900565b5f6137fc6137dc83613b65565b80156137f757505f84806137f2576137f26145c0565b868809115b151590565b613807868686613b91565b61328191906143d3565b5f5f5f83516020850186885af1949350505050565b6040513d5f823e3d81fd5b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f511483166138a0578383151615613894573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f306001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614801561390457507f000000000000000000000000000000000000000000000000000000000000000046145b1561392e57507f000000000000000000000000000000000000000000000000000000000000000090565b6127a7604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f80806041849003613a09578435602086013560408701355f1a6139fb89828585613c41565b955095509550505050613a13565b505f915060029050825b93509350939050565b604080517f1626ba7e00000000000000000000000000000000000000000000000000000000808252600482018690526024820192909252604481018390525f91908390818660648301375f82606483010152601f820160051c60051b915060205f60648401838b5afa9050825f5114601f3d111681169350505050949350505050565b6040517f23b872dd000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038781166004528616602452604485905291602083606481808c5af1925060015f51148316613b14578383151615613b08573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b5f60ff8216601f811115611c9f576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f6002826003811115613b7a57613b7a614720565b613b84919061486a565b60ff166001149050919050565b5f5f5f613b9e8686613d09565b91509150815f03613bc257838181613bb857613bb86145c0565b04925050506131ec565b818411613bd957613bd96003851502601118613d44565b5f848688095f868103871696879004966002600389028118808a02820302808a02820302808a02820302808a02820302808a02820302808a02909103029181900381900460010185841190960395909502919093039390930492909217029150509392505050565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0841115613c7a57505f91506003905082613cff565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015613ccb573d5f5f3e3d5ffd5b5050604051601f1901519150506001600160a01b038116613cf657505f925060019150829050613cff565b92505f91508190505b9450945094915050565b5f807fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83850993909202808410938190039390930393915050565b634e487b715f52806020526024601cfd5b80356020831015611c9f577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff602084900360031b1b1692915050565b5f60208284031215613da1575f5ffd5b5035919050565b5f60a08284031215613db8575f5ffd5b50919050565b80356001600160a01b0381168114613dd4575f5ffd5b919050565b5f5f60c08385031215613dea575f5ffd5b613df48484613da8565b9150613e0260a08401613dbe565b90509250929050565b5f60208284031215613e1b575f5ffd5b6131ec82613dbe565b5f5f83601f840112613e34575f5ffd5b50813567ffffffffffffffff811115613e4b575f5ffd5b602083019150836020828501011115613e62575f5ffd5b9250929050565b5f5f5f5f5f8587036101a0811215613e7f575f5ffd5b610160811215613e8d575f5ffd5b5085945061016086013567ffffffffffffffff811115613eab575f5ffd5b8601601f81018813613ebb575f5ffd5b803567ffffffffffffffff811115613ed1575f5ffd5b8860208260051b8401011115613ee5575f5ffd5b6020919091019450925061018086013567ffffffffffffffff811115613f09575f5ffd5b613f1588828901613e24565b969995985093965092949392505050565b5f5f5f60408486031215613f38575f5ffd5b833567ffffffffffffffff811115613f4e575f5ffd5b613f5a86828701613da8565b935050602084013567ffffffffffffffff811115613f76575f5ffd5b613f8286828701613e24565b9497909650939450505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f60a0828403128015613fcd575f5ffd5b5060405160a0810167ffffffffffffffff81118282101715614016577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b6040528235815261402960208401613dbe565b602082015261403a60408401613dbe565b6040820152606083810135908201526080928301359281019290925250919050565b5f5f6040838503121561406d575f5ffd5b61407683613dbe565b946020939093013593505050565b5f5f5f60608486031215614096575f5ffd5b61409f84613dbe565b92506140ad60208501613dbe565b929592945050506040919091013590565b5f5f5f606084860312156140d0575f5ffd5b6140d984613dbe565b92506140e760208501613dbe565b91506140f560408501613dbe565b90509250925092565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f61416660e08301896140fe565b828103604084015261417881896140fe565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b818110156141cd5783518352602093840193909201916001016141af565b50909b9a5050505050505050505050565b5f5f604083850312156141ef575f5ffd5b50508035926020909101359150565b5f5f6020838503121561420f575f5ffd5b823567ffffffffffffffff811115614225575f5ffd5b8301601f81018513614235575f5ffd5b803567ffffffffffffffff81111561424b575f5ffd5b8560208260061b840101111561425f575f5ffd5b6020919091019590945092505050565b5f5f5f60408486031215614281575f5ffd5b833567ffffffffffffffff811115614297575f5ffd5b8401608081870312156142a8575f5ffd5b9250602084013567ffffffffffffffff811115613f76575f5ffd5b5f5f604083850312156142d4575f5ffd5b6142dd83613dbe565b9150613e0260208401613dbe565b5f5f5f5f608085870312156142fe575f5ffd5b61430785613dbe565b935061431560208601613dbe565b93969395505050506040820135916060013590565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b81810381811115611c9f57611c9f61432a565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b5f82357ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffde18336030181126143c9575f5ffd5b9190910192915050565b80820180821115611c9f57611c9f61432a565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112614419575f5ffd5b83018035915067ffffffffffffffff821115614433575f5ffd5b6020019150600681901b3603821315613e62575f5ffd5b5f6020828403121561445a575f5ffd5b5051919050565b5f6040828403128015614472575f5ffd5b506040805190810167ffffffffffffffff811182821017156144bb577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b6040526144c783613dbe565b81526020928301359281019290925250919050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe184360301811261450f575f5ffd5b83018035915067ffffffffffffffff821115614529575f5ffd5b6020019150600581901b3603821315613e62575f5ffd5b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff018336030181126143c9575f5ffd5b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff82036145a2576145a261432a565b5060010190565b8082028115828204841417611c9f57611c9f61432a565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b5f826145fb576145fb6145c0565b500490565b5f60208284031215614610575f5ffd5b813563ffffffff811681146131ec575f5ffd5b828152606081016001600160a01b0361463b84613dbe565b166020838101919091529290920135604090910152919050565b81515f90829060208501835b8281101561467f578151845260209384019390910190600101614661565b509195945050505050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe18436030181126146bd575f5ffd5b83018035915067ffffffffffffffff8211156146d7575f5ffd5b6020019150600781901b3603821315613e62575f5ffd5b5f82357ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe418336030181126143c9575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b5f7f07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83111561477a575f5ffd5b8260051b80858437919091019392505050565b82815281356020808301919091528201356040808301919091526101008201906001600160a01b03906147c1908501613dbe565b1660608381019190915283013560808084019190915283013560a08084019190915283013560c0808401919091529092013560e090910152919050565b805160208201517fffffff0000000000000000000000000000000000000000000000000000000000811691906003821015614863577fffffff0000000000000000000000000000000000000000000000000000000000808360030360031b1b82161692505b5050919050565b5f60ff83168061487c5761487c6145c0565b8060ff8416069150509291505056",
  "immutables": [
    [
      1832,
      32
    ],
    [
      6489,
      32
    ],
    [
      10115,
      32
    ],
    [
      10163,
      32
    ],
    [
      14520,
      32
    ],
    [
      14562,
      32
    ],
    [
      14604,
      32
    ],
    [
      14685,
      32
    ],
    [
      14725,
      32
    ]
  ]
} as const
