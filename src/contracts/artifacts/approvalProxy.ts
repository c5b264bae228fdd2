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
  "bytecode": "0x60a060405234801561000f575f5ffd5b5060405161711438038061711483398101604081905261002e91610087565b808060405161003c9061007a565b6001600160a01b039091168152602001604051809103905ff080158015610065573d5f5f3e3d5ffd5b506001600160a01b0316608052506100b49050565b614750806129c483390190565b5f60208284031215610097575f5ffd5b81516001600160a01b03811681146100ad575f5ffd5b9392505050565b60805161289d6101275f395f818161023a015281816102d00152818161038001528181610505015281816106250152818161079a01528181610825015281816108e101528181610a2501528181610a9501528181610eed0152818161139701528181611425015261157c015261289d5ff3fe6080604052600436106100b8575f3560e01c8063a3093e0f11610071578063f887ea401161004c578063f887ea4014610229578063f9e4bab41461025c578063fb68c2931461026f575f5ffd5b8063a3093e0f1461018b578063d6d0a660146101d4578063f80f00fb1461020a575f5ffd5b8063266a1cdf116100a1578063266a1cdf1461013857806347f247f914610157578063497d503214610178575f5ffd5b80630a2b8f36146100bc57806312261ee7146100f1575b5f5ffd5b3480156100c7575f5ffd5b506100db6100d6366004611884565b610282565b6040516100e891906119af565b60405180910390f35b3480156100fc575f5ffd5b506101136e22d473030f116ddee9f6b43ac78ba381565b60405173ffffffffffffffffffffffffffffffffffffffff90911681526020016100e8565b348015610143575f5ffd5b506100db610152366004611a5a565b610410565b348015610162575f5ffd5b50610176610171366004611b80565b61044d565b005b610176610186366004611bb5565b6104e1565b348015610196575f5ffd5b506101c46101a5366004611c85565b600160209081525f928352604080842090915290825290205460ff1681565b60405190151581526020016100e8565b3480156101df575f5ffd5b506101c46101ee366004611cad565b5f60208181529281526040808220909352908152205460ff1681565b348015610215575f5ffd5b506100db610224366004611d1f565b6105d9565b348015610234575f5ffd5b506101137f000000000000000000000000000000000000000000000000000000000000000081565b6100db61026a366004611dec565b6107d9565b6100db61027d366004611e27565b6108a9565b6040517f99290f2f00000000000000000000000000000000000000000000000000000000815233600482015273ffffffffffffffffffffffffffffffffffffffff8b811660248301526060917f0000000000000000000000000000000000000000000000000000000000000000909116906399290f2f906044015f604051808303815f87803b158015610313575f5ffd5b505af1158015610325573d5f5f3e3d5ffd5b505050506103438b8b61033c8c8c8c8c8c8c610b26565b8686610e18565b6040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7906103bf908c908c908c908c908c908c90600401612076565b5f604051808303815f875af11580156103da573d5f5f3e3d5ffd5b505050506040513d5f823e601f3d908101601f19168201604052610401919081019061215b565b9b9a5050505050505050505050565b606061042b8c6e22d473030f116ddee9f6b43ac78ba3611003565b61043d8b8b8b8b8b8b8b8b8b8b610282565b9c9b505050505050505050505050565b335f8181526020818152604080832073ffffffffffffffffffffffffffffffffffffffff87168085529083529281902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001686151590811790915590519081529192917f0dea6cbcb70e71b8f1238571ca2b61fe2d01791345cbbbf2ee2d3348b87ba8b8910160405180910390a35050565b6104ea896110ff565b6105036104fa60208b018b6122d4565b89898989611312565b7f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff1663cd6e13f734868686868f6020013560405160200161055b91815260200190565b6040516020818303038152906040526040518763ffffffff1660e01b815260040161058a9594939291906122f4565b5f6040518083038185885af11580156105a5573d5f5f3e3d5ffd5b50505050506040513d5f823e601f3d908101601f191682016040526105cd919081019061215b565b50505050505050505050565b606060018a1415806105ec575060018814155b15610623576040517f7406a9ed00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b7f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff166399290f2f338d8d5f8181106106725761067261235d565b61068892602060e09092020190810191506122d4565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e085901b16815273ffffffffffffffffffffffffffffffffffffffff9283166004820152911660248201526044015f604051808303815f87803b1580156106f2575f5ffd5b505af1158015610704573d5f5f3e3d5ffd5b5050505061075d8b8b5f81811061071d5761071d61235d565b905060e002018a8a5f8181106107355761073561235d565b905060200201602081019061074a91906122d4565b6107588a8a8a8a8a8a610b26565b611472565b6040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7906103bf908a908a908a908a908a908a90600401612076565b60606107e8338c8c8c8c611312565b6040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7903490610866908b908b908b908b908b908b90600401612076565b5f6040518083038185885af1158015610881573d5f5f3e3d5ffd5b50505050506040513d5f823e601f3d908101601f19168201604052610401919081019061215b565b6040517f99290f2f000000000000000000000000000000000000000000000000000000008152336004820181905260248201526060907f000000000000000000000000000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff16906399290f2f906044015f604051808303815f87803b158015610937575f5ffd5b505af1158015610949573d5f5f3e3d5ffd5b505050505f5b88811015610a5757368a8a8381811061096a5761096a61235d565b6101000291909101915033905061098760408301602084016122d4565b73ffffffffffffffffffffffffffffffffffffffff1614610a08576109b260408201602083016122d4565b6040517f6fe5597400000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff90911660048201523360248201526044015b60405180910390fd5b610a128130611003565b610a4e610a2260208301836122d4565b337f000000000000000000000000000000000000000000000000000000000000000084604001356115a5565b5060010161094f565b506040517fcd6e13f700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000169063cd6e13f7903490610ad6908b908b908b908b908b908b90600401612076565b5f6040518083038185885af1158015610af1573d5f5f3e3d5ffd5b50505050506040513d5f823e601f3d908101601f19168201604052610b19919081019061215b565b9998505050505050505050565b5f73ffffffffffffffffffffffffffffffffffffffff8516610b74576040517fcb97b52d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f8667ffffffffffffffff811115610b8e57610b8e6120d4565b604051908082528060200260200182016040528015610bb7578160200160208202803683370190505b5090505f5b87811015610d0d5736898983818110610bd757610bd761235d565b9050602002810190610be9919061238a565b9050610bfb60408201602083016123c6565b15610c35576040517f1c2f467b000000000000000000000000000000000000000000000000000000008152600481018390526024016109ff565b60405180608001604052806049815260200161285460499139805160209182012090610c63908301836122d4565b5f6040840135610c7660608601866123e1565b604051610c84929190612442565b604051908190038120610cd1959493929160200194855273ffffffffffffffffffffffffffffffffffffffff93909316602085015290151560408401526060830152608082015260a00190565b60405160208183030381529060405280519060200120838381518110610cf957610cf961235d565b602090810291909101015250600101610bbc565b505f81604051602001610d209190612451565b6040516020818303038152906040528051906020012090506040518060a00160405280606d81526020016126ec606d913960405180608001604052806049815260200161285460499139604051602001610d7b92919061249d565b604051602081830303815290604052805190602001203388888888604051610da4929190612442565b60408051918290038220602083019690965273ffffffffffffffffffffffffffffffffffffffff948516908201529183166060830152909116608082015260a081019190915260c0810182905260e00160405160208183030381529060405280519060200120925050509695505050505050565b5f819003610e52576040517fac241e1100000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f610e5d85806124b9565b905090505f8167ffffffffffffffff811115610e7b57610e7b6120d4565b604051908082528060200260200182016040528015610ebf57816020015b604080518082019091525f8082526020820152815260200190600190039081610e995790505b5090505f5b82811015610f5f576040805180820190915273ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016815260208101610f1d89806124b9565b84818110610f2d57610f2d61235d565b90506040020160200135815250828281518110610f4c57610f4c61235d565b6020908102919091010152600101610ec4565b506e22d473030f116ddee9f6b43ac78ba373ffffffffffffffffffffffffffffffffffffffff1663fe8ec1a787838a8960405180610120016040528060fb815260200161275960fb91398a8a6040518863ffffffff1660e01b8152600401610fcd9796959493929190612579565b5f604051808303815f87803b158015610fe4575f5ffd5b505af1158015610ff6573d5f5f3e3d5ffd5b5050505050505050505050565b61101060208301836122d4565b73ffffffffffffffffffffffffffffffffffffffff1663d505accf61103b60408501602086016122d4565b836040860135608087013561105660c0890160a08a016126cb565b60405160e087811b7fffffffff0000000000000000000000000000000000000000000000000000000016825273ffffffffffffffffffffffffffffffffffffffff96871660048301529490951660248601526044850192909252606484015260ff16608483015260c086013560a483015285013560c482015260e4015f604051808303815f87803b1580156110e9575f5ffd5b505af19250505080156110fa575060015b505050565b5f8061110e60208401846122d4565b91505060208201353373ffffffffffffffffffffffffffffffffffffffff83161480159061116a575073ffffffffffffffffffffffffffffffffffffffff82165f9081526020818152604080832033845290915290205460ff16155b156111bf576040517feb0070b000000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff831660048201523360248201526044016109ff565b826040013542111561120357604080517f498eea020000000000000000000000000000000000000000000000000000000081529084013560048201526024016109ff565b73ffffffffffffffffffffffffffffffffffffffff82165f90815260016020908152604080832084845290915290205460ff161561128c576040517f926f1a3300000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff83166004820152602481018290526044016109ff565b73ffffffffffffffffffffffffffffffffffffffff82165f81815260016020818152604080842086855290915280832080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0016909217909155518392917f6b9fc20cbc3e40e447711f4628cc9aa1102e79c7a8388d5f62b33d99cb971b3391a3505050565b82811461134b576040517f1083f70900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6040517f99290f2f00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8681166004830181905260248301527f000000000000000000000000000000000000000000000000000000000000000016906399290f2f906044015f604051808303815f87803b1580156113d8575f5ffd5b505af11580156113ea573d5f5f3e3d5ffd5b505050505f5b8381101561146a5761146285858381811061140d5761140d61235d565b905060200201602081019061142291906122d4565b337f00000000000000000000000000000000000000000000000000000000000000008686868181106114565761145661235d565b905060200201356115a5565b6001016113f0565b505050505050565b73ffffffffffffffffffffffffffffffffffffffff821663ef55bec661149b60208601866122d4565b30602087013560408801356060890135876114bc60a08c0160808d016126cb565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e08a901b16815273ffffffffffffffffffffffffffffffffffffffff978816600482015296909516602487015260448601939093526064850191909152608484015260a483015260ff1660c482015260a086013560e482015260c0860135610104820152610124015f604051808303815f87803b158015611560575f5ffd5b505af1158015611572573d5f5f3e3d5ffd5b505050506110fa827f000000000000000000000000000000000000000000000000000000000000000085602001356115cd565b6115c773ffffffffffffffffffffffffffffffffffffffff85168484846115ee565b50505050565b6110fa73ffffffffffffffffffffffffffffffffffffffff8416838361164a565b6115fc8484848460016116a5565b6115c7576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff851660048201526024016109ff565b6116578383836001611738565b6110fa576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff841660048201526024016109ff565b6040517f23b872dd000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8781166004528616602452604485905291602083606481808c5af1925060015f5114831661172757838315161561171b573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8616600452602485905291602083604481808b5af1925060015f511483166117b45783831516156117a8573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b803573ffffffffffffffffffffffffffffffffffffffff811681146117e3575f5ffd5b919050565b5f606082840312156117f8575f5ffd5b50919050565b5f5f83601f84011261180e575f5ffd5b50813567ffffffffffffffff811115611825575f5ffd5b6020830191508360208260051b850101111561183f575f5ffd5b9250929050565b5f5f83601f840112611856575f5ffd5b50813567ffffffffffffffff81111561186d575f5ffd5b60208301915083602082850101111561183f575f5ffd5b5f5f5f5f5f5f5f5f5f5f60e08b8d03121561189d575f5ffd5b6118a68b6117c0565b995060208b013567ffffffffffffffff8111156118c1575f5ffd5b6118cd8d828e016117e8565b99505060408b013567ffffffffffffffff8111156118e9575f5ffd5b6118f58d828e016117fe565b9099509750611908905060608c016117c0565b955061191660808c016117c0565b945060a08b013567ffffffffffffffff811115611931575f5ffd5b61193d8d828e01611846565b90955093505060c08b013567ffffffffffffffff81111561195c575f5ffd5b6119688d828e01611846565b915080935050809150509295989b9194979a5092959850565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b5f602082016020835280845180835260408501915060408160051b8601019250602086015f5b82811015611a3d577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc087860301845281518051151586526020810151905060406020870152611a276040870182611981565b95505060209384019391909101906001016119d5565b50929695505050505050565b5f61010082840312156117f8575f5ffd5b5f5f5f5f5f5f5f5f5f5f5f6101e08c8e031215611a75575f5ffd5b611a7f8d8d611a49565b9a50611a8e6101008d016117c0565b99506101208c013567ffffffffffffffff811115611aaa575f5ffd5b611ab68e828f016117e8565b9950506101408c013567ffffffffffffffff811115611ad3575f5ffd5b611adf8e828f016117fe565b9099509750611af390506101608d016117c0565b9550611b026101808d016117c0565b94506101a08c013567ffffffffffffffff811115611b1e575f5ffd5b611b2a8e828f01611846565b9095509350506101c08c013567ffffffffffffffff811115611b4a575f5ffd5b611b568e828f01611846565b915080935050809150509295989b509295989b9093969950565b8015158114611b7d575f5ffd5b50565b5f5f60408385031215611b91575f5ffd5b611b9a836117c0565b91506020830135611baa81611b70565b809150509250929050565b5f5f5f5f5f5f5f5f5f6101008a8c031215611bce575f5ffd5b611bd88b8b6117e8565b985060608a013567ffffffffffffffff811115611bf3575f5ffd5b611bff8c828d016117fe565b90995097505060808a013567ffffffffffffffff811115611c1e575f5ffd5b611c2a8c828d016117fe565b90975095505060a08a013567ffffffffffffffff811115611c49575f5ffd5b611c558c828d016117fe565b9095509350611c68905060c08b016117c0565b9150611c7660e08b016117c0565b90509295985092959850929598565b5f5f60408385031215611c96575f5ffd5b611c9f836117c0565b946020939093013593505050565b5f5f60408385031215611cbe575f5ffd5b611cc7836117c0565b9150611cd5602084016117c0565b90509250929050565b5f5f83601f840112611cee575f5ffd5b50813567ffffffffffffffff811115611d05575f5ffd5b60208301915083602060e08302850101111561183f575f5ffd5b5f5f5f5f5f5f5f5f5f5f60c08b8d031215611d38575f5ffd5b8a3567ffffffffffffffff811115611d4e575f5ffd5b611d5a8d828e01611cde565b909b5099505060208b013567ffffffffffffffff811115611d79575f5ffd5b611d858d828e016117fe565b90995097505060408b013567ffffffffffffffff811115611da4575f5ffd5b611db08d828e016117fe565b9097509550611dc3905060608c016117c0565b9350611dd160808c016117c0565b925060a08b013567ffffffffffffffff81111561195c575f5ffd5b5f5f5f5f5f5f5f5f5f5f60c08b8d031215611e05575f5ffd5b8a3567ffffffffffffffff811115611e1b575f5ffd5b611d5a8d828e016117fe565b5f5f5f5f5f5f5f5f60a0898b031215611e3e575f5ffd5b883567ffffffffffffffff811115611e54575f5ffd5b8901601f81018b13611e64575f5ffd5b803567ffffffffffffffff811115611e7a575f5ffd5b8b60208260081b8401011115611e8e575f5ffd5b60209182019950975089013567ffffffffffffffff811115611eae575f5ffd5b611eba8b828c016117fe565b9097509550611ecd905060408a016117c0565b9350611edb60608a016117c0565b9250608089013567ffffffffffffffff811115611ef6575f5ffd5b611f028b828c01611846565b999c989b5096995094979396929594505050565b81835281816020850137505f602082840101525f6020601f19601f840116840101905092915050565b5f8383855260208501945060208460051b820101835f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81863603015b8782101561206957601f198585030189528235818112611f99575f5ffd5b870173ffffffffffffffffffffffffffffffffffffffff611fb9826117c0565b1685526020810135611fca81611b70565b15156020860152604081810135908601526060810135368290037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1018112612010575f5ffd5b0160208101903567ffffffffffffffff81111561202b575f5ffd5b803603821315612039575f5ffd5b6080606087015261204e608087018284611f16565b95505050602083019250602089019850600182019150611f7b565b5091979650505050505050565b608081525f61208960808301888a611f3f565b73ffffffffffffffffffffffffffffffffffffffff8716602084015273ffffffffffffffffffffffffffffffffffffffff861660408401528281036060840152610b19818587611f16565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b6040805190810167ffffffffffffffff81118282101715612124576121246120d4565b60405290565b604051601f8201601f1916810167ffffffffffffffff81118282101715612153576121536120d4565b604052919050565b5f6020828403121561216b575f5ffd5b815167ffffffffffffffff811115612181575f5ffd5b8201601f81018413612191575f5ffd5b805167ffffffffffffffff8111156121ab576121ab6120d4565b8060051b6121bb6020820161212a565b918252602081840181019290810190878411156121d6575f5ffd5b6020850192505b838310156122c957825167ffffffffffffffff8111156121fb575f5ffd5b85016040818a03601f19011215612210575f5ffd5b612218612101565b602082015161222681611b70565b8152604082015167ffffffffffffffff811115612241575f5ffd5b60208184010192505089601f830112612258575f5ffd5b815167ffffffffffffffff811115612272576122726120d4565b6122856020601f19601f8401160161212a565b8181528b6020838601011115612299575f5ffd5b8160208501602083015e5f60208383010152806020840152505080845250506020820191506020830192506121dd565b979650505050505050565b5f602082840312156122e4575f5ffd5b6122ed826117c0565b9392505050565b608081525f612307608083018789611f3f565b73ffffffffffffffffffffffffffffffffffffffff8616602084015273ffffffffffffffffffffffffffffffffffffffff8516604084015282810360608401526123518185611981565b98975050505050505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff818336030181126123bc575f5ffd5b9190910192915050565b5f602082840312156123d6575f5ffd5b81356122ed81611b70565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112612414575f5ffd5b83018035915067ffffffffffffffff82111561242e575f5ffd5b60200191503681900382131561183f575f5ffd5b818382375f9101908152919050565b81515f90829060208501835b8281101561247b57815184526020938401939091019060010161245d565b509195945050505050565b5f81518060208401855e5f93019283525090919050565b5f6124b16124ab8386612486565b84612486565b949350505050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe18436030181126124ec575f5ffd5b83018035915067ffffffffffffffff821115612506575f5ffd5b6020019150600681901b360382131561183f575f5ffd5b5f8151808452602084019350602083015f5b8281101561256f578151805173ffffffffffffffffffffffffffffffffffffffff168752602090810151818801526040909601959091019060010161252f565b5093949350505050565b60c081525f610120820189357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe18b36030181126125b4575f5ffd5b8a0160208101903567ffffffffffffffff8111156125d0575f5ffd5b8060061b36038213156125e1575f5ffd5b606060c086015291829052905f9061014085015b8183101561263b5773ffffffffffffffffffffffffffffffffffffffff61261b856117c0565b1681526020848101359082015260409384019360019390930192016125f5565b60208d81013560e088015260408e01356101008801819052878303918801919091529350612669818d61251d565b9350505050612690604084018973ffffffffffffffffffffffffffffffffffffffff169052565b86606084015282810360808401526126a88187611981565b905082810360a08401526126bd818587611f16565b9a9950505050505050505050565b5f602082840312156126db575f5ffd5b813560ff811681146122ed575f5ffdfe52656c617965725769746e65737328616464726573732072656c617965722c6164647265737320726566756e64546f2c61646472657373206e6674526563697069656e742c6279746573206d657461646174612c43616c6c3356616c75655b5d2063616c6c3356616c7565732952656c617965725769746e657373207769746e6573732943616c6c3356616c75652861646472657373207461726765742c626f6f6c20616c6c6f774661696c7572652c75696e743235362076616c75652c62797465732063616c6c446174612952656c617965725769746e65737328616464726573732072656c617965722c6164647265737320726566756e64546f2c61646472657373206e6674526563697069656e742c6279746573206d657461646174612c43616c6c3356616c75655b5d2063616c6c3356616c75657329546f6b656e5065726d697373696f6e73286164647265737320746f6b656e2c75696e7432353620616d6f756e742943616c6c3356616c75652861646472657373207461726765742c626f6f6c20616c6c6f774661696c7572652c75696e743235362076616c75652c62797465732063616c6c446174612960e060408190523360805261001390610074565b604051809103905ff08015801561002c573d5f5f3e3d5ffd5b506001600160a01b031660c052348015610044575f5ffd5b5060405161475038038061475083398101604081905261006391610081565b6001600160a01b031660a0526100ae565b610de18061396f83390190565b5f60208284031215610091575f5ffd5b81516001600160a01b03811681146100a7575f5ffd5b9392505050565b60805160a05160c05161385f6101105f395f81816104660152818161062a015261135801525f81816103fc0152818161091601528181610f5501528181610fc8015261102601525f818161051601528181610d1401526110ed015261385f5ff3fe608060405260043610610111575f3560e01c8063b3d76188116100a4578063c35e349311610073578063e116b86211610058578063e116b862146104c7578063e27974d5146104e6578063ec5568891461050557610172565b8063c35e349314610488578063cd6e13f7146104a757610172565b8063b3d76188146103cc578063bedd12a5146103eb578063bf376c7a14610436578063c34c08e51461045557610172565b806375f26e63116100e057806375f26e631461033a57806385d524131461035957806391dd73461461037857806399290f2f146103ad57610172565b80630ad89345146102be5780633b2253c8146102dd57806356e49bb8146102fc5780635de81e3f1461031b57610172565b366101725760ff7401000000000000000000000000000000000000000060055c0416610170576040517f4e49b5d30000000000000000000000000000000000000000000000000000000081523360048201526024015b60405180910390fd5b005b34801561017d575f5ffd5b50336001600160a01b0360015c161415806101985750604436105b156101d1576040517fd0232469000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b5f6001805c7fffffffffffffffffffffffff000000000000000000000000000000000000000016905d505f60ff7401000000000000000000000000000000000000000060015c04166102395761022b60446024365f612a51565b61023491612a78565b610250565b61024760246004365f612a51565b61025091612a78565b90505f811361025b57005b60035c8111156102a8576040517f97e8afcb0000000000000000000000000000000000000000000000000000000081523360048201526024810182905260035c6044820152606401610167565b6101706001600160a01b0360025c163383610538565b3480156102c9575f5ffd5b506101706102d8366004612b20565b610551565b3480156102e8575f5ffd5b506101706102f7366004612bc7565b610723565b348015610307575f5ffd5b50610170610316366004612c66565b61088d565b348015610326575f5ffd5b50610170610335366004612c9e565b610979565b348015610345575f5ffd5b50610170610354366004612ccc565b6109d0565b348015610364575f5ffd5b50610170610373366004612ce7565b610a90565b348015610383575f5ffd5b50610397610392366004612d3c565b610b0b565b6040516103a49190612da9565b60405180910390f35b3480156103b8575f5ffd5b506101706103c7366004612dbb565b610d09565b3480156103d7575f5ffd5b506101706103e6366004612de7565b610e15565b3480156103f6575f5ffd5b5061041e7f000000000000000000000000000000000000000000000000000000000000000081565b6040516001600160a01b0390911681526020016103a4565b348015610441575f5ffd5b50610170610450366004612e25565b610e80565b348015610460575f5ffd5b5061041e7f000000000000000000000000000000000000000000000000000000000000000081565b348015610493575f5ffd5b506101706104a2366004612e4f565b610f06565b6104ba6104b5366004612e9c565b61108c565b6040516103a49190612f1e565b3480156104d2575f5ffd5b5061041e6104e1366004612e25565b611352565b3480156104f1575f5ffd5b50610170610500366004612fb8565b61138d565b348015610510575f5ffd5b5061041e7f000000000000000000000000000000000000000000000000000000000000000081565b61054c6001600160a01b038416838361140d565b505050565b33301461058c576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b5f6105b8867fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8761145b565b90506105cf6001600160a01b0360045c168a611352565b6001600160a01b03163b15610624576040517fd33c83e50000000000000000000000000000000000000000000000000000000081526004805c6001600160a01b031690820152602481018a9052604401610167565b5f6106637f000000000000000000000000000000000000000000000000000000000000000061065e6001600160a01b0360045c168d6114dc565b611519565b90505f6001600160a01b0388161561067b575f61067d565b825b9050805f0361069157610691888385611525565b6040517f059d71550000000000000000000000000000000000000000000000000000000081526001600160a01b038084169163059d71559184916106e8918f918f918d918d918d9160065c90911690600401613089565b5f604051808303818588803b1580156106ff575f5ffd5b505af1158015610711573d5f5f3e3d5ffd5b50505050505050505050505050505050565b33301461075e576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b848314158061076d5750848114155b156107a4576040517f1083f70900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f5b85811015610884575f8383838181106107c1576107c1613213565b905060200201355f146107ec578383838181106107e0576107e0613213565b9050602002013561081c565b61081c88888481811061080157610801613213565b90506020020160208101906108169190612ccc565b30611554565b9050801561087b5761087b88888481811061083957610839613213565b905060200201602081019061084e9190612ccc565b87878581811061086057610860613213565b90506020020160208101906108759190612ccc565b83610538565b506001016107a6565b50505050505050565b3330146108c8576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b5f6108d45f838561145b565b6040517f49290c1c0000000000000000000000000000000000000000000000000000000081526001600160a01b038781166004830152602482018790529192507f0000000000000000000000000000000000000000000000000000000000000000909116906349290c1c9083906044015f604051808303818588803b15801561095b575f5ffd5b505af115801561096d573d5f5f3e3d5ffd5b50505050505050505050565b3330146109b4576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b6109cc5f8284156109c55784611525565b475b611525565b5050565b333014610a0b576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b5f610a168230611554565b905080156109cc576040517f2e1a7d4d000000000000000000000000000000000000000000000000000000008152600481018290526001600160a01b03831690632e1a7d4d906024015f604051808303815f87803b158015610a76575f5ffd5b505af1158015610a88573d5f5f3e3d5ffd5b505050505050565b333014610acb576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b80421115610b08576040517ff80dbaea00000000000000000000000000000000000000000000000000000000815260048101829052602401610167565b50565b60605f5c610b4e3385858080601f0160208091040260200160405190810160405280939291908181526020018383808284375f920191909152506115d892505050565b14610b87576040517fd0232469000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b5f80805d505f610b9983850185613330565b8051602082015180516040517ff3cd914c00000000000000000000000000000000000000000000000000000000815293945091925f91339163f3cd914c91610be691879190600401613415565b6020604051808303815f875af1158015610c02573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610c2691906134ad565b9050608081901d600f82900b83610c3957905b5f821215610cc3575f610c4b836134f1565b90508660800151811115610ca15760808701516040517f97e8afcb000000000000000000000000000000000000000000000000000000008152336004820152602481018390526044810191909152606401610167565b610cc185610cb3578660200151610cb6565b86515b8860400151836115ec565b505b5f811315610ceb57610ceb84610cda578551610ce0565b85602001515b8760600151836117a5565b60405180602001604052805f81525096505050505050505b92915050565b336001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614610d6d576040517faf9a9f61000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b60045c6001600160a01b031615610db0576040517f3ef3337500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b818160045f826005805c7fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b03831617905d508391906101000a815c816001600160a01b0302191690836001600160a01b03160217905d5050505050565b333014610e50576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b61054c83836109c7867fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8661145b565b333014610ebb576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b816001600160a01b031663d0e30db0826040518263ffffffff1660e01b81526004015f604051808303818588803b158015610ef4575f5ffd5b505af1158015610884573d5f5f3e3d5ffd5b333014610f41576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b5f610f4d85838561145b565b9050610f7a857f00000000000000000000000000000000000000000000000000000000000000008361188f565b6040517fe80179520000000000000000000000000000000000000000000000000000000081526001600160a01b038781166004830152868116602483015260448201839052606482018690527f0000000000000000000000000000000000000000000000000000000000000000169063e8017952906084015f604051808303815f87803b158015611009575f5ffd5b505af115801561101b573d5f5f3e3d5ffd5b5050505061104a85307f00000000000000000000000000000000000000000000000000000000000000006118a3565b15610a88576040517f21cfe1e80000000000000000000000000000000000000000000000000000000081526001600160a01b0386166004820152602401610167565b606060ff7401000000000000000000000000000000000000000060055c0416156110e2576040517f3ef3337500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b336001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016146111ae5760045c6001600160a01b031615611155576040517f3ef3337500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b338060045f826005805c7fffffffffffffffffffffffff0000000000000000000000000000000000000000168217905d508391906101000a815c816001600160a01b0302191690836001600160a01b03160217905d5050505b60017fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff6005805c919091167401000000000000000000000000000000000000000017905d50836006805c7fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b03831617905d505f6112333447613527565b905061123f8888611937565b91506001600160a01b0386161561125a5761125a8682611b08565b821561129c577fb73380adf63287700849d7f49a534bd0e8fba084c6d20c250a2de24be74d2e6f3385856040516112939392919061353a565b60405180910390a15b5f6005805c7fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff16905d505f80600481806005805c7fffffffffffffffffffffffff000000000000000000000000000000000000000016905d508391906101000a815c816001600160a01b0302191690836001600160a01b03160217905d505f9150506006805c7fffffffffffffffffffffffff000000000000000000000000000000000000000016905d50509695505050505050565b5f6113867f000000000000000000000000000000000000000000000000000000000000000061138185856114dc565b611b45565b9392505050565b3330146113c8576040517f4e49b5d3000000000000000000000000000000000000000000000000000000008152336004820152602401610167565b5f5b81811015611407576113ff848484848181106113e8576113e8613213565b90506020028101906113fa9190613565565b611bad565b6001016113ca565b50505050565b61141a8383836001611c71565b61054c576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b0384166004820152602401610167565b5f6001600160a01b0384161561147a576114758430611554565b61147c565b475b9050828111156114895750815b81811015611386576040517f4a41c57e0000000000000000000000000000000000000000000000000000000081526001600160a01b03851660048201526024810182905260448101839052606401610167565b604080516001600160a01b03841660208201529081018290525f906060015b60405160208183030381529060405280519060200120905092915050565b5f61138683835f611cec565b805f0361153157505050565b6001600160a01b0383166115495761054c8282611db3565b61054c838383610538565b6040517f70a082310000000000000000000000000000000000000000000000000000000081526001600160a01b0382811660048301525f91908416906370a0823190602401602060405180830381865afa1580156115b4573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061138691906134ad565b5f82826040516020016114fb9291906135a1565b6040517fa58411940000000000000000000000000000000000000000000000000000000081526001600160a01b0384166004820152339063a5841194906024015f604051808303815f87803b158015611643575f5ffd5b505af1158015611655573d5f5f3e3d5ffd5b5050506001600160a01b0384169050611739576040517f2e1a7d4d000000000000000000000000000000000000000000000000000000008152600481018290526001600160a01b03831690632e1a7d4d906024015f604051808303815f87803b1580156116c0575f5ffd5b505af11580156116d2573d5f5f3e3d5ffd5b50505050336001600160a01b03166311da60b4826040518263ffffffff1660e01b815260040160206040518083038185885af1158015611714573d5f5f3e3d5ffd5b50505050506040513d601f19601f8201168201806040525081019061140791906134ad565b611744823383610538565b336001600160a01b03166311da60b46040518163ffffffff1660e01b81526004016020604051808303815f875af1158015611781573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061140791906134ad565b6040517f0b0d9c090000000000000000000000000000000000000000000000000000000081526001600160a01b03841660048201523060248201526044810182905247903390630b0d9c09906064015f604051808303815f87803b15801561180b575f5ffd5b505af115801561181d573d5f5f3e3d5ffd5b5050506001600160a01b0385169050611407576001600160a01b03831663d0e30db06118498347613527565b6040518263ffffffff1660e01b81526004015f604051808303818588803b158015611872575f5ffd5b505af1158015611884573d5f5f3e3d5ffd5b505050505050505050565b61054c6001600160a01b0384168383611e05565b6040517fdd62ed3e0000000000000000000000000000000000000000000000000000000081526001600160a01b03838116600483015282811660248301525f919085169063dd62ed3e90604401602060405180830381865afa15801561190b573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061192f91906134ad565b949350505050565b60608167ffffffffffffffff81111561195257611952613240565b60405190808252806020026020018201604052801561199757816020015b604080518082019091525f8152606060208201528152602001906001900390816119705790505b5090505f5b82811015611b0157368484838181106119b7576119b7613213565b90506020028101906119c991906135c2565b9050306119d96020830183612ccc565b6001600160a01b031614611a32576119f46020820182612ccc565b6040517fc65378370000000000000000000000000000000000000000000000000000000081526001600160a01b039091166004820152602401610167565b5f80306040840135611a4760608601866135f4565b604051611a55929190613655565b5f6040518083038185875af1925050503d805f8114611a8f576040519150601f19603f3d011682016040523d82523d5f602084013e611a94565b606091505b509150915081158015611ab45750611ab26040840160208501613664565b155b15611ac257611ac281611e70565b6040518060400160405280831515815260200182815250858581518110611aeb57611aeb613213565b602090810291909101015250505060010161199c565b5092915050565b47818111611b1557505050565b611b2883611b238484613527565b611e78565b61054c576114076001600160a01b0360055c16611b238484613527565b6040513060388201526f5af43d82803e903d91602b57fd5bf3ff602482015260148101839052733d602d80600a3d3981f3363d3d373d3d3d363d738152605881018290526037600c820120607882015260556043909101205f906001600160a01b0316611386565b365f611bbc60408401846135f4565b909250905082355b6040805160e0810182525f80825260208201819052918101829052606081018290526080810182905260a0810182905260c0810191909152611c07868585611e92565b909550935090505f839003611c2557610a8881838760200135612055565b5f611c34826040015130611554565b9050611c4182845f612055565b80611c50836040015130611554565b611c5a9190613527565b9250816040015196505050611bc4565b5050505050565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f51148316611ce0578383151615611cd4573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f81471015611d30576040517fcf47918100000000000000000000000000000000000000000000000000000000815247600482015260248101839052604401610167565b763d602d80600a3d3981f3363d3d373d3d3d363d730000008460601b60e81c175f526e5af43d82803e903d91602b57fd5bf38460781b17602052826037600984f590506001600160a01b038116611386576040517fb06ebf3d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b611dbd8282611e78565b6109cc576040517fe491025c0000000000000000000000000000000000000000000000000000000081526001600160a01b038316600482015260248101829052604401610167565b611e118383835f6120a8565b61054c57611e2283835f60016120a8565b611e63576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b0384166004820152602401610167565b61141a83838360016120a8565b805160208201fd5b5f611386838360405180602001604052805f81525061210b565b6040805160e0810182525f80825260208201819052918101829052606081018290526080810182905260a0810182905260c0810191909152365f602c841015611f07576040517f2fde825300000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f8585611f166001602c613527565b818110611f2557611f25613213565b919091013560f81c91505f90506008821615611f4257602f611f45565b602c5b905080861015611f81576040517f2fde825300000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6040805160e0810190915280611f9a60145f8a8c612a51565b611fa39161367d565b60601c81526001600160a01b038a166020820152604001611fc8602860148a8c612a51565b611fd19161367d565b60601c8152602001611fe7602b60288a8c612a51565b611ff0916136e2565b60e81c8152602081018490526002841615156040820152606001602c831461203157612020602f602c8a8c612a51565b612029916136e2565b60e81c612033565b5f5b60020b905294506120468682818a612a51565b93509350505093509350939050565b60808301516008161561206d5761054c838383612120565b6080830151600116156120855761054c838383612277565b60808301516004161561209d5761054c83838361246e565b61054c838383612558565b6040517f095ea7b3000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f51148316611ce0578383151615611cd4573d5f823e3d81fd5b5f5f5f83516020850186885af1949350505050565b5f5f8460a0015161213a5784604001518560200151612145565b846020015185604001515b9150915060108560800151165f1461215b575f91505b5f6040518060a001604052806040518060a00160405280866001600160a01b03168152602001856001600160a01b03168152602001896060015162ffffff1681526020018960c0015160020b81526020015f6001600160a01b0316815250815260200160405180606001604052808960a00151151581526020016121de886126cb565b81526020016121f08a60a00151612720565b6001600160a01b0316815250815260200187602001516001600160a01b0316815260200187604001516001600160a01b03168152602001868152509050835f1415801561224457508551612244908261274c565b1561225157505050505050565b61225a856126cb565b612263906134f1565b60208083015101528551610a8890826127d5565b8015612393576122878383612856565b825f01516001600160a01b031663128acb08308560a001516122a8856126cb565b6122b1906134f1565b6122be8860a00151612720565b60405160e086901b7fffffffff000000000000000000000000000000000000000000000000000000001681526001600160a01b03948516600482015292151560248401526044830191909152909116606482015260a060848201525f60a482015260c40160408051808303815f875af192505050801561235b575060408051601f3d908101601f1916820190925261235891810190613747565b60015b15612393575b505f90506001805c7fffffffffffffffffffffffff000000000000000000000000000000000000000016905d50505050565b61239d8383612856565b825f01516001600160a01b031663128acb08308560a001516123be866126cb565b6123cb8860a00151612720565b60405160e086901b7fffffffff000000000000000000000000000000000000000000000000000000001681526001600160a01b03948516600482015292151560248401526044830191909152909116606482015260a060848201525f60a482015260c40160408051808303815f875af115801561244a573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906123619190613747565b5f6124808460200151855f0151611554565b90506124948460200151855f015185610538565b5f816124a78660200151875f0151611554565b6124b19190613527565b9050838111156124be5750825b845160208601516040517ff140a35a000000000000000000000000000000000000000000000000000000008152600481018490526001600160a01b039182166024820152611c6a928892169063f140a35a90604401602060405180830381865afa15801561252e573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061255291906134ad565b856128ed565b5f5f845f01516001600160a01b0316630902f1ac6040518163ffffffff1660e01b81526004016040805180830381865afa158015612598573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906125bc9190613747565b915091508460a001516125cb57905b5f8560600151620f42406125df9190613527565b90508484158015906125f057508285105b15612648575f826126018786613527565b61260b9190613769565b620f42406126198888613769565b6126239190613769565b61262d9190613780565b6126389060016137b8565b905086811015612646578091505b505b61265a8760200151885f015183610538565b5f8461266d89602001518a5f0151611554565b6126779190613527565b9050818111156126845750805b5f61268f8483613769565b90505f816126a0620f424089613769565b6126aa91906137b8565b6126b48784613769565b6126be9190613780565b905061096d8a828a6128ed565b5f7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff82116126f95781610d03565b7f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff92915050565b5f816127405773fffd8963efd1fc6a506488495d951d5263988d25610d03565b6401000276a492915050565b5f826001600160a01b03166348c894916127668585612992565b6040518263ffffffff1660e01b81526004016127829190612da9565b5f604051808303815f875af19250505080156127bf57506040513d5f823e601f3d908101601f191682016040526127bc91908101906137cb565b60015b156127ca5750600190505b5f80805d5092915050565b816001600160a01b03166348c894916127ee8484612992565b6040518263ffffffff1660e01b815260040161280a9190612da9565b5f604051808303815f875af1158015612825573d5f5f3e3d5ffd5b505050506040513d5f823e601f3d908101601f1916820160405261284c91908101906137cb565b505f80805d505050565b81516001805c7fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b03831617905d508160a00151600160146101000a815c8160ff021916908315150217905d5060208201516002805c7fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b03831617905d50808060035d505050565b80158015906128fb57508082115b15612904578091505b5f5f8460a0015161291657835f612919565b5f845b86516040517f022c0d9f0000000000000000000000000000000000000000000000000000000081526004810184905260248101839052306044820152608060648201525f60848201529294509092506001600160a01b03169063022c0d9f9060a4015f604051808303815f87803b158015611872575f5ffd5b606081604051602001612a2c9190815180516001600160a01b03908116835260208083015182168185015260408084015162ffffff168186015260608085015160020b81870152608094850151841685870152828701518051151560a08801529283015160c087015291810151831660e0860152850151821661010085015284015116610120830152909101516101408201526101600190565b6040516020818303038152906040529050612a4783826115d8565b805f5d5092915050565b5f5f85851115612a5f575f5ffd5b83861115612a6b575f5ffd5b5050820193919092039150565b80356020831015610d03577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff602084900360031b1b1692915050565b5f5f83601f840112612ac4575f5ffd5b50813567ffffffffffffffff811115612adb575f5ffd5b6020830191508360208260051b8501011115612af5575f5ffd5b9250929050565b6001600160a01b0381168114610b08575f5ffd5b8035612b1b81612afc565b919050565b5f5f5f5f5f5f5f5f60c0898b031215612b37575f5ffd5b88359750602089013567ffffffffffffffff811115612b54575f5ffd5b612b608b828c01612ab4565b9098509650506040890135612b7481612afc565b945060608901359350608089013567ffffffffffffffff811115612b96575f5ffd5b612ba28b828c01612ab4565b90945092505060a0890135612bb681612afc565b809150509295985092959890939650565b5f5f5f5f5f5f60608789031215612bdc575f5ffd5b863567ffffffffffffffff811115612bf2575f5ffd5b612bfe89828a01612ab4565b909750955050602087013567ffffffffffffffff811115612c1d575f5ffd5b612c2989828a01612ab4565b909550935050604087013567ffffffffffffffff811115612c48575f5ffd5b612c5489828a01612ab4565b979a9699509497509295939492505050565b5f5f5f5f60808587031215612c79575f5ffd5b8435612c8481612afc565b966020860135965060408601359560600135945092505050565b5f5f60408385031215612caf575f5ffd5b823591506020830135612cc181612afc565b809150509250929050565b5f60208284031215612cdc575f5ffd5b813561138681612afc565b5f60208284031215612cf7575f5ffd5b5035919050565b5f5f83601f840112612d0e575f5ffd5b50813567ffffffffffffffff811115612d25575f5ffd5b602083019150836020828501011115612af5575f5ffd5b5f5f60208385031215612d4d575f5ffd5b823567ffffffffffffffff811115612d63575f5ffd5b612d6f85828601612cfe565b90969095509350505050565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b602081525f6113866020830184612d7b565b5f5f60408385031215612dcc575f5ffd5b8235612dd781612afc565b91506020830135612cc181612afc565b5f5f5f60608486031215612df9575f5ffd5b8335612e0481612afc565b92506020840135612e1481612afc565b929592945050506040919091013590565b5f5f60408385031215612e36575f5ffd5b8235612e4181612afc565b946020939093013593505050565b5f5f5f5f5f60a08688031215612e63575f5ffd5b8535612e6e81612afc565b94506020860135612e7e81612afc565b94979496505050506040830135926060810135926080909101359150565b5f5f5f5f5f5f60808789031215612eb1575f5ffd5b863567ffffffffffffffff811115612ec7575f5ffd5b612ed389828a01612ab4565b9097509550506020870135612ee781612afc565b93506040870135612ef781612afc565b9250606087013567ffffffffffffffff811115612f12575f5ffd5b612c5489828a01612cfe565b5f602082016020835280845180835260408501915060408160051b8601019250602086015f5b82811015612fac577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc087860301845281518051151586526020810151905060406020870152612f966040870182612d7b565b9550506020938401939190910190600101612f44565b50929695505050505050565b5f5f5f60408486031215612fca575f5ffd5b8335612fd581612afc565b9250602084013567ffffffffffffffff811115612ff0575f5ffd5b612ffc86828701612ab4565b9497909650939450505050565b80358015158114612b1b575f5ffd5b81835281816020850137505f602082840101525f6020601f19601f840116840101905092915050565b8183526020830192505f815f5b8481101561307f57813561306181612afc565b6001600160a01b03168652602095860195919091019060010161304e565b5093949350505050565b608080825281018690525f60a0600588901b8301810190830189837fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8136839003015b8b8210156131ca577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff608786030184528235818112613107575f5ffd5b8d01803561311481612afc565b6001600160a01b0316865261312b60208201613009565b15156020870152604081810135908701526060810135368290037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1018112613171575f5ffd5b0160208101903567ffffffffffffffff81111561318c575f5ffd5b80360382131561319a575f5ffd5b608060608801526131af608088018284613018565b965050506020830192506020840193506001820191506130cb565b5050505082810360208401526131e1818789613041565b9150506131f960408301856001600160a01b03169052565b6001600160a01b0383166060830152979650505050505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405160a0810167ffffffffffffffff8111828210171561329057613290613240565b60405290565b604051601f8201601f1916810167ffffffffffffffff811182821017156132bf576132bf613240565b604052919050565b5f606082840312156132d7575f5ffd5b6040516060810167ffffffffffffffff811182821017156132fa576132fa613240565b60405290508061330983613009565b815260208301356020820152604083013561332381612afc565b6040919091015292915050565b5f81830361016081128015613343575f5ffd5b5061334c61326d565b60a0821215613359575f5ffd5b61336161326d565b9150833561336e81612afc565b8252602084013561337e81612afc565b6020830152604084013562ffffff81168114613398575f5ffd5b60408301526060840135600281900b81146133b1575f5ffd5b60608301526133c260808501612b10565b60808301528181526133d78560a086016132c7565b60208201526133e96101008501612b10565b60408201526133fb6101208501612b10565b606082015261014093909301356080840152509092915050565b61346d81846001600160a01b0381511682526001600160a01b03602082015116602083015262ffffff6040820151166040830152606081015160020b60608301526001600160a01b0360808201511660808301525050565b8151151560a0820152602082015160c082015260408201516001600160a01b031660e082015261012061010082018190525f908201526101400192915050565b5f602082840312156134bd575f5ffd5b5051919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f7f80000000000000000000000000000000000000000000000000000000000000008203613521576135216134c4565b505f0390565b81810381811115610d0357610d036134c4565b6001600160a01b0384168152604060208201525f61355c604083018486613018565b95945050505050565b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa1833603018112613597575f5ffd5b9190910192915050565b6001600160a01b0383168152604060208201525f61192f6040830184612d7b565b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81833603018112613597575f5ffd5b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112613627575f5ffd5b83018035915067ffffffffffffffff821115613641575f5ffd5b602001915036819003821315612af5575f5ffd5b818382375f9101908152919050565b5f60208284031215613674575f5ffd5b61138682613009565b80357fffffffffffffffffffffffffffffffffffffffff0000000000000000000000008116906014841015611b01577fffffffffffffffffffffffffffffffffffffffff000000000000000000000000808560140360031b1b82161691505092915050565b80357fffffff00000000000000000000000000000000000000000000000000000000008116906003841015611b01577fffffff0000000000000000000000000000000000000000000000000000000000808560030360031b1b82161691505092915050565b5f5f60408385031215613758575f5ffd5b505080516020909101519092909150565b8082028115828204841417610d0357610d036134c4565b5f826137b3577f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b500490565b80820180821115610d0357610d036134c4565b5f602082840312156137db575f5ffd5b815167ffffffffffffffff8111156137f1575f5ffd5b8201601f81018413613801575f5ffd5b805167ffffffffffffffff81111561381b5761381b613240565b61382e6020601f19601f84011601613296565b818152856020838501011115613842575f5ffd5b8160208401602083015e5f918101602001919091529493505050505660a0604052336080523480156012575f5ffd5b50608051610db661002b5f395f61014b0152610db65ff3fe608060405260043610610041575f3560e01c8063059d71551461008e578063150b7a02146100a1578063bc197c81146100f5578063f23a6e6114610114575f5ffd5b3661008a5760ff5f5c16610088576040517f3102bf740000000000000000000000000000000000000000000000000000000081523360048201526024015b60405180910390fd5b005b5f5ffd5b61008861009c3660046108bf565b610133565b3480156100ac575f5ffd5b506100c06100bb36600461098c565b6103b8565b6040517fffffffff00000000000000000000000000000000000000000000000000000000909116815260200160405180910390f35b348015610100575f5ffd5b506100c061010f3660046109f6565b61047a565b34801561011f575f5ffd5b506100c061012e366004610ab5565b61050e565b3373ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016146101a4576040517f4e49b5d300000000000000000000000000000000000000000000000000000000815233600482015260240161007f565b60015f805c7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00168217905d50805f60016101000a815c8173ffffffffffffffffffffffffffffffffffffffff021916908373ffffffffffffffffffffffffffffffffffffffff160217905d505f5b858110156102d1573687878381811061022d5761022d610b28565b905060200281019061023f9190610b55565b90505f61029d6102526020840184610b91565b60408401356102646060860186610baa565b8080601f0160208091040260200160405190810160405280939291908181526020018383808284375f9201919091525061059c92505050565b9050801580156102ba57506102b86040830160208401610c0b565b155b156102c7576102c76105b1565b5050600101610212565b505f5b8381101561034f575f61030d8686848181106102f2576102f2610b28565b90506020020160208101906103079190610b91565b306105bc565b905080156103465761034686868481811061032a5761032a610b28565b905060200201602081019061033f9190610b91565b8583610654565b506001016102d4565b50471561036057610360824761067a565b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00815c16815d505f7fffffffffffffffffffffff0000000000000000000000000000000000000000ff815c16815d50505050505050565b5f336342842e0e306103c86106dd565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e085901b16815273ffffffffffffffffffffffffffffffffffffffff928316600482015291166024820152604481018790526064015f604051808303815f87803b158015610439575f5ffd5b505af115801561044b573d5f5f3e3d5ffd5b507f150b7a02000000000000000000000000000000000000000000000000000000009998505050505050505050565b5f33632eb2c2d63061048a6106dd565b8a8a8a8a8a8a6040518963ffffffff1660e01b81526004016104b3989796959493929190610cba565b5f604051808303815f87803b1580156104ca575f5ffd5b505af11580156104dc573d5f5f3e3d5ffd5b507fbc197c81000000000000000000000000000000000000000000000000000000009c9b505050505050505050505050565b5f3363f242432a3061051e6106dd565b888888886040518763ffffffff1660e01b815260040161054396959493929190610d3c565b5f604051808303815f87803b15801561055a575f5ffd5b505af115801561056c573d5f5f3e3d5ffd5b507ff23a6e61000000000000000000000000000000000000000000000000000000009a9950505050505050505050565b5f5f5f83516020850186885af1949350505050565b6040513d5f823e3d81fd5b6040517f70a0823100000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff82811660048301525f91908416906370a0823190602401602060405180830381865afa158015610629573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061064d9190610d9f565b9392505050565b61067573ffffffffffffffffffffffffffffffffffffffff84168383610752565b505050565b61068482826107ad565b6106d9576040517fe491025c00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff831660048201526024810182905260440161007f565b5050565b5f610100815c0473ffffffffffffffffffffffffffffffffffffffff16610732576040517f3102bf7400000000000000000000000000000000000000000000000000000000815233600482015260240161007f565b5073ffffffffffffffffffffffffffffffffffffffff6101005f5c041690565b61075f83838360016107c7565b610675576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8416600482015260240161007f565b5f61064d838360405180602001604052805f81525061059c565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8616600452602485905291602083604481808b5af1925060015f51148316610843578383151615610837573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f5f83601f84011261085f575f5ffd5b50813567ffffffffffffffff811115610876575f5ffd5b6020830191508360208260051b8501011115610890575f5ffd5b9250929050565b803573ffffffffffffffffffffffffffffffffffffffff811681146108ba575f5ffd5b919050565b5f5f5f5f5f5f608087890312156108d4575f5ffd5b863567ffffffffffffffff8111156108ea575f5ffd5b6108f689828a0161084f565b909750955050602087013567ffffffffffffffff811115610915575f5ffd5b61092189828a0161084f565b9095509350610934905060408801610897565b915061094260608801610897565b90509295509295509295565b5f5f83601f84011261095e575f5ffd5b50813567ffffffffffffffff811115610975575f5ffd5b602083019150836020828501011115610890575f5ffd5b5f5f5f5f5f608086880312156109a0575f5ffd5b6109a986610897565b94506109b760208701610897565b935060408601359250606086013567ffffffffffffffff8111156109d9575f5ffd5b6109e58882890161094e565b969995985093965092949392505050565b5f5f5f5f5f5f5f5f60a0898b031215610a0d575f5ffd5b610a1689610897565b9750610a2460208a01610897565b9650604089013567ffffffffffffffff811115610a3f575f5ffd5b610a4b8b828c0161084f565b909750955050606089013567ffffffffffffffff811115610a6a575f5ffd5b610a768b828c0161084f565b909550935050608089013567ffffffffffffffff811115610a95575f5ffd5b610aa18b828c0161094e565b999c989b5096995094979396929594505050565b5f5f5f5f5f5f60a08789031215610aca575f5ffd5b610ad387610897565b9550610ae160208801610897565b94506040870135935060608701359250608087013567ffffffffffffffff811115610b0a575f5ffd5b610b1689828a0161094e565b979a9699509497509295939492505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b5f82357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81833603018112610b87575f5ffd5b9190910192915050565b5f60208284031215610ba1575f5ffd5b61064d82610897565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112610bdd575f5ffd5b83018035915067ffffffffffffffff821115610bf7575f5ffd5b602001915036819003821315610890575f5ffd5b5f60208284031215610c1b575f5ffd5b8135801515811461064d575f5ffd5b8183525f7f07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff831115610c5a575f5ffd5b8260051b80836020870137939093016020019392505050565b81835281816020850137505f602082840101525f60207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f840116840101905092915050565b73ffffffffffffffffffffffffffffffffffffffff8916815273ffffffffffffffffffffffffffffffffffffffff8816602082015260a060408201525f610d0560a08301888a610c2a565b8281036060840152610d18818789610c2a565b90508281036080840152610d2d818587610c73565b9b9a5050505050505050505050565b73ffffffffffffffffffffffffffffffffffffffff8716815273ffffffffffffffffffffffffffffffffffffffff8616602082015284604082015283606082015260a060808201525f610d9360a083018486610c73565b98975050505050505050565b5f60208284031215610daf575f5ffd5b505191905056",
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
