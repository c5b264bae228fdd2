// Generated from ../solidity/ApprovalProxy.sol by npm run compile.
export const approvalProxy = {
  "abi": [
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "depository",
          "type": "address"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "constructor"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "identity",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "orderId",
          "type": "bytes32"
        }
      ],
      "name": "AlreadyFilled",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "EmptySignature",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint256",
          "name": "deadline",
          "type": "uint256"
        }
      ],
      "name": "FillExpired",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "LengthsDiffer",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "uint256",
          "name": "call",
          "type": "uint256"
        }
      ],
      "name": "MayNotFail",
      "type": "error"
    },
    {
      "inputs": [
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
      "name": "NativePaymentFailed",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "NoRefundRecipient",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "identity",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "caller",
          "type": "address"
        }
      ],
      "name": "NotAKey",
      "type": "error"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "owner",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "caller",
          "type": "address"
        }
      ],
      "name": "NotTheOwner",
      "type": "error"
    },
    {
      "inputs": [],
      "name": "OnePermitOnly",
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
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "identity",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "key",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "bool",
          "name": "allowed",
          "type": "bool"
        }
      ],
      "name": "KeySet",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "identity",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "bytes32",
          "name": "orderId",
          "type": "bytes32"
        }
      ],
      "name": "OrderFilled",
      "type": "event"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "identity",
              "type": "address"
            },
            {
              "internalType": "bytes32",
              "name": "orderId",
              "type": "bytes32"
            },
            {
              "internalType": "uint256",
              "name": "deadline",
              "type": "uint256"
            }
          ],
          "internalType": "struct ApprovalProxy.Fill",
          "name": "order",
          "type": "tuple"
        },
        {
          "internalType": "address[]",
          "name": "tokens",
          "type": "address[]"
        },
        {
          "internalType": "uint256[]",
          "name": "amounts",
          "type": "uint256[]"
        },
        {
          "components": [
            {
              "internalType": "address",
              "name": "target",
              "type": "address"
            },
            {
              "internalType": "bool",
              "name": "allowFailure",
              "type": "bool"
            },
            {
              "internalType": "uint256",
              "name": "value",
              "type": "uint256"
            },
            {
              "internalType": "bytes",
              "name": "callData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Call[]",
          "name": "calls",
          "type": "tuple[]"
        },
        {
          "internalType": "address",
          "name": "refundTo",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "nftRecipient",
          "type": "address"
        }
      ],
      "name": "fill",
      "outputs": [],
      "stateMutability": "payable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "identity",
          "type": "address"
        },
        {
          "internalType": "bytes32",
          "name": "orderId",
          "type": "bytes32"
        }
      ],
      "name": "filled",
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
          "name": "identity",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "key",
          "type": "address"
        }
      ],
      "name": "isKey",
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
      "inputs": [],
      "name": "permit2",
      "outputs": [
        {
          "internalType": "contract Permit2Transfers",
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
          "internalType": "address",
          "name": "user",
          "type": "address"
        },
        {
          "components": [
            {
              "components": [
                {
                  "internalType": "address",
                  "name": "token",
                  "type": "address"
                },
                {
                  "internalType": "uint256",
                  "name": "amount",
                  "type": "uint256"
                }
              ],
              "internalType": "struct Permit2Transfers.TokenPermissions[]",
              "name": "permitted",
              "type": "tuple[]"
            },
            {
              "internalType": "uint256",
              "name": "nonce",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "deadline",
              "type": "uint256"
            }
          ],
          "internalType": "struct Permit2Transfers.PermitBatchTransferFrom",
          "name": "permit",
          "type": "tuple"
        },
        {
          "components": [
            {
              "internalType": "address",
              "name": "target",
              "type": "address"
            },
            {
              "internalType": "bool",
              "name": "allowFailure",
              "type": "bool"
            },
            {
              "internalType": "uint256",
              "name": "value",
              "type": "uint256"
            },
            {
              "internalType": "bytes",
              "name": "callData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Call[]",
          "name": "calls",
          "type": "tuple[]"
        },
        {
          "internalType": "address",
          "name": "refundTo",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "nftRecipient",
          "type": "address"
        },
        {
          "internalType": "bytes",
          "name": "metadata",
          "type": "bytes"
        },
        {
          "internalType": "bytes",
          "name": "signature",
          "type": "bytes"
        }
      ],
      "name": "permit2TransferAndMulticall",
      "outputs": [
        {
          "components": [
            {
              "internalType": "bool",
              "name": "success",
              "type": "bool"
            },
            {
              "internalType": "bytes",
              "name": "returnData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Router.Result[]",
          "name": "results",
          "type": "tuple[]"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "from",
              "type": "address"
            },
            {
              "internalType": "uint256",
              "name": "value",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "validAfter",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "validBefore",
              "type": "uint256"
            },
            {
              "internalType": "uint8",
              "name": "v",
              "type": "uint8"
            },
            {
              "internalType": "bytes32",
              "name": "r",
              "type": "bytes32"
            },
            {
              "internalType": "bytes32",
              "name": "s",
              "type": "bytes32"
            }
          ],
          "internalType": "struct Permits.Permit3009[]",
          "name": "permits",
          "type": "tuple[]"
        },
        {
          "internalType": "address[]",
          "name": "tokens",
          "type": "address[]"
        },
        {
          "components": [
            {
              "internalType": "address",
              "name": "target",
              "type": "address"
            },
            {
              "internalType": "bool",
              "name": "allowFailure",
              "type": "bool"
            },
            {
              "internalType": "uint256",
              "name": "value",
              "type": "uint256"
            },
            {
              "internalType": "bytes",
              "name": "callData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Call[]",
          "name": "calls",
          "type": "tuple[]"
        },
        {
          "internalType": "address",
          "name": "refundTo",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "nftRecipient",
          "type": "address"
        },
        {
          "internalType": "bytes",
          "name": "metadata",
          "type": "bytes"
        }
      ],
      "name": "permit3009TransferAndMulticall",
      "outputs": [
        {
          "components": [
            {
              "internalType": "bool",
              "name": "success",
              "type": "bool"
            },
            {
              "internalType": "bytes",
              "name": "returnData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Router.Result[]",
          "name": "results",
          "type": "tuple[]"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "token",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "owner",
              "type": "address"
            },
            {
              "internalType": "uint256",
              "name": "value",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "nonce",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "deadline",
              "type": "uint256"
            },
            {
              "internalType": "uint8",
              "name": "v",
              "type": "uint8"
            },
            {
              "internalType": "bytes32",
              "name": "r",
              "type": "bytes32"
            },
            {
              "internalType": "bytes32",
              "name": "s",
              "type": "bytes32"
            }
          ],
          "internalType": "struct Permits.Permit2612",
          "name": "allowance",
          "type": "tuple"
        },
        {
          "internalType": "address",
          "name": "user",
          "type": "address"
        },
        {
          "components": [
            {
              "components": [
                {
                  "internalType": "address",
                  "name": "token",
                  "type": "address"
                },
                {
                  "internalType": "uint256",
                  "name": "amount",
                  "type": "uint256"
                }
              ],
              "internalType": "struct Permit2Transfers.TokenPermissions[]",
              "name": "permitted",
              "type": "tuple[]"
            },
            {
              "internalType": "uint256",
              "name": "nonce",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "deadline",
              "type": "uint256"
            }
          ],
          "internalType": "struct Permit2Transfers.PermitBatchTransferFrom",
          "name": "permit",
          "type": "tuple"
        },
        {
          "components": [
            {
              "internalType": "address",
              "name": "target",
              "type": "address"
            },
            {
              "internalType": "bool",
              "name": "allowFailure",
              "type": "bool"
            },
            {
              "internalType": "uint256",
              "name": "value",
              "type": "uint256"
            },
            {
              "internalType": "bytes",
              "name": "callData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Call[]",
          "name": "calls",
          "type": "tuple[]"
        },
        {
          "internalType": "address",
          "name": "refundTo",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "nftRecipient",
          "type": "address"
        },
        {
          "internalType": "bytes",
          "name": "metadata",
          "type": "bytes"
        },
        {
          "internalType": "bytes",
          "name": "signature",
          "type": "bytes"
        }
      ],
      "name": "permitAndPermit2TransferAndMulticall",
      "outputs": [
        {
          "components": [
            {
              "internalType": "bool",
              "name": "success",
              "type": "bool"
            },
            {
              "internalType": "bytes",
              "name": "returnData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Router.Result[]",
          "name": "results",
          "type": "tuple[]"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "components": [
            {
              "internalType": "address",
              "name": "token",
              "type": "address"
            },
            {
              "internalType": "address",
              "name": "owner",
              "type": "address"
            },
            {
              "internalType": "uint256",
              "name": "value",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "nonce",
              "type": "uint256"
            },
            {
              "internalType": "uint256",
              "name": "deadline",
              "type": "uint256"
            },
            {
              "internalType": "uint8",
              "name": "v",
              "type": "uint8"
            },
            {
              "internalType": "bytes32",
              "name": "r",
              "type": "bytes32"
            },
            {
              "internalType": "bytes32",
              "name": "s",
              "type": "bytes32"
            }
          ],
          "internalType": "struct Permits.Permit2612[]",
          "name": "permits",
          "type": "tuple[]"
        },
        {
          "components": [
            {
              "internalType": "address",
              "name": "target",
              "type": "address"
            },
            {
              "internalType": "bool",
              "name": "allowFailure",
              "type": "bool"
            },
            {
              "internalType": "uint256",
              "name": "value",
              "type": "uint256"
            },
            {
              "internalType": "bytes",
              "name": "callData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Call[]",
          "name": "calls",
          "type": "tuple[]"
        },
        {
          "internalType": "address",
          "name": "refundTo",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "nftRecipient",
          "type": "address"
        },
        {
          "internalType": "bytes",
          "name": "metadata",
          "type": "bytes"
        }
      ],
      "name": "permitTransferAndMulticall",
      "outputs": [
        {
          "components": [
            {
              "internalType": "bool",
              "name": "success",
              "type": "bool"
            },
            {
              "internalType": "bytes",
              "name": "returnData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Router.Result[]",
          "name": "results",
          "type": "tuple[]"
        }
      ],
      "stateMutability": "payable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "router",
      "outputs": [
        {
          "internalType": "contract Router",
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
          "internalType": "address",
          "name": "key",
          "type": "address"
        },
        {
          "internalType": "bool",
          "name": "allowed",
          "type": "bool"
        }
      ],
      "name": "setKey",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address[]",
          "name": "tokens",
          "type": "address[]"
        },
        {
          "internalType": "uint256[]",
          "name": "amounts",
          "type": "uint256[]"
        },
        {
          "components": [
            {
              "internalType": "address",
              "name": "target",
              "type": "address"
            },
            {
              "internalType": "bool",
              "name": "allowFailure",
              "type": "bool"
            },
            {
              "internalType": "uint256",
              "name": "value",
              "type": "uint256"
            },
            {
              "internalType": "bytes",
              "name": "callData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Call[]",
          "name": "calls",
          "type": "tuple[]"
        },
        {
          "internalType": "address",
          "name": "refundTo",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "nftRecipient",
          "type": "address"
        },
        {
          "internalType": "bytes",
          "name": "metadata",
          "type": "bytes"
        }
      ],
      "name": "transferAndMulticall",
      "outputs": [
        {
          "components": [
            {
              "internalType": "bool",
              "name": "success",
              "type": "bool"
            },
            {
              "internalType": "bytes",
              "name": "returnData",
              "type": "bytes"
            }
          ],
          "internalType": "struct Router.Result[]",
          "name": "results",
          "type": "tuple[]"
        }
      ],
      "stateMutability": "payable",
      "type": "function"
    }
  ],
  "bytecode": "0x60a060405234801561000f575f5ffd5b5060405161726538038061726583398101604081905261002e91610087565b808060405161003c9061007a565b6001600160a01b039091168152602001604051809103905ff080158015610065573d5f5f3e3d5ffd5b506001600160a01b0316608052506100b49050565b6148a1806129c483390190565b5f60208284031215610097575f5ffd5b81516001600160a01b03811681146100ad575f5ffd5b9392505050565b60805161289d6101275f395f818161023a015281816102d00152818161038001528181610505015281816106250152818161079a01528181610825015281816108e101528181610a2501528181610a9501528181610eed0152818161139701528181611425015261157c015261289d5ff3fe6080604052600436106100b8575f3560e01c8063a3093e0f11610071578063f887ea401161004c578063f887ea4014610229578063f9e4bab41461025c578063fb68c2931461026f575f5ffd5b8063a3093e0f1461018b578063d6d0a660146101d4578063f80f00fb1461020a575f5ffd5b8063266a1cdf116100a1578063266a1cdf1461013857806347f247f914610157578063497d503214610178575f5ffd5b80630a2b8f36146100bc57806312261ee7146100f1575b5f5ffd5b3480156100c7575f5ffd5b506100db6100d6366004611884565b610282565b6040516100e891906119af565b60405180910390f35b3480156100fc575f5ffd5b506101136e22d473030f116ddee9f6b43ac78ba381565b60405173ffffffffffffffffffffffffffffffffffffffff90911681526020016100e8565b348015610143575f5ffd5b506100db610152366004611a5a565b610410565b348015610162575f5ffd5b50610176610171366004611b80565b61044d565b005b610176610186366004611bb5565b6104e1565b348015610196575f5ffd5b506101c46101a5366004611c85565b600160209081525f928352604080842090915290825290205460ff1681565b60405190151581526020016100e8565b3480156101df575f5ffd5b506101c46101ee366004611cad565b5f60208181529281526040808220909352908152205460ff1681565b348015610215575f5ffd5b506100db610224366004611d1f565b6105d9565b348015610234575f5ffd5b506101137f000000000000000000000000000000000000000000000000000000000000000081565b6100db61026a366004611dec565b6107d9565b6100db61027d366004611e27565b6108a9565b6040517f99290f2f00000000000000000000000000000000000000000000000000000000815233600482015273ffffffffffffffffffffffffffffffffffffffff8b811660248301526060917f0000000000000000000000000000000000000000000000000000000000000000909116906399290f2f906044015f604051808303815f87803b158015610313575f5ffd5b505af1158015610325573d5f5f3e3d5ffd5b505050506103438b8b61033c8c8c8c8c8c8c610b26565b8686610e18565b6040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7906103bf908c908c908c908c908c908c90600401612076565b5f604051808303815f875af11580156103da573d5f5f3e3d5ffd5b505050506040513d5f823e601f3d908101601f19168201604052610401919081019061215b565b9b9a5050505050505050505050565b606061042b8c6e22d473030f116ddee9f6b43ac78ba3611003565b61043d8b8b8b8b8b8b8b8b8b8b610282565b9c9b505050505050505050505050565b335f8181526020818152604080832073ffffffffffffffffffffffffffffffffffffffff87168085529083529281902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001686151590811790915590519081529192917f0dea6cbcb70e71b8f1238571ca2b61fe2d01791345cbbbf2ee2d3348b87ba8b8910160405180910390a35050565b6104ea896110ff565b6105036104fa60208b018b6122d4565b89898989611312565b7f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff1663cd6e13f734868686868f6020013560405160200161055b91815260200190565b6040516020818303038152906040526040518763ffffffff1660e01b815260040161058a9594939291906122f4565b5f6040518083038185885af11580156105a5573d5f5f3e3d5ffd5b50505050506040513d5f823e601f3d908101601f191682016040526105cd919081019061215b565b50505050505050505050565b606060018a1415806105ec575060018814155b15610623576040517f7406a9ed00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b7f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff166399290f2f338d8d5f8181106106725761067261235d565b61068892602060e09092020190810191506122d4565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e085901b16815273ffffffffffffffffffffffffffffffffffffffff9283166004820152911660248201526044015f604051808303815f87803b1580156106f2575f5ffd5b505af1158015610704573d5f5f3e3d5ffd5b5050505061075d8b8b5f81811061071d5761071d61235d565b905060e002018a8a5f8181106107355761073561235d565b905060200201602081019061074a91906122d4565b6107588a8a8a8a8a8a610b26565b611472565b6040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7906103bf908a908a908a908a908a908a90600401612076565b60606107e8338c8c8c8c611312565b6040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7903490610866908b908b908b908b908b908b90600401612076565b5f6040518083038185885af1158015610881573d5f5f3e3d5ffd5b50505050506040513d5f823e601f3d908101601f19168201604052610401919081019061215b565b6040517f99290f2f000000000000000000000000000000000000000000000000000000008152336004820181905260248201526060907f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff16906399290f2f906044015f604051808303815f87803b158015610937575f5ffd5b505af1158015610949573d5f5f3e3d5ffd5b505050505f5b88811015610a5757368a8a8381811061096a5761096a61235d565b6101000291909101915033905061098760408301602084016122d4565b73ffffffffffffffffffffffffffffffffffffffff1614610a08576109b260408201602083016122d4565b6040517f6fe5597400000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff90911660048201523360248201526044015b60405180910390fd5b610a128130611003565b610a4e610a2260208301836122d4565b337f000000000000000000000000000000000000000000000000000000000000000084604001356115a5565b5060010161094f565b506040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7903490610ad6908b908b908b908b908b908b90600401612076565b5f6040518083038185885af1158015610af1573d5f5f3e3d5ffd5b50505050506040513d5f823e601f3d908101601f19168201604052610b19919081019061215b565b9998505050505050505050565b5f73ffffffffffffffffffffffffffffffffffffffff8516610b74576040517fcb97b52d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f8667ffffffffffffffff811115610b8e57610b8e6120d4565b604051908082528060200260200182016040528015610bb7578160200160208202803683370190505b5090505f5b87811015610d0d5736898983818110610bd757610bd761235d565b9050602002810190610be9919061238a565b9050610bfb60408201602083016123c6565b15610c35576040517f1c2f467b000000000000000000000000000000000000000000000000000000008152600481018390526024016109ff565b60405180608001604052806049815260200161285460499139805160209182012090610c63908301836122d4565b5f6040840135610c7660608601866123e1565b604051610c84929190612442565b604051908190038120610cd1959493929160200194855273ffffffffffffffffffffffffffffffffffffffff93909316602085015290151560408401526060830152608082015260a00190565b60405160208183030381529060405280519060200120838381518110610cf957610cf961235d565b602090810291909101015250600101610bbc565b505f81604051602001610d209190612451565b6040516020818303038152906040528051906020012090506040518060a00160405280606d81526020016126ec606d913960405180608001604052806049815260200161285460499139604051602001610d7b92919061249d565b604051602081830303815290604052805190602001203388888888604051610da4929190612442565b60408051918290038220602083019690965273ffffffffffffffffffffffffffffffffffffffff948516908201529183166060830152909116608082015260a081019190915260c0810182905260e00160405160208183030381529060405280519060200120925050509695505050505050565b5f819003610e52576040517fac241e1100000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f610e5d85806124b9565b905090505f8167ffffffffffffffff811115610e7b57610e7b6120d4565b604051908082528060200260200182016040528015610ebf57816020015b604080518082019091525f8082526020820152815260200190600190039081610e995790505b5090505f5b82811015610f5f576040805180820190915273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016815260208101610f1d89806124b9565b84818110610f2d57610f2d61235d565b90506040020160200135815250828281518110610f4c57610f4c61235d565b6020908102919091010152600101610ec4565b506e22d473030f116ddee9f6b43ac78ba373ffffffffffffffffffffffffffffffffffffffff1663fe8ec1a787838a8960405180610120016040528060fb815260200161275960fb91398a8a6040518863ffffffff1660e01b8152600401610fcd9796959493929190612579565b5f604051808303815f87803b158015610fe4575f5ffd5b505af1158015610ff6573d5f5f3e3d5ffd5b5050505050505050505050565b61101060208301836122d4565b73ffffffffffffffffffffffffffffffffffffffff1663d505accf61103b60408501602086016122d4565b836040860135608087013561105660c0890160a08a016126cb565b60405160e087811b7fffffffff0000000000000000000000000000000000000000000000000000000016825273ffffffffffffffffffffffffffffffffffffffff96871660048301529490951660248601526044850192909252606484015260ff16608483015260c086013560a483015285013560c482015260e4015f604051808303815f87803b1580156110e9575f5ffd5b505af19250505080156110fa575060015b505050565b5f8061110e60208401846122d4565b91505060208201353373ffffffffffffffffffffffffffffffffffffffff83161480159061116a575073ffffffffffffffffffffffffffffffffffffffff82165f9081526020818152604080832033845290915290205460ff16155b156111bf576040517feb0070b000000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff831660048201523360248201526044016109ff565b826040013542111561120357604080517f498eea020000000000000000000000000000000000000000000000000000000081529084013560048201526024016109ff565b73ffffffffffffffffffffffffffffffffffffffff82165f90815260016020908152604080832084845290915290205460ff161561128c576040517f926f1a3300000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff83166004820152602481018290526044016109ff565b73ffffffffffffffffffffffffffffffffffffffff82165f81815260016020818152604080842086855290915280832080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0016909217909155518392917f6b9fc20cbc3e40e447711f4628cc9aa1102e79c7a8388d5f62b33d99cb971b3391a3505050565b82811461134b576040517f1083f70900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6040517f99290f2f00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8681166004830181905260248301527f000000000000000000000000000000000000000000000000000000000000000016906399290f2f906044015f604051808303815f87803b1580156113d8575f5ffd5b505af11580156113ea573d5f5f3e3d5ffd5b505050505f5b8381101561146a5761146285858381811061140d5761140d61235d565b905060200201602081019061142291906122d4565b337f00000000000000000000000000000000000000000000000000000000000000008686868181106114565761145661235d565b905060200201356115a5565b6001016113f0565b505050505050565b73ffffffffffffffffffffffffffffffffffffffff821663ef55bec661149b60208601866122d4565b30602087013560408801356060890135876114bc60a08c0160808d016126cb565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e08a901b16815273ffffffffffffffffffffffffffffffffffffffff978816600482015296909516602487015260448601939093526064850191909152608484015260a483015260ff1660c482015260a086013560e482015260c0860135610104820152610124015f604051808303815f87803b158015611560575f5ffd5b505af1158015611572573d5f5f3e3d5ffd5b505050506110fa827f000000000000000000000000000000000000000000000000000000000000000085602001356115cd565b6115c773ffffffffffffffffffffffffffffffffffffffff85168484846115ee565b50505050565b6110fa73ffffffffffffffffffffffffffffffffffffffff8416838361164a565b6115fc8484848460016116a5565b6115c7576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff851660048201526024016109ff565b6116578383836001611738565b6110fa576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff841660048201526024016109ff565b6040517f23b872dd000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8781166004528616602452604485905291602083606481808c5af1925060015f5114831661172757838315161561171b573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8616600452602485905291602083604481808b5af1925060015f511483166117b45783831516156117a8573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b803573ffffffffffffffffffffffffffffffffffffffff811681146117e3575f5ffd5b919050565b5f606082840312156117f8575f5ffd5b50919050565b5f5f83601f84011261180e575f5ffd5b50813567ffffffffffffffff811115611825575f5ffd5b6020830191508360208260051b850101111561183f575f5ffd5b9250929050565b5f5f83601f840112611856575f5ffd5b50813567ffffffffffffffff81111561186d575f5ffd5b60208301915083602082850101111561183f575f5ffd5b5f5f5f5f5f5f5f5f5f5f60e08b8d03121561189d575f5ffd5b6118a68b6117c0565b995060208b013567ffffffffffffffff8111156118c1575f5ffd5b6118cd8d828e016117e8565b99505060408b013567ffffffffffffffff8111156118e9575f5ffd5b6118f58d828e016117fe565b9099509750611908905060608c016117c0565b955061191660808c016117c0565b945060a08b013567ffffffffffffffff811115611931575f5ffd5b61193d8d828e01611846565b90955093505060c08b013567ffffffffffffffff81111561195c575f5ffd5b6119688d828e01611846565b915080935050809150509295989b9194979a5092959850565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b5f602082016020835280845180835260408501915060408160051b8601019250602086015f5b82811015611a3d577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc087860301845281518051151586526020810151905060406020870152611a276040870182611981565b95505060209384019391909101906001016119d5565b50929695505050505050565b5f61010082840312156117f8575f5ffd5b5f5f5f5f5f5f5f5f5f5f5f6101e08c8e031215611a75575f5ffd5b611a7f8d8d611a49565b9a50611a8e6101008d016117c0565b99506101208c013567ffffffffffffffff811115611aaa575f5ffd5b611ab68e828f016117e8565b9950506101408c013567ffffffffffffffff811115611ad3575f5ffd5b611adf8e828f016117fe565b9099509750611af390506101608d016117c0565b9550611b026101808d016117c0565b94506101a08c013567ffffffffffffffff811115611b1e575f5ffd5b611b2a8e828f01611846565b9095509350506101c08c013567ffffffffffffffff811115611b4a575f5ffd5b611b568e828f01611846565b915080935050809150509295989b509295989b9093969950565b8015158114611b7d575f5ffd5b50565b5f5f60408385031215611b91575f5ffd5b611b9a836117c0565b91506020830135611baa81611b70565b809150509250929050565b5f5f5f5f5f5f5f5f5f6101008a8c031215611bce575f5ffd5b611bd88b8b6117e8565b985060608a013567ffffffffffffffff811115611bf3575f5ffd5b611bff8c828d016117fe565b90995097505060808a013567ffffffffffffffff811115611c1e575f5ffd5b611c2a8c828d016117fe565b90975095505060a08a013567ffffffffffffffff811115611c49575f5ffd5b611c558c828d016117fe565b9095509350611c68905060c08b016117c0565b9150611c7660e08b016117c0565b90509295985092959850929598565b5f5f60408385031215611c96575f5ffd5b611c9f836117c0565b946020939093013593505050565b5f5f60408385031215611cbe575f5ffd5b611cc7836117c0565b9150611cd5602084016117c0565b90509250929050565b5f5f83601f840112611cee575f5ffd5b50813567ffffffffffffffff811115611d05575f5ffd5b60208301915083602060e08302850101111561183f575f5ffd5b5f5f5f5f5f5f5f5f5f5f60c08b8d031215611d38575f5ffd5b8a3567ffffffffffffffff811115611d4e575f5ffd5b611d5a8d828e01611cde565b909b5099505060208b013567ffffffffffffffff811115611d79575f5ffd5b611d858d828e016117fe565b90995097505060408b013567ffffffffffffffff811115611da4575f5ffd5b611db08d828e016117fe565b9097509550611dc3905060608c016117c0565b9350611dd160808c016117c0565b925060a08b013567ffffffffffffffff81111561195c575f5ffd5b5f5f5f5f5f5f5f5f5f5f60c08b8d031215611e05575f5ffd5b8a3567ffffffffffffffff811115611e1b575f5ffd5b611d5a8d828e016117fe565b5f5f5f5f5f5f5f5f60a0898b031215611e3e575f5ffd5b883567ffffffffffffffff811115611e54575f5ffd5b8901601f81018b13611e64575f5ffd5b803567ffffffffffffffff811115611e7a575f5ffd5b8b60208260081b8401011115611e8e575f5ffd5b60209182019950975089013567ffffffffffffffff811115611eae575f5ffd5b611eba8b828c016117fe565b9097509550611ecd905060408a016117c0565b9350611edb60608a016117c0565b9250608089013567ffffffffffffffff811115611ef6575f5ffd5b611f028b828c01611846565b999c989b5096995094979396929594505050565b81835281816020850137505f602082840101525f6020601f19601f840116840101905092915050565b5f8383855260208501945060208460051b820101835f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81863603015b8782101561206957601f198585030189528235818112611f99575f5ffd5b870173ffffffffffffffffffffffffffffffffffffffff611fb9826117c0565b1685526020810135611fca81611b70565b15156020860152604081810135908601526060810135368290037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1018112612010575f5ffd5b0160208101903567ffffffffffffffff81111561202b575f5ffd5b803603821315612039575f5ffd5b6080606087015261204e608087018284611f16565b95505050602083019250602089019850600182019150611f7b565b5091979650505050505050565b608081525f61208960808301888a611f3f565b73ffffffffffffffffffffffffffffffffffffffff8716602084015273ffffffffffffffffffffffffffffffffffffffff861660408401528281036060840152610b19818587611f16565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b6040805190810167ffffffffffffffff81118282101715612124576121246120d4565b60405290565b604051601f8201601f1916810167ffffffffffffffff81118282101715612153576121536120d4565b604052919050565b5f6020828403121561216b575f5ffd5b815167ffffffffffffffff811115612181575f5ffd5b8201601f81018413612191575f5ffd5b805167ffffffffffffffff8111156121ab576121ab6120d4565b8060051b6121bb6020820161212a565b918252602081840181019290810190878411156121d6575f5ffd5b6020850192505b838310156122c957825167ffffffffffffffff8111156121fb575f5ffd5b85016040818a03601f19011215612210575f5ffd5b612218612101565b602082015161222681611b70565b8152604082015167ffffffffffffffff811115612241575f5ffd5b60208184010192505089601f830112612258575f5ffd5b815167ffffffffffffffff811115612272576122726120d4565b6122856020601f19601f8401160161212a565b8181528b6020838601011115612299575f5ffd5b8160208501602083015e5f60208383010152806020840152505080845250506020820191506020830192506121dd565b979650505050505050565b5f602082840312156122e4575f5ffd5b6122ed826117c0565b9392505050565b608081525f612307608083018789611f3f565b73ffffffffffffffffffffffffffffffffffffffff8616602084015273ffffffffffffffffffffffffffffffffffffffff8516604084015282810360608401526123518185611981565b98975050505050505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff818336030181126123bc575f5ffd5b9190910192915050565b5f602082840312156123d6575f5ffd5b81356122ed81611b70565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112612414575f5ffd5b83018035915067ffffffffffffffff82111561242e575f5ffd5b60200191503681900382131561183f575f5ffd5b818382375f9101908152919050565b81515f90829060208501835b8281101561247b57815184526020938401939091019060010161245d565b509195945050505050565b5f81518060208401855e5f93019283525090919050565b5f6124b16124ab8386612486565b84612486565b949350505050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe18436030181126124ec575f5ffd5b83018035915067ffffffffffffffff821115612506575f5ffd5b6020019150600681901b360382131561183f575f5ffd5b5f8151808452602084019350602083015f5b8281101561256f578151805173ffffffffffffffffffffffffffffffffffffffff168752602090810151818801526040909601959091019060010161252f565b5093949350505050565b60c081525f610120820189357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe18b36030181126125b4575f5ffd5b8a0160208101903567ffffffffffffffff8111156125d0575f5ffd5b8060061b36038213156125e1575f5ffd5b606060c086015291829052905f9061014085015b8183101561263b5773ffffffffffffffffffffffffffffffffffffffff61261b856117c0565b1681526020848101359082015260409384019360019390930192016125f5565b60208d81013560e088015260408e01356101008801819052878303918801919091529350612669818d61251d565b9350505050612690604084018973ffffffffffffffffffffffffffffffffffffffff169052565b86606084015282810360808401526126a88187611981565b905082810360a08401526126bd818587611f16565b9a9950505050505050505050565b5f602082840312156126db575f5ffd5b813560ff811681146122ed575f5ffdfe52656c617965725769746e65737328616464726573732072656c617965722c6164647265737320726566756e64546f2c61646472657373206e6674526563697069656e742c6279746573206d657461646174612c43616c6c3356616c75655b5d2063616c6c3356616c7565732952656c617965725769746e657373207769746e6573732943616c6c3356616c75652861646472657373207461726765742c626f6f6c20616c6c6f774661696c7572652c75696e743235362076616c75652c62797465732063616c6c446174612952656c617965725769746e65737328616464726573732072656c617965722c6164647265737320726566756e64546f2c61646472657373206e6674526563697069656e742c6279746573206d657461646174612c43616c6c3356616c75655b5d2063616c6c3356616c75657329546f6b656e5065726d697373696f6e73286164647265737320746f6b656e2c75696e7432353620616d6f756e742943616c6c3356616c75652861646472657373207461726765742c626f6f6c20616c6c6f774661696c7572652c75696e743235362076616c75652c62797465732063616c6c446174612960e060408190523360805261001390610074565b604051809103905ff08015801561002c573d5f5f3e3d5ffd5b506001600160a01b031660c052348015610044575f5ffd5b506040516148a13803806148a183398101604081905261006391610081565b6001600160a01b031660a0526100ae565b610de180613ac083390190565b5f60208284031215610091575f5ffd5b81516001600160a01b03811681146100a7575f5ffd5b9392505050565b60805160a05160c0516139b06101105f395f818161048101528181610667015261139501525f81816104170152818161095301528181610f9201528181611005015261106301525f818161053101528181610d51015261112a01526139b05ff3fe60806040526004361061012c575f3560e01c8063bedd12a5116100a4578063cd6e13f711610073578063e27974d511610058578063e27974d514610501578063ec55688914610520578063ec7cf1a9146105535761018d565b8063cd6e13f7146104c2578063e116b862146104e25761018d565b8063bedd12a514610406578063bf376c7a14610451578063c34c08e514610470578063c35e3493146104a35761018d565b806375f26e63116100fb57806391dd7346116100e057806391dd73461461039357806399290f2f146103c8578063b3d76188146103e75761018d565b806375f26e631461035557806385d52413146103745761018d565b80630ad89345146102d95780633b2253c8146102f857806356e49bb8146103175780635de81e3f146103365761018d565b3661018d5760ff7401000000000000000000000000000000000000000060055c041661018b576040517f4e49b5d30000000000000000000000000000000000000000000000000000000081523360048201526024015b60405180910390fd5b005b348015610198575f5ffd5b50336001600160a01b0360015c161415806101b35750604436105b156101ec576040517fd0232469000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b5f6001805c7fffffffffffffffffffffffff000000000000000000000000000000000000000016905d505f60ff7401000000000000000000000000000000000000000060015c04166102545761024660446024365f612ba2565b61024f91612bc9565b61026b565b61026260246004365f612ba2565b61026b91612bc9565b90505f811361027657005b60035c8111156102c3576040517f97e8afcb0000000000000000000000000000000000000000000000000000000081523360048201526024810182905260035c6044820152606401610182565b61018b6001600160a01b0360025c163383610575565b3480156102e4575f5ffd5b5061018b6102f3366004612c71565b61058e565b348015610303575f5ffd5b5061018b610312366004612d18565b610760565b348015610322575f5ffd5b5061018b610331366004612db7565b6108ca565b348015610341575f5ffd5b5061018b610350366004612def565b6109b6565b348015610360575f5ffd5b5061018b61036f366004612e1d565b610a0d565b34801561037f575f5ffd5b5061018b61038e366004612e38565b610acd565b34801561039e575f5ffd5b506103b26103ad366004612e8d565b610b48565b6040516103bf9190612efa565b60405180910390f35b3480156103d3575f5ffd5b5061018b6103e2366004612f0c565b610d46565b3480156103f2575f5ffd5b5061018b610401366004612f38565b610e52565b348015610411575f5ffd5b506104397f000000000000000000000000000000000000000000000000000000000000000081565b6040516001600160a01b0390911681526020016103bf565b34801561045c575f5ffd5b5061018b61046b366004612f76565b610ebd565b34801561047b575f5ffd5b506104397f000000000000000000000000000000000000000000000000000000000000000081565b3480156104ae575f5ffd5b5061018b6104bd366004612fa0565b610f43565b6104d56104d0366004612fed565b6110c9565b6040516103bf919061306f565b3480156104ed575f5ffd5b506104396104fc366004612f76565b61138f565b34801561050c575f5ffd5b5061018b61051b366004613109565b6113ca565b34801561052b575f5ffd5b506104397f000000000000000000000000000000000000000000000000000000000000000081565b34801561055e575f5ffd5b50610567603f81565b6040519081526020016103bf565b6105896001600160a01b038416838361144a565b505050565b3330146105c9576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b5f6105f5867fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff87611498565b905061060c6001600160a01b0360045c168a61138f565b6001600160a01b03163b15610661576040517fd33c83e50000000000000000000000000000000000000000000000000000000081526004805c6001600160a01b031690820152602481018a9052604401610182565b5f6106a07f000000000000000000000000000000000000000000000000000000000000000061069b6001600160a01b0360045c168d611502565b61153f565b90505f6001600160a01b038816156106b8575f6106ba565b825b9050805f036106ce576106ce88838561154b565b6040517f059d71550000000000000000000000000000000000000000000000000000000081526001600160a01b038084169163059d7155918491610725918f918f918d918d918d9160065c909116906004016131da565b5f604051808303818588803b15801561073c575f5ffd5b505af115801561074e573d5f5f3e3d5ffd5b50505050505050505050505050505050565b33301461079b576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b84831415806107aa5750848114155b156107e1576040517f1083f70900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f5b858110156108c1575f8383838181106107fe576107fe613364565b905060200201355f146108295783838381811061081d5761081d613364565b90506020020135610859565b61085988888481811061083e5761083e613364565b90506020020160208101906108539190612e1d565b3061157a565b905080156108b8576108b888888481811061087657610876613364565b905060200201602081019061088b9190612e1d565b87878581811061089d5761089d613364565b90506020020160208101906108b29190612e1d565b83610575565b506001016107e3565b50505050505050565b333014610905576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b5f6109115f8385611498565b6040517f49290c1c0000000000000000000000000000000000000000000000000000000081526001600160a01b038781166004830152602482018790529192507f0000000000000000000000000000000000000000000000000000000000000000909116906349290c1c9083906044015f604051808303818588803b158015610998575f5ffd5b505af11580156109aa573d5f5f3e3d5ffd5b50505050505050505050565b3330146109f1576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b610a095f828415610a02578461154b565b475b61154b565b5050565b333014610a48576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b5f610a53823061157a565b90508015610a09576040517f2e1a7d4d000000000000000000000000000000000000000000000000000000008152600481018290526001600160a01b03831690632e1a7d4d906024015f604051808303815f87803b158015610ab3575f5ffd5b505af1158015610ac5573d5f5f3e3d5ffd5b505050505050565b333014610b08576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b80421115610b45576040517ff80dbaea00000000000000000000000000000000000000000000000000000000815260048101829052602401610182565b50565b60605f5c610b8b3385858080601f0160208091040260200160405190810160405280939291908181526020018383808284375f920191909152506115fe92505050565b14610bc4576040517fd0232469000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b5f80805d505f610bd683850185613481565b8051602082015180516040517ff3cd914c00000000000000000000000000000000000000000000000000000000815293945091925f91339163f3cd914c91610c2391879190600401613566565b6020604051808303815f875af1158015610c3f573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610c6391906135fe565b9050608081901d600f82900b83610c7657905b5f821215610d00575f610c8883613642565b90508660800151811115610cde5760808701516040517f97e8afcb000000000000000000000000000000000000000000000000000000008152336004820152602481018390526044810191909152606401610182565b610cfe85610cf0578660200151610cf3565b86515b886040015183611612565b505b5f811315610d2857610d2884610d17578551610d1d565b85602001515b8760600151836117db565b60405180602001604052805f81525096505050505050505b92915050565b336001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614610daa576040517faf9a9f61000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b60045c6001600160a01b031615610ded576040517f3ef3337500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b818160045f826005805c7fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b03831617905d508391906101000a815c816001600160a01b0302191690836001600160a01b03160217905d5050505050565b333014610e8d576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b6105898383610a04867fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff86611498565b333014610ef8576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b816001600160a01b031663d0e30db0826040518263ffffffff1660e01b81526004015f604051808303818588803b158015610f31575f5ffd5b505af11580156108c1573d5f5f3e3d5ffd5b333014610f7e576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b5f610f8a858385611498565b9050610fb7857f0000000000000000000000000000000000000000000000000000000000000000836118e4565b6040517fe80179520000000000000000000000000000000000000000000000000000000081526001600160a01b038781166004830152868116602483015260448201839052606482018690527f0000000000000000000000000000000000000000000000000000000000000000169063e8017952906084015f604051808303815f87803b158015611046575f5ffd5b505af1158015611058573d5f5f3e3d5ffd5b5050505061108785307f00000000000000000000000000000000000000000000000000000000000000006118f8565b15610ac5576040517f21cfe1e80000000000000000000000000000000000000000000000000000000081526001600160a01b0386166004820152602401610182565b606060ff7401000000000000000000000000000000000000000060055c04161561111f576040517f3ef3337500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b336001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016146111eb5760045c6001600160a01b031615611192576040517f3ef3337500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b338060045f826005805c7fffffffffffffffffffffffff0000000000000000000000000000000000000000168217905d508391906101000a815c816001600160a01b0302191690836001600160a01b03160217905d5050505b60017fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff6005805c919091167401000000000000000000000000000000000000000017905d50836006805c7fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b03831617905d505f6112703447613678565b905061127c888861198c565b91506001600160a01b03861615611297576112978682611b5d565b82156112d9577fb73380adf63287700849d7f49a534bd0e8fba084c6d20c250a2de24be74d2e6f3385856040516112d09392919061368b565b60405180910390a15b5f6005805c7fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff16905d505f80600481806005805c7fffffffffffffffffffffffff000000000000000000000000000000000000000016905d508391906101000a815c816001600160a01b0302191690836001600160a01b03160217905d505f9150506006805c7fffffffffffffffffffffffff000000000000000000000000000000000000000016905d50509695505050505050565b5f6113c37f00000000000000000000000000000000000000000000000000000000000000006113be8585611502565b611b9f565b9392505050565b333014611405576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610182565b5f5b818110156114445761143c8484848481811061142557611425613364565b905060200281019061143791906136b6565b611c07565b600101611407565b50505050565b6114578383836001611cc9565b610589576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b0384166004820152602401610182565b5f6114a284611d44565b9050828111156114af5750815b818110156113c3576040517f4a41c57e0000000000000000000000000000000000000000000000000000000081526001600160a01b03851660048201526024810182905260448101839052606401610182565b604080516001600160a01b03841660208201529081018290525f906060015b60405160208183030381529060405280519060200120905092915050565b5f6113c383835f611d6a565b805f0361155757505050565b6001600160a01b03831661156f576105898282611e31565b610589838383610575565b6040517f70a082310000000000000000000000000000000000000000000000000000000081526001600160a01b0382811660048301525f91908416906370a0823190602401602060405180830381865afa1580156115da573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906113c391906135fe565b5f82826040516020016115219291906136f2565b6040517fa58411940000000000000000000000000000000000000000000000000000000081526001600160a01b0384166004820152339063a5841194906024015f604051808303815f87803b158015611669575f5ffd5b505af115801561167b573d5f5f3e3d5ffd5b5050506001600160a01b038416905061176f576001600160a01b0382161561170c576040517f2e1a7d4d000000000000000000000000000000000000000000000000000000008152600481018290526001600160a01b03831690632e1a7d4d906024015f604051808303815f87803b1580156116f5575f5ffd5b505af1158015611707573d5f5f3e3d5ffd5b505050505b336001600160a01b03166311da60b4826040518263ffffffff1660e01b815260040160206040518083038185885af115801561174a573d5f5f3e3d5ffd5b50505050506040513d601f19601f8201168201806040525081019061144491906135fe565b61177a823383610575565b336001600160a01b03166311da60b46040518163ffffffff1660e01b81526004016020604051808303815f875af11580156117b7573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061144491906135fe565b6040517f0b0d9c090000000000000000000000000000000000000000000000000000000081526001600160a01b03841660048201523060248201526044810182905247903390630b0d9c09906064015f604051808303815f87803b158015611841575f5ffd5b505af1158015611853573d5f5f3e3d5ffd5b50505050826001600160a01b0316846001600160a01b03161415801561188057506001600160a01b038416155b15611444576001600160a01b03831663d0e30db061189e8347613678565b6040518263ffffffff1660e01b81526004015f604051808303818588803b1580156118c7575f5ffd5b505af11580156118d9573d5f5f3e3d5ffd5b505050505050505050565b6105896001600160a01b0384168383611e83565b6040517fdd62ed3e0000000000000000000000000000000000000000000000000000000081526001600160a01b03838116600483015282811660248301525f919085169063dd62ed3e90604401602060405180830381865afa158015611960573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061198491906135fe565b949350505050565b60608167ffffffffffffffff8111156119a7576119a7613391565b6040519080825280602002602001820160405280156119ec57816020015b604080518082019091525f8152606060208201528152602001906001900390816119c55790505b5090505f5b82811015611b565736848483818110611a0c57611a0c613364565b9050602002810190611a1e9190613713565b905030611a2e6020830183612e1d565b6001600160a01b031614611a8757611a496020820182612e1d565b6040517fc65378370000000000000000000000000000000000000000000000000000000081526001600160a01b039091166004820152602401610182565b5f80306040840135611a9c6060860186613745565b604051611aaa9291906137a6565b5f6040518083038185875af1925050503d805f8114611ae4576040519150601f19603f3d011682016040523d82523d5f602084013e611ae9565b606091505b509150915081158015611b095750611b0760408401602085016137b5565b155b15611b1757611b1781611eee565b6040518060400160405280831515815260200182815250858581518110611b4057611b40613364565b60209081029190910101525050506001016119f1565b5092915050565b47818111611b6a57505050565b611b7d83611b788484613678565b611ef6565b610589576105896001600160a01b0360055c16611b9a8484613678565b611e31565b6040513060388201526f5af43d82803e903d91602b57fd5bf3ff602482015260148101839052733d602d80600a3d3981f3363d3d373d3d3d363d738152605881018290526037600c820120607882015260556043909101205f906001600160a01b03166113c3565b365f611c166040840184613745565b909250905082355b6040805160e0810182525f80825260208201819052918101829052606081018290526080810182905260a0810182905260c0810191909152611c61868585611f10565b909550935090505f839003611c7f57610ac5818387602001356121a6565b5f611c8d8260400151611d44565b9050611c9a82845f6121a6565b80611ca88360400151611d44565b611cb29190613678565b9250816040015196505050611c1e565b5050505050565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f51148316611d38578383151615611d2c573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f6001600160a01b03821615611d6357611d5e823061157a565b610d40565b4792915050565b5f81471015611dae576040517fcf47918100000000000000000000000000000000000000000000000000000000815247600482015260248101839052604401610182565b763d602d80600a3d3981f3363d3d373d3d3d363d730000008460601b60e81c175f526e5af43d82803e903d91602b57fd5bf38460781b17602052826037600984f590506001600160a01b0381166113c3576040517fb06ebf3d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b611e3b8282611ef6565b610a09576040517fe491025c0000000000000000000000000000000000000000000000000000000081526001600160a01b038316600482015260248101829052604401610182565b611e8f8383835f6121f9565b61058957611ea083835f60016121f9565b611ee1576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b0384166004820152602401610182565b61145783838360016121f9565b805160208201fd5b5f6113c3838360405180602001604052805f81525061225c565b6040805160e0810182525f80825260208201819052918101829052606081018290526080810182905260a0810182905260c0810191909152365f602c841015611f85576040517f2fde825300000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f8585611f946001602c613678565b818110611fa357611fa3613364565b919091013560f81c91505f90506008821615611fc057602f611fc3565b602c5b905080861015611fff576040517f2fde825300000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6040805160e081019091528061201860145f8a8c612ba2565b612021916137ce565b60601c81526001600160a01b038a166020820152604001612046602860148a8c612ba2565b61204f916137ce565b60601c8152602001612065602b60288a8c612ba2565b61206e91613833565b60e81c8152602081018490526002841615156040820152606001602c83146120af5761209e602f602c8a8c612ba2565b6120a791613833565b60e81c6120b1565b5f5b60020b905294506120c48682818a612ba2565b9094509250602082161580159081906120e85750602c8214806120e8575060108316155b1561211f576040517f2fde825300000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6001600160a01b038916158015612141575080801561213f57508560a001515b155b15612178576040517f2fde825300000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b801561219a578560a0015115612193575f602087015261219a565b5f60408701525b50505093509350939050565b6080830151600816156121be57610589838383612271565b6080830151600116156121d6576105898383836123c8565b6080830151600416156121ee576105898383836125bf565b6105898383836126a9565b6040517f095ea7b3000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f51148316611d38578383151615611d2c573d5f823e3d81fd5b5f5f5f83516020850186885af1949350505050565b5f5f8460a0015161228b5784604001518560200151612296565b846020015185604001515b9150915060108560800151165f146122ac575f91505b5f6040518060a001604052806040518060a00160405280866001600160a01b03168152602001856001600160a01b03168152602001896060015162ffffff1681526020018960c0015160020b81526020015f6001600160a01b0316815250815260200160405180606001604052808960a001511515815260200161232f8861281c565b81526020016123418a60a00151612871565b6001600160a01b0316815250815260200187602001516001600160a01b0316815260200187604001516001600160a01b03168152602001868152509050835f1415801561239557508551612395908261289d565b156123a257505050505050565b6123ab8561281c565b6123b490613642565b60208083015101528551610ac59082612926565b80156124e4576123d883836129a7565b825f01516001600160a01b031663128acb08308560a001516123f98561281c565b61240290613642565b61240f8860a00151612871565b60405160e086901b7fffffffff000000000000000000000000000000000000000000000000000000001681526001600160a01b03948516600482015292151560248401526044830191909152909116606482015260a060848201525f60a482015260c40160408051808303815f875af19250505080156124ac575060408051601f3d908101601f191682019092526124a991810190613898565b60015b156124e4575b505f90506001805c7fffffffffffffffffffffffff000000000000000000000000000000000000000016905d50505050565b6124ee83836129a7565b825f01516001600160a01b031663128acb08308560a0015161250f8661281c565b61251c8860a00151612871565b60405160e086901b7fffffffff000000000000000000000000000000000000000000000000000000001681526001600160a01b03948516600482015292151560248401526044830191909152909116606482015260a060848201525f60a482015260c40160408051808303815f875af115801561259b573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906124b29190613898565b5f6125d18460200151855f015161157a565b90506125e58460200151855f015185610575565b5f816125f88660200151875f015161157a565b6126029190613678565b90508381111561260f5750825b845160208601516040517ff140a35a000000000000000000000000000000000000000000000000000000008152600481018490526001600160a01b039182166024820152611cc2928892169063f140a35a90604401602060405180830381865afa15801561267f573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906126a391906135fe565b85612a3e565b5f5f845f01516001600160a01b0316630902f1ac6040518163ffffffff1660e01b81526004016040805180830381865afa1580156126e9573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061270d9190613898565b915091508460a0015161271c57905b5f8560600151620f42406127309190613678565b905084841580159061274157508285105b15612799575f826127528786613678565b61275c91906138ba565b620f424061276a88886138ba565b61277491906138ba565b61277e91906138d1565b612789906001613909565b905086811015612797578091505b505b6127ab8760200151885f015183610575565b5f846127be89602001518a5f015161157a565b6127c89190613678565b9050818111156127d55750805b5f6127e084836138ba565b90505f816127f1620f4240896138ba565b6127fb9190613909565b61280587846138ba565b61280f91906138d1565b90506109aa8a828a612a3e565b5f7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff821161284a5781610d40565b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff92915050565b5f816128915773fffd8963efd1fc6a506488495d951d5263988d25610d40565b6401000276a492915050565b5f826001600160a01b03166348c894916128b78585612ae3565b6040518263ffffffff1660e01b81526004016128d39190612efa565b5f604051808303815f875af192505050801561291057506040513d5f823e601f3d908101601f1916820160405261290d919081019061391c565b60015b1561291b5750600190505b5f80805d5092915050565b816001600160a01b03166348c8949161293f8484612ae3565b6040518263ffffffff1660e01b815260040161295b9190612efa565b5f604051808303815f875af1158015612976573d5f5f3e3d5ffd5b505050506040513d5f823e601f3d908101601f1916820160405261299d919081019061391c565b505f80805d505050565b81516001805c7fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b03831617905d508160a00151600160146101000a815c8160ff021916908315150217905d5060208201516002805c7fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b03831617905d50808060035d505050565b8015801590612a4c57508082115b15612a55578091505b5f5f8460a00151612a6757835f612a6a565b5f845b86516040517f022c0d9f0000000000000000000000000000000000000000000000000000000081526004810184905260248101839052306044820152608060648201525f60848201529294509092506001600160a01b03169063022c0d9f9060a4015f604051808303815f87803b1580156118c7575f5ffd5b606081604051602001612b7d9190815180516001600160a01b03908116835260208083015182168185015260408084015162ffffff168186015260608085015160020b81870152608094850151841685870152828701518051151560a08801529283015160c087015291810151831660e0860152850151821661010085015284015116610120830152909101516101408201526101600190565b6040516020818303038152906040529050612b9883826115fe565b805f5d5092915050565b5f5f85851115612bb0575f5ffd5b83861115612bbc575f5ffd5b5050820193919092039150565b80356020831015610d40577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff602084900360031b1b1692915050565b5f5f83601f840112612c15575f5ffd5b50813567ffffffffffffffff811115612c2c575f5ffd5b6020830191508360208260051b8501011115612c46575f5ffd5b9250929050565b6001600160a01b0381168114610b45575f5ffd5b8035612c6c81612c4d565b919050565b5f5f5f5f5f5f5f5f60c0898b031215612c88575f5ffd5b88359750602089013567ffffffffffffffff811115612ca5575f5ffd5b612cb18b828c01612c05565b9098509650506040890135612cc581612c4d565b945060608901359350608089013567ffffffffffffffff811115612ce7575f5ffd5b612cf38b828c01612c05565b90945092505060a0890135612d0781612c4d565b809150509295985092959890939650565b5f5f5f5f5f5f60608789031215612d2d575f5ffd5b863567ffffffffffffffff811115612d43575f5ffd5b612d4f89828a01612c05565b909750955050602087013567ffffffffffffffff811115612d6e575f5ffd5b612d7a89828a01612c05565b909550935050604087013567ffffffffffffffff811115612d99575f5ffd5b612da589828a01612c05565b979a9699509497509295939492505050565b5f5f5f5f60808587031215612dca575f5ffd5b8435612dd581612c4d565b966020860135965060408601359560600135945092505050565b5f5f60408385031215612e00575f5ffd5b823591506020830135612e1281612c4d565b809150509250929050565b5f60208284031215612e2d575f5ffd5b81356113c381612c4d565b5f60208284031215612e48575f5ffd5b5035919050565b5f5f83601f840112612e5f575f5ffd5b50813567ffffffffffffffff811115612e76575f5ffd5b602083019150836020828501011115612c46575f5ffd5b5f5f60208385031215612e9e575f5ffd5b823567ffffffffffffffff811115612eb4575f5ffd5b612ec085828601612e4f565b90969095509350505050565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b602081525f6113c36020830184612ecc565b5f5f60408385031215612f1d575f5ffd5b8235612f2881612c4d565b91506020830135612e1281612c4d565b5f5f5f60608486031215612f4a575f5ffd5b8335612f5581612c4d565b92506020840135612f6581612c4d565b929592945050506040919091013590565b5f5f60408385031215612f87575f5ffd5b8235612f9281612c4d565b946020939093013593505050565b5f5f5f5f5f60a08688031215612fb4575f5ffd5b8535612fbf81612c4d565b94506020860135612fcf81612c4d565b94979496505050506040830135926060810135926080909101359150565b5f5f5f5f5f5f60808789031215613002575f5ffd5b863567ffffffffffffffff811115613018575f5ffd5b61302489828a01612c05565b909750955050602087013561303881612c4d565b9350604087013561304881612c4d565b9250606087013567ffffffffffffffff811115613063575f5ffd5b612da589828a01612e4f565b5f602082016020835280845180835260408501915060408160051b8601019250602086015f5b828110156130fd577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0878603018452815180511515865260208101519050604060208701526130e76040870182612ecc565b9550506020938401939190910190600101613095565b50929695505050505050565b5f5f5f6040848603121561311b575f5ffd5b833561312681612c4d565b9250602084013567ffffffffffffffff811115613141575f5ffd5b61314d86828701612c05565b9497909650939450505050565b80358015158114612c6c575f5ffd5b81835281816020850137505f602082840101525f6020601f19601f840116840101905092915050565b8183526020830192505f815f5b848110156131d05781356131b281612c4d565b6001600160a01b03168652602095860195919091019060010161319f565b5093949350505050565b608080825281018690525f60a0600588901b8301810190830189837fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8136839003015b8b82101561331b577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff608786030184528235818112613258575f5ffd5b8d01803561326581612c4d565b6001600160a01b0316865261327c6020820161315a565b15156020870152604081810135908701526060810135368290037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe10181126132c2575f5ffd5b0160208101903567ffffffffffffffff8111156132dd575f5ffd5b8036038213156132eb575f5ffd5b60806060880152613300608088018284613169565b9650505060208301925060208401935060018201915061321c565b505050508281036020840152613332818789613192565b91505061334a60408301856001600160a01b03169052565b6001600160a01b0383166060830152979650505050505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405160a0810167ffffffffffffffff811182821017156133e1576133e1613391565b60405290565b604051601f8201601f1916810167ffffffffffffffff8111828210171561341057613410613391565b604052919050565b5f60608284031215613428575f5ffd5b6040516060810167ffffffffffffffff8111828210171561344b5761344b613391565b60405290508061345a8361315a565b815260208301356020820152604083013561347481612c4d565b6040919091015292915050565b5f81830361016081128015613494575f5ffd5b5061349d6133be565b60a08212156134aa575f5ffd5b6134b26133be565b915083356134bf81612c4d565b825260208401356134cf81612c4d565b6020830152604084013562ffffff811681146134e9575f5ffd5b60408301526060840135600281900b8114613502575f5ffd5b606083015261351360808501612c61565b60808301528181526135288560a08601613418565b602082015261353a6101008501612c61565b604082015261354c6101208501612c61565b606082015261014093909301356080840152509092915050565b6135be81846001600160a01b0381511682526001600160a01b03602082015116602083015262ffffff6040820151166040830152606081015160020b60608301526001600160a01b0360808201511660808301525050565b8151151560a0820152602082015160c082015260408201516001600160a01b031660e082015261012061010082018190525f908201526101400192915050565b5f6020828403121561360e575f5ffd5b5051919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f7f8000000000000000000000000000000000000000000000000000000000000000820361367257613672613615565b505f0390565b81810381811115610d4057610d40613615565b6001600160a01b0384168152604060208201525f6136ad604083018486613169565b95945050505050565b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa18336030181126136e8575f5ffd5b9190910192915050565b6001600160a01b0383168152604060208201525f6119846040830184612ecc565b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff818336030181126136e8575f5ffd5b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112613778575f5ffd5b83018035915067ffffffffffffffff821115613792575f5ffd5b602001915036819003821315612c46575f5ffd5b818382375f9101908152919050565b5f602082840312156137c5575f5ffd5b6113c38261315a565b80357fffffffffffffffffffffffffffffffffffffffff0000000000000000000000008116906014841015611b56577fffffffffffffffffffffffffffffffffffffffff000000000000000000000000808560140360031b1b82161691505092915050565b80357fffffff00000000000000000000000000000000000000000000000000000000008116906003841015611b56577fffffff0000000000000000000000000000000000000000000000000000000000808560030360031b1b82161691505092915050565b5f5f604083850312156138a9575f5ffd5b505080516020909101519092909150565b8082028115828204841417610d4057610d40613615565b5f82613904577f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b500490565b80820180821115610d4057610d40613615565b5f6020828403121561392c575f5ffd5b815167ffffffffffffffff811115613942575f5ffd5b8201601f81018413613952575f5ffd5b805167ffffffffffffffff81111561396c5761396c613391565b61397f6020601f19601f840116016133e7565b818152856020838501011115613993575f5ffd5b8160208401602083015e5f918101602001919091529493505050505660a0604052336080523480156012575f5ffd5b50608051610db661002b5f395f61014b0152610db65ff3fe608060405260043610610041575f3560e01c8063059d71551461008e578063150b7a02146100a1578063bc197c81146100f5578063f23a6e6114610114575f5ffd5b3661008a5760ff5f5c16610088576040517f3102bf740000000000000000000000000000000000000000000000000000000081523360048201526024015b60405180910390fd5b005b5f5ffd5b61008861009c3660046108bf565b610133565b3480156100ac575f5ffd5b506100c06100bb36600461098c565b6103b8565b6040517fffffffff00000000000000000000000000000000000000000000000000000000909116815260200160405180910390f35b348015610100575f5ffd5b506100c061010f3660046109f6565b61047a565b34801561011f575f5ffd5b506100c061012e366004610ab5565b61050e565b3373ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016146101a4576040517f4e49b5d300000000000000000000000000000000000000000000000000000000815233600482015260240161007f565b60015f805c7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00168217905d50805f60016101000a815c8173ffffffffffffffffffffffffffffffffffffffff021916908373ffffffffffffffffffffffffffffffffffffffff160217905d505f5b858110156102d1573687878381811061022d5761022d610b28565b905060200281019061023f9190610b55565b90505f61029d6102526020840184610b91565b60408401356102646060860186610baa565b8080601f0160208091040260200160405190810160405280939291908181526020018383808284375f9201919091525061059c92505050565b9050801580156102ba57506102b86040830160208401610c0b565b155b156102c7576102c76105b1565b5050600101610212565b505f5b8381101561034f575f61030d8686848181106102f2576102f2610b28565b90506020020160208101906103079190610b91565b306105bc565b905080156103465761034686868481811061032a5761032a610b28565b905060200201602081019061033f9190610b91565b8583610654565b506001016102d4565b50471561036057610360824761067a565b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00815c16815d505f7fffffffffffffffffffffff0000000000000000000000000000000000000000ff815c16815d50505050505050565b5f336342842e0e306103c86106dd565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e085901b16815273ffffffffffffffffffffffffffffffffffffffff928316600482015291166024820152604481018790526064015f604051808303815f87803b158015610439575f5ffd5b505af115801561044b573d5f5f3e3d5ffd5b507f150b7a02000000000000000000000000000000000000000000000000000000009998505050505050505050565b5f33632eb2c2d63061048a6106dd565b8a8a8a8a8a8a6040518963ffffffff1660e01b81526004016104b3989796959493929190610cba565b5f604051808303815f87803b1580156104ca575f5ffd5b505af11580156104dc573d5f5f3e3d5ffd5b507fbc197c81000000000000000000000000000000000000000000000000000000009c9b505050505050505050505050565b5f3363f242432a3061051e6106dd565b888888886040518763ffffffff1660e01b815260040161054396959493929190610d3c565b5f604051808303815f87803b15801561055a575f5ffd5b505af115801561056c573d5f5f3e3d5ffd5b507ff23a6e61000000000000000000000000000000000000000000000000000000009a9950505050505050505050565b5f5f5f83516020850186885af1949350505050565b6040513d5f823e3d81fd5b6040517f70a0823100000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff82811660048301525f91908416906370a0823190602401602060405180830381865afa158015610629573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061064d9190610d9f565b9392505050565b61067573ffffffffffffffffffffffffffffffffffffffff84168383610752565b505050565b61068482826107ad565b6106d9576040517fe491025c00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff831660048201526024810182905260440161007f565b5050565b5f610100815c0473ffffffffffffffffffffffffffffffffffffffff16610732576040517f3102bf7400000000000000000000000000000000000000000000000000000000815233600482015260240161007f565b5073ffffffffffffffffffffffffffffffffffffffff6101005f5c041690565b61075f83838360016107c7565b610675576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8416600482015260240161007f565b5f61064d838360405180602001604052805f81525061059c565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8616600452602485905291602083604481808b5af1925060015f51148316610843578383151615610837573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f5f83601f84011261085f575f5ffd5b50813567ffffffffffffffff811115610876575f5ffd5b6020830191508360208260051b8501011115610890575f5ffd5b9250929050565b803573ffffffffffffffffffffffffffffffffffffffff811681146108ba575f5ffd5b919050565b5f5f5f5f5f5f608087890312156108d4575f5ffd5b863567ffffffffffffffff8111156108ea575f5ffd5b6108f689828a0161084f565b909750955050602087013567ffffffffffffffff811115610915575f5ffd5b61092189828a0161084f565b9095509350610934905060408801610897565b915061094260608801610897565b90509295509295509295565b5f5f83601f84011261095e575f5ffd5b50813567ffffffffffffffff811115610975575f5ffd5b602083019150836020828501011115610890575f5ffd5b5f5f5f5f5f608086880312156109a0575f5ffd5b6109a986610897565b94506109b760208701610897565b935060408601359250606086013567ffffffffffffffff8111156109d9575f5ffd5b6109e58882890161094e565b969995985093965092949392505050565b5f5f5f5f5f5f5f5f60a0898b031215610a0d575f5ffd5b610a1689610897565b9750610a2460208a01610897565b9650604089013567ffffffffffffffff811115610a3f575f5ffd5b610a4b8b828c0161084f565b909750955050606089013567ffffffffffffffff811115610a6a575f5ffd5b610a768b828c0161084f565b909550935050608089013567ffffffffffffffff811115610a95575f5ffd5b610aa18b828c0161094e565b999c989b5096995094979396929594505050565b5f5f5f5f5f5f60a08789031215610aca575f5ffd5b610ad387610897565b9550610ae160208801610897565b94506040870135935060608701359250608087013567ffffffffffffffff811115610b0a575f5ffd5b610b1689828a0161094e565b979a9699509497509295939492505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81833603018112610b87575f5ffd5b9190910192915050565b5f60208284031215610ba1575f5ffd5b61064d82610897565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112610bdd575f5ffd5b83018035915067ffffffffffffffff821115610bf7575f5ffd5b602001915036819003821315610890575f5ffd5b5f60208284031215610c1b575f5ffd5b8135801515811461064d575f5ffd5b8183525f7f07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff831115610c5a575f5ffd5b8260051b80836020870137939093016020019392505050565b81835281816020850137505f602082840101525f60207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f840116840101905092915050565b73ffffffffffffffffffffffffffffffffffffffff8916815273ffffffffffffffffffffffffffffffffffffffff8816602082015260a060408201525f610d0560a08301888a610c2a565b8281036060840152610d18818789610c2a565b90508281036080840152610d2d818587610c73565b9b9a5050505050505050505050565b73ffffffffffffffffffffffffffffffffffffffff8716815273ffffffffffffffffffffffffffffffffffffffff8616602082015284604082015283606082015260a060808201525f610d9360a083018486610c73565b98975050505050505050565b5f60208284031215610daf575f5ffd5b505191905056",
  "deployedBytecode": "0x6080604052600436106100b8575f3560e01c8063a3093e0f11610071578063f887ea401161004c578063f887ea4014610229578063f9e4bab41461025c578063fb68c2931461026f575f5ffd5b8063a3093e0f1461018b578063d6d0a660146101d4578063f80f00fb1461020a575f5ffd5b8063266a1cdf116100a1578063266a1cdf1461013857806347f247f914610157578063497d503214610178575f5ffd5b80630a2b8f36146100bc57806312261ee7146100f1575b5f5ffd5b3480156100c7575f5ffd5b506100db6100d6366004611884565b610282565b6040516100e891906119af565b60405180910390f35b3480156100fc575f5ffd5b506101136e22d473030f116ddee9f6b43ac78ba381565b60405173ffffffffffffffffffffffffffffffffffffffff90911681526020016100e8565b348015610143575f5ffd5b506100db610152366004611a5a565b610410565b348015610162575f5ffd5b50610176610171366004611b80565b61044d565b005b610176610186366004611bb5565b6104e1565b348015610196575f5ffd5b506101c46101a5366004611c85565b600160209081525f928352604080842090915290825290205460ff1681565b60405190151581526020016100e8565b3480156101df575f5ffd5b506101c46101ee366004611cad565b5f60208181529281526040808220909352908152205460ff1681565b348015610215575f5ffd5b506100db610224366004611d1f565b6105d9565b348015610234575f5ffd5b506101137f000000000000000000000000000000000000000000000000000000000000000081565b6100db61026a366004611dec565b6107d9565b6100db61027d366004611e27565b6108a9565b6040517f99290f2f00000000000000000000000000000000000000000000000000000000815233600482015273ffffffffffffffffffffffffffffffffffffffff8b811660248301526060917f0000000000000000000000000000000000000000000000000000000000000000909116906399290f2f906044015f604051808303815f87803b158015610313575f5ffd5b505af1158015610325573d5f5f3e3d5ffd5b505050506103438b8b61033c8c8c8c8c8c8c610b26565b8686610e18565b6040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7906103bf908c908c908c908c908c908c90600401612076565b5f604051808303815f875af11580156103da573d5f5f3e3d5ffd5b505050506040513d5f823e601f3d908101601f19168201604052610401919081019061215b565b9b9a5050505050505050505050565b606061042b8c6e22d473030f116ddee9f6b43ac78ba3611003565b61043d8b8b8b8b8b8b8b8b8b8b610282565b9c9b505050505050505050505050565b335f8181526020818152604080832073ffffffffffffffffffffffffffffffffffffffff87168085529083529281902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001686151590811790915590519081529192917f0dea6cbcb70e71b8f1238571ca2b61fe2d01791345cbbbf2ee2d3348b87ba8b8910160405180910390a35050565b6104ea896110ff565b6105036104fa60208b018b6122d4565b89898989611312565b7f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff1663cd6e13f734868686868f6020013560405160200161055b91815260200190565b6040516020818303038152906040526040518763ffffffff1660e01b815260040161058a9594939291906122f4565b5f6040518083038185885af11580156105a5573d5f5f3e3d5ffd5b50505050506040513d5f823e601f3d908101601f191682016040526105cd919081019061215b565b50505050505050505050565b606060018a1415806105ec575060018814155b15610623576040517f7406a9ed00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b7f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff166399290f2f338d8d5f8181106106725761067261235d565b61068892602060e09092020190810191506122d4565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e085901b16815273ffffffffffffffffffffffffffffffffffffffff9283166004820152911660248201526044015f604051808303815f87803b1580156106f2575f5ffd5b505af1158015610704573d5f5f3e3d5ffd5b5050505061075d8b8b5f81811061071d5761071d61235d565b905060e002018a8a5f8181106107355761073561235d565b905060200201602081019061074a91906122d4565b6107588a8a8a8a8a8a610b26565b611472565b6040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7906103bf908a908a908a908a908a908a90600401612076565b60606107e8338c8c8c8c611312565b6040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7903490610866908b908b908b908b908b908b90600401612076565b5f6040518083038185885af1158015610881573d5f5f3e3d5ffd5b50505050506040513d5f823e601f3d908101601f19168201604052610401919081019061215b565b6040517f99290f2f000000000000000000000000000000000000000000000000000000008152336004820181905260248201526060907f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff16906399290f2f906044015f604051808303815f87803b158015610937575f5ffd5b505af1158015610949573d5f5f3e3d5ffd5b505050505f5b88811015610a5757368a8a8381811061096a5761096a61235d565b6101000291909101915033905061098760408301602084016122d4565b73ffffffffffffffffffffffffffffffffffffffff1614610a08576109b260408201602083016122d4565b6040517f6fe5597400000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff90911660048201523360248201526044015b60405180910390fd5b610a128130611003565b610a4e610a2260208301836122d4565b337f000000000000000000000000000000000000000000000000000000000000000084604001356115a5565b5060010161094f565b506040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7903490610ad6908b908b908b908b908b908b90600401612076565b5f6040518083038185885af1158015610af1573d5f5f3e3d5ffd5b50505050506040513d5f823e601f3d908101601f19168201604052610b19919081019061215b565b9998505050505050505050565b5f73ffffffffffffffffffffffffffffffffffffffff8516610b74576040517fcb97b52d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f8667ffffffffffffffff811115610b8e57610b8e6120d4565b604051908082528060200260200182016040528015610bb7578160200160208202803683370190505b5090505f5b87811015610d0d5736898983818110610bd757610bd761235d565b9050602002810190610be9919061238a565b9050610bfb60408201602083016123c6565b15610c35576040517f1c2f467b000000000000000000000000000000000000000000000000000000008152600481018390526024016109ff565b60405180608001604052806049815260200161285460499139805160209182012090610c63908301836122d4565b5f6040840135610c7660608601866123e1565b604051610c84929190612442565b604051908190038120610cd1959493929160200194855273ffffffffffffffffffffffffffffffffffffffff93909316602085015290151560408401526060830152608082015260a00190565b60405160208183030381529060405280519060200120838381518110610cf957610cf961235d565b602090810291909101015250600101610bbc565b505f81604051602001610d209190612451565b6040516020818303038152906040528051906020012090506040518060a00160405280606d81526020016126ec606d913960405180608001604052806049815260200161285460499139604051602001610d7b92919061249d565b604051602081830303815290604052805190602001203388888888604051610da4929190612442565b60408051918290038220602083019690965273ffffffffffffffffffffffffffffffffffffffff948516908201529183166060830152909116608082015260a081019190915260c0810182905260e00160405160208183030381529060405280519060200120925050509695505050505050565b5f819003610e52576040517fac241e1100000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f610e5d85806124b9565b905090505f8167ffffffffffffffff811115610e7b57610e7b6120d4565b604051908082528060200260200182016040528015610ebf57816020015b604080518082019091525f8082526020820152815260200190600190039081610e995790505b5090505f5b82811015610f5f576040805180820190915273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016815260208101610f1d89806124b9565b84818110610f2d57610f2d61235d565b90506040020160200135815250828281518110610f4c57610f4c61235d565b6020908102919091010152600101610ec4565b506e22d473030f116ddee9f6b43ac78ba373ffffffffffffffffffffffffffffffffffffffff1663fe8ec1a787838a8960405180610120016040528060fb815260200161275960fb91398a8a6040518863ffffffff1660e01b8152600401610fcd9796959493929190612579565b5f604051808303815f87803b158015610fe4575f5ffd5b505af1158015610ff6573d5f5f3e3d5ffd5b5050505050505050505050565b61101060208301836122d4565b73ffffffffffffffffffffffffffffffffffffffff1663d505accf61103b60408501602086016122d4565b836040860135608087013561105660c0890160a08a016126cb565b60405160e087811b7fffffffff0000000000000000000000000000000000000000000000000000000016825273ffffffffffffffffffffffffffffffffffffffff96871660048301529490951660248601526044850192909252606484015260ff16608483015260c086013560a483015285013560c482015260e4015f604051808303815f87803b1580156110e9575f5ffd5b505af19250505080156110fa575060015b505050565b5f8061110e60208401846122d4565b91505060208201353373ffffffffffffffffffffffffffffffffffffffff83161480159061116a575073ffffffffffffffffffffffffffffffffffffffff82165f9081526020818152604080832033845290915290205460ff16155b156111bf576040517feb0070b000000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff831660048201523360248201526044016109ff565b826040013542111561120357604080517f498eea020000000000000000000000000000000000000000000000000000000081529084013560048201526024016109ff565b73ffffffffffffffffffffffffffffffffffffffff82165f90815260016020908152604080832084845290915290205460ff161561128c576040517f926f1a3300000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff83166004820152602481018290526044016109ff565b73ffffffffffffffffffffffffffffffffffffffff82165f81815260016020818152604080842086855290915280832080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0016909217909155518392917f6b9fc20cbc3e40e447711f4628cc9aa1102e79c7a8388d5f62b33d99cb971b3391a3505050565b82811461134b576040517f1083f70900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6040517f99290f2f00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8681166004830181905260248301527f000000000000000000000000000000000000000000000000000000000000000016906399290f2f906044015f604051808303815f87803b1580156113d8575f5ffd5b505af11580156113ea573d5f5f3e3d5ffd5b505050505f5b8381101561146a5761146285858381811061140d5761140d61235d565b905060200201602081019061142291906122d4565b337f00000000000000000000000000000000000000000000000000000000000000008686868181106114565761145661235d565b905060200201356115a5565b6001016113f0565b505050505050565b73ffffffffffffffffffffffffffffffffffffffff821663ef55bec661149b60208601866122d4565b30602087013560408801356060890135876114bc60a08c0160808d016126cb565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e08a901b16815273ffffffffffffffffffffffffffffffffffffffff978816600482015296909516602487015260448601939093526064850191909152608484015260a483015260ff1660c482015260a086013560e482015260c0860135610104820152610124015f604051808303815f87803b158015611560575f5ffd5b505af1158015611572573d5f5f3e3d5ffd5b505050506110fa827f000000000000000000000000000000000000000000000000000000000000000085602001356115cd565b6115c773ffffffffffffffffffffffffffffffffffffffff85168484846115ee565b50505050565b6110fa73ffffffffffffffffffffffffffffffffffffffff8416838361164a565b6115fc8484848460016116a5565b6115c7576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff851660048201526024016109ff565b6116578383836001611738565b6110fa576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff841660048201526024016109ff565b6040517f23b872dd000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8781166004528616602452604485905291602083606481808c5af1925060015f5114831661172757838315161561171b573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8616600452602485905291602083604481808b5af1925060015f511483166117b45783831516156117a8573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b803573ffffffffffffffffffffffffffffffffffffffff811681146117e3575f5ffd5b919050565b5f606082840312156117f8575f5ffd5b50919050565b5f5f83601f84011261180e575f5ffd5b50813567ffffffffffffffff811115611825575f5ffd5b6020830191508360208260051b850101111561183f575f5ffd5b9250929050565b5f5f83601f840112611856575f5ffd5b50813567ffffffffffffffff81111561186d575f5ffd5b60208301915083602082850101111561183f575f5ffd5b5f5f5f5f5f5f5f5f5f5f60e08b8d03121561189d575f5ffd5b6118a68b6117c0565b995060208b013567ffffffffffffffff8111156118c1575f5ffd5b6118cd8d828e016117e8565b99505060408b013567ffffffffffffffff8111156118e9575f5ffd5b6118f58d828e016117fe565b9099509750611908905060608c016117c0565b955061191660808c016117c0565b945060a08b013567ffffffffffffffff811115611931575f5ffd5b61193d8d828e01611846565b90955093505060c08b013567ffffffffffffffff81111561195c575f5ffd5b6119688d828e01611846565b915080935050809150509295989b9194979a5092959850565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b5f602082016020835280845180835260408501915060408160051b8601019250602086015f5b82811015611a3d577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc087860301845281518051151586526020810151905060406020870152611a276040870182611981565b95505060209384019391909101906001016119d5565b50929695505050505050565b5f61010082840312156117f8575f5ffd5b5f5f5f5f5f5f5f5f5f5f5f6101e08c8e031215611a75575f5ffd5b611a7f8d8d611a49565b9a50611a8e6101008d016117c0565b99506101208c013567ffffffffffffffff811115611aaa575f5ffd5b611ab68e828f016117e8565b9950506101408c013567ffffffffffffffff811115611ad3575f5ffd5b611adf8e828f016117fe565b9099509750611af390506101608d016117c0565b9550611b026101808d016117c0565b94506101a08c013567ffffffffffffffff811115611b1e575f5ffd5b611b2a8e828f01611846565b9095509350506101c08c013567ffffffffffffffff811115611b4a575f5ffd5b611b568e828f01611846565b915080935050809150509295989b509295989b9093969950565b8015158114611b7d575f5ffd5b50565b5f5f60408385031215611b91575f5ffd5b611b9a836117c0565b91506020830135611baa81611b70565b809150509250929050565b5f5f5f5f5f5f5f5f5f6101008a8c031215611bce575f5ffd5b611bd88b8b6117e8565b985060608a013567ffffffffffffffff811115611bf3575f5ffd5b611bff8c828d016117fe565b90995097505060808a013567ffffffffffffffff811115611c1e575f5ffd5b611c2a8c828d016117fe565b90975095505060a08a013567ffffffffffffffff811115611c49575f5ffd5b611c558c828d016117fe565b9095509350611c68905060c08b016117c0565b9150611c7660e08b016117c0565b90509295985092959850929598565b5f5f60408385031215611c96575f5ffd5b611c9f836117c0565b946020939093013593505050565b5f5f60408385031215611cbe575f5ffd5b611cc7836117c0565b9150611cd5602084016117c0565b90509250929050565b5f5f83601f840112611cee575f5ffd5b50813567ffffffffffffffff811115611d05575f5ffd5b60208301915083602060e08302850101111561183f575f5ffd5b5f5f5f5f5f5f5f5f5f5f60c08b8d031215611d38575f5ffd5b8a3567ffffffffffffffff811115611d4e575f5ffd5b611d5a8d828e01611cde565b909b5099505060208b013567ffffffffffffffff811115611d79575f5ffd5b611d858d828e016117fe565b90995097505060408b013567ffffffffffffffff811115611da4575f5ffd5b611db08d828e016117fe565b9097509550611dc3905060608c016117c0565b9350611dd160808c016117c0565b925060a08b013567ffffffffffffffff81111561195c575f5ffd5b5f5f5f5f5f5f5f5f5f5f60c08b8d031215611e05575f5ffd5b8a3567ffffffffffffffff811115611e1b575f5ffd5b611d5a8d828e016117fe565b5f5f5f5f5f5f5f5f60a0898b031215611e3e575f5ffd5b883567ffffffffffffffff811115611e54575f5ffd5b8901601f81018b13611e64575f5ffd5b803567ffffffffffffffff811115611e7a575f5ffd5b8b60208260081b8401011115611e8e575f5ffd5b60209182019950975089013567ffffffffffffffff811115611eae575f5ffd5b611eba8b828c016117fe565b9097509550611ecd905060408a016117c0565b9350611edb60608a016117c0565b9250608089013567ffffffffffffffff811115611ef6575f5ffd5b611f028b828c01611846565b999c989b5096995094979396929594505050565b81835281816020850137505f602082840101525f6020601f19601f840116840101905092915050565b5f8383855260208501945060208460051b820101835f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81863603015b8782101561206957601f198585030189528235818112611f99575f5ffd5b870173ffffffffffffffffffffffffffffffffffffffff611fb9826117c0565b1685526020810135611fca81611b70565b15156020860152604081810135908601526060810135368290037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1018112612010575f5ffd5b0160208101903567ffffffffffffffff81111561202b575f5ffd5b803603821315612039575f5ffd5b6080606087015261204e608087018284611f16565b95505050602083019250602089019850600182019150611f7b565b5091979650505050505050565b608081525f61208960808301888a611f3f565b73ffffffffffffffffffffffffffffffffffffffff8716602084015273ffffffffffffffffffffffffffffffffffffffff861660408401528281036060840152610b19818587611f16565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b6040805190810167ffffffffffffffff81118282101715612124576121246120d4565b60405290565b604051601f8201601f1916810167ffffffffffffffff81118282101715612153576121536120d4565b604052919050565b5f6020828403121561216b575f5ffd5b815167ffffffffffffffff811115612181575f5ffd5b8201601f81018413612191575f5ffd5b805167ffffffffffffffff8111156121ab576121ab6120d4565b8060051b6121bb6020820161212a565b918252602081840181019290810190878411156121d6575f5ffd5b6020850192505b838310156122c957825167ffffffffffffffff8111156121fb575f5ffd5b85016040818a03601f19011215612210575f5ffd5b612218612101565b602082015161222681611b70565b8152604082015167ffffffffffffffff811115612241575f5ffd5b60208184010192505089601f830112612258575f5ffd5b815167ffffffffffffffff811115612272576122726120d4565b6122856020601f19601f8401160161212a565b8181528b6020838601011115612299575f5ffd5b8160208501602083015e5f60208383010152806020840152505080845250506020820191506020830192506121dd565b979650505050505050565b5f602082840312156122e4575f5ffd5b6122ed826117c0565b9392505050565b608081525f612307608083018789611f3f565b73ffffffffffffffffffffffffffffffffffffffff8616602084015273ffffffffffffffffffffffffffffffffffffffff8516604084015282810360608401526123518185611981565b98975050505050505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff818336030181126123bc575f5ffd5b9190910192915050565b5f602082840312156123d6575f5ffd5b81356122ed81611b70565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112612414575f5ffd5b83018035915067ffffffffffffffff82111561242e575f5ffd5b60200191503681900382131561183f575f5ffd5b818382375f9101908152919050565b81515f90829060208501835b8281101561247b57815184526020938401939091019060010161245d565b509195945050505050565b5f81518060208401855e5f93019283525090919050565b5f6124b16124ab8386612486565b84612486565b949350505050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe18436030181126124ec575f5ffd5b83018035915067ffffffffffffffff821115612506575f5ffd5b6020019150600681901b360382131561183f575f5ffd5b5f8151808452602084019350602083015f5b8281101561256f578151805173ffffffffffffffffffffffffffffffffffffffff168752602090810151818801526040909601959091019060010161252f565b5093949350505050565b60c081525f610120820189357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe18b36030181126125b4575f5ffd5b8a0160208101903567ffffffffffffffff8111156125d0575f5ffd5b8060061b36038213156125e1575f5ffd5b606060c086015291829052905f9061014085015b8183101561263b5773ffffffffffffffffffffffffffffffffffffffff61261b856117c0565b1681526020848101359082015260409384019360019390930192016125f5565b60208d81013560e088015260408e01356101008801819052878303918801919091529350612669818d61251d565b9350505050612690604084018973ffffffffffffffffffffffffffffffffffffffff169052565b86606084015282810360808401526126a88187611981565b905082810360a08401526126bd818587611f16565b9a9950505050505050505050565b5f602082840312156126db575f5ffd5b813560ff811681146122ed575f5ffdfe52656c617965725769746e65737328616464726573732072656c617965722c6164647265737320726566756e64546f2c61646472657373206e6674526563697069656e742c6279746573206d657461646174612c43616c6c3356616c75655b5d2063616c6c3356616c7565732952656c617965725769746e657373207769746e6573732943616c6c3356616c75652861646472657373207461726765742c626f6f6c20616c6c6f774661696c7572652c75696e743235362076616c75652c62797465732063616c6c446174612952656c617965725769746e65737328616464726573732072656c617965722c6164647265737320726566756e64546f2c61646472657373206e6674526563697069656e742c6279746573206d657461646174612c43616c6c3356616c75655b5d2063616c6c3356616c75657329546f6b656e5065726d697373696f6e73286164647265737320746f6b656e2c75696e7432353620616d6f756e742943616c6c3356616c75652861646472657373207461726765742c626f6f6c20616c6c6f774661696c7572652c75696e743235362076616c75652c62797465732063616c6c4461746129",
  "immutables": [
    [
      570,
      32
    ],
    [
      720,
      32
    ],
    [
      896,
      32
    ],
    [
      1285,
      32
    ],
    [
      1573,
      32
    ],
    [
      1946,
      32
    ],
    [
      2085,
      32
    ],
    [
      2273,
      32
    ],
    [
      2597,
      32
    ],
    [
      2709,
      32
    ],
    [
      3821,
      32
    ],
    [
      5015,
      32
    ],
    [
      5157,
      32
    ],
    [
      5500,
      32
    ]
  ]
} as const
