/** ABI of `contracts/adapters/pyth/PythAdapter.sol`, written by `scripts/generateAbis.ts`: change the contract, not this file. */
export const pythAdapterAbi = [
  {
    "inputs": [
      {
        "internalType": "contract IHomePriceOracle",
        "name": "oracle",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "InvalidArgument",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NoFreshUpdate",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "oracle",
        "type": "address"
      }
    ],
    "name": "NoOracle",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes4",
        "name": "selector",
        "type": "bytes4"
      }
    ],
    "name": "NotSupported",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "PriceFeedNotFound",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "PriceFeedNotFoundWithinRange",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "StalePrice",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "ValueNotAccepted",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "publishTime",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "int64",
        "name": "price",
        "type": "int64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "conf",
        "type": "uint64"
      }
    ],
    "name": "PriceFeedUpdate",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "startTime",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "endTime",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "int64",
        "name": "twapPrice",
        "type": "int64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "twapConf",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint32",
        "name": "downSlotsRatio",
        "type": "uint32"
      }
    ],
    "name": "TwapPriceFeedUpdate",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "ORACLE",
    "outputs": [
      {
        "internalType": "contract IHomePriceOracle",
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
        "name": "",
        "type": "bytes32"
      },
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "name": "getEmaPriceNoOlderThan",
    "outputs": [
      {
        "components": [
          {
            "internalType": "int64",
            "name": "price",
            "type": "int64"
          },
          {
            "internalType": "uint64",
            "name": "conf",
            "type": "uint64"
          },
          {
            "internalType": "int32",
            "name": "expo",
            "type": "int32"
          },
          {
            "internalType": "uint256",
            "name": "publishTime",
            "type": "uint256"
          }
        ],
        "internalType": "struct PythStructs.Price",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "name": "getEmaPriceUnsafe",
    "outputs": [
      {
        "components": [
          {
            "internalType": "int64",
            "name": "price",
            "type": "int64"
          },
          {
            "internalType": "uint64",
            "name": "conf",
            "type": "uint64"
          },
          {
            "internalType": "int32",
            "name": "expo",
            "type": "int32"
          },
          {
            "internalType": "uint256",
            "name": "publishTime",
            "type": "uint256"
          }
        ],
        "internalType": "struct PythStructs.Price",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      },
      {
        "internalType": "uint256",
        "name": "age",
        "type": "uint256"
      }
    ],
    "name": "getPriceNoOlderThan",
    "outputs": [
      {
        "components": [
          {
            "internalType": "int64",
            "name": "price",
            "type": "int64"
          },
          {
            "internalType": "uint64",
            "name": "conf",
            "type": "uint64"
          },
          {
            "internalType": "int32",
            "name": "expo",
            "type": "int32"
          },
          {
            "internalType": "uint256",
            "name": "publishTime",
            "type": "uint256"
          }
        ],
        "internalType": "struct PythStructs.Price",
        "name": "price",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "id",
        "type": "bytes32"
      }
    ],
    "name": "getPriceUnsafe",
    "outputs": [
      {
        "components": [
          {
            "internalType": "int64",
            "name": "price",
            "type": "int64"
          },
          {
            "internalType": "uint64",
            "name": "conf",
            "type": "uint64"
          },
          {
            "internalType": "int32",
            "name": "expo",
            "type": "int32"
          },
          {
            "internalType": "uint256",
            "name": "publishTime",
            "type": "uint256"
          }
        ],
        "internalType": "struct PythStructs.Price",
        "name": "price",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "",
        "type": "bytes[]"
      }
    ],
    "name": "getTwapUpdateFee",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "",
        "type": "bytes[]"
      }
    ],
    "name": "getUpdateFee",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "feeAmount",
        "type": "uint256"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "updateData",
        "type": "bytes[]"
      },
      {
        "internalType": "bytes32[]",
        "name": "priceIds",
        "type": "bytes32[]"
      },
      {
        "internalType": "uint64",
        "name": "minPublishTime",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "maxPublishTime",
        "type": "uint64"
      }
    ],
    "name": "parsePriceFeedUpdates",
    "outputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "id",
            "type": "bytes32"
          },
          {
            "components": [
              {
                "internalType": "int64",
                "name": "price",
                "type": "int64"
              },
              {
                "internalType": "uint64",
                "name": "conf",
                "type": "uint64"
              },
              {
                "internalType": "int32",
                "name": "expo",
                "type": "int32"
              },
              {
                "internalType": "uint256",
                "name": "publishTime",
                "type": "uint256"
              }
            ],
            "internalType": "struct PythStructs.Price",
            "name": "price",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "int64",
                "name": "price",
                "type": "int64"
              },
              {
                "internalType": "uint64",
                "name": "conf",
                "type": "uint64"
              },
              {
                "internalType": "int32",
                "name": "expo",
                "type": "int32"
              },
              {
                "internalType": "uint256",
                "name": "publishTime",
                "type": "uint256"
              }
            ],
            "internalType": "struct PythStructs.Price",
            "name": "emaPrice",
            "type": "tuple"
          }
        ],
        "internalType": "struct PythStructs.PriceFeed[]",
        "name": "priceFeeds",
        "type": "tuple[]"
      }
    ],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "",
        "type": "bytes[]"
      },
      {
        "internalType": "bytes32[]",
        "name": "",
        "type": "bytes32[]"
      },
      {
        "internalType": "uint64",
        "name": "",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "",
        "type": "uint64"
      }
    ],
    "name": "parsePriceFeedUpdatesUnique",
    "outputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "id",
            "type": "bytes32"
          },
          {
            "components": [
              {
                "internalType": "int64",
                "name": "price",
                "type": "int64"
              },
              {
                "internalType": "uint64",
                "name": "conf",
                "type": "uint64"
              },
              {
                "internalType": "int32",
                "name": "expo",
                "type": "int32"
              },
              {
                "internalType": "uint256",
                "name": "publishTime",
                "type": "uint256"
              }
            ],
            "internalType": "struct PythStructs.Price",
            "name": "price",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "int64",
                "name": "price",
                "type": "int64"
              },
              {
                "internalType": "uint64",
                "name": "conf",
                "type": "uint64"
              },
              {
                "internalType": "int32",
                "name": "expo",
                "type": "int32"
              },
              {
                "internalType": "uint256",
                "name": "publishTime",
                "type": "uint256"
              }
            ],
            "internalType": "struct PythStructs.Price",
            "name": "emaPrice",
            "type": "tuple"
          }
        ],
        "internalType": "struct PythStructs.PriceFeed[]",
        "name": "",
        "type": "tuple[]"
      }
    ],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "updateData",
        "type": "bytes[]"
      },
      {
        "internalType": "bytes32[]",
        "name": "priceIds",
        "type": "bytes32[]"
      },
      {
        "internalType": "uint64",
        "name": "minAllowedPublishTime",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "maxAllowedPublishTime",
        "type": "uint64"
      },
      {
        "internalType": "bool",
        "name": "checkUniqueness",
        "type": "bool"
      },
      {
        "internalType": "bool",
        "name": "checkUpdateDataIsMinimal",
        "type": "bool"
      },
      {
        "internalType": "bool",
        "name": "storeUpdatesIfFresh",
        "type": "bool"
      }
    ],
    "name": "parsePriceFeedUpdatesWithConfig",
    "outputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "id",
            "type": "bytes32"
          },
          {
            "components": [
              {
                "internalType": "int64",
                "name": "price",
                "type": "int64"
              },
              {
                "internalType": "uint64",
                "name": "conf",
                "type": "uint64"
              },
              {
                "internalType": "int32",
                "name": "expo",
                "type": "int32"
              },
              {
                "internalType": "uint256",
                "name": "publishTime",
                "type": "uint256"
              }
            ],
            "internalType": "struct PythStructs.Price",
            "name": "price",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "int64",
                "name": "price",
                "type": "int64"
              },
              {
                "internalType": "uint64",
                "name": "conf",
                "type": "uint64"
              },
              {
                "internalType": "int32",
                "name": "expo",
                "type": "int32"
              },
              {
                "internalType": "uint256",
                "name": "publishTime",
                "type": "uint256"
              }
            ],
            "internalType": "struct PythStructs.Price",
            "name": "emaPrice",
            "type": "tuple"
          }
        ],
        "internalType": "struct PythStructs.PriceFeed[]",
        "name": "priceFeeds",
        "type": "tuple[]"
      },
      {
        "internalType": "uint64[]",
        "name": "slots",
        "type": "uint64[]"
      }
    ],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "",
        "type": "bytes[]"
      },
      {
        "internalType": "bytes32[]",
        "name": "",
        "type": "bytes32[]"
      }
    ],
    "name": "parseTwapPriceFeedUpdates",
    "outputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "id",
            "type": "bytes32"
          },
          {
            "internalType": "uint64",
            "name": "startTime",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "endTime",
            "type": "uint64"
          },
          {
            "components": [
              {
                "internalType": "int64",
                "name": "price",
                "type": "int64"
              },
              {
                "internalType": "uint64",
                "name": "conf",
                "type": "uint64"
              },
              {
                "internalType": "int32",
                "name": "expo",
                "type": "int32"
              },
              {
                "internalType": "uint256",
                "name": "publishTime",
                "type": "uint256"
              }
            ],
            "internalType": "struct PythStructs.Price",
            "name": "twap",
            "type": "tuple"
          },
          {
            "internalType": "uint32",
            "name": "downSlotsRatio",
            "type": "uint32"
          }
        ],
        "internalType": "struct PythStructs.TwapPriceFeed[]",
        "name": "",
        "type": "tuple[]"
      }
    ],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "updateData",
        "type": "bytes[]"
      }
    ],
    "name": "updatePriceFeeds",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "updateData",
        "type": "bytes[]"
      },
      {
        "internalType": "bytes32[]",
        "name": "priceIds",
        "type": "bytes32[]"
      },
      {
        "internalType": "uint64[]",
        "name": "publishTimes",
        "type": "uint64[]"
      }
    ],
    "name": "updatePriceFeedsIfNecessary",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  }
] as const;
