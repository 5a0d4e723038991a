/** ABI of `contracts/adapters/erc7412/ERC7412Adapter.sol`, written by `scripts/generateAbis.ts`: change the contract, not this file. */
export const erc7412AdapterAbi = [
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
    "inputs": [
      {
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "internalType": "uint32",
        "name": "minDay",
        "type": "uint32"
      }
    ],
    "name": "DayNotReached",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "FeeRequired",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "servedFrom",
        "type": "uint64"
      }
    ],
    "name": "FeedQuarantined",
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
        "internalType": "address",
        "name": "oracleContract",
        "type": "address"
      },
      {
        "internalType": "bytes",
        "name": "oracleQuery",
        "type": "bytes"
      },
      {
        "internalType": "uint256",
        "name": "feeRequired",
        "type": "uint256"
      }
    ],
    "name": "OracleDataRequired",
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
        "internalType": "bytes",
        "name": "signedOffchainData",
        "type": "bytes"
      }
    ],
    "name": "fulfillOracleQuery",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "internalType": "uint256",
        "name": "maxAge",
        "type": "uint256"
      }
    ],
    "name": "getPrice",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint64",
            "name": "price",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "publishTime",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "expiry",
            "type": "uint64"
          },
          {
            "internalType": "uint32",
            "name": "day",
            "type": "uint32"
          }
        ],
        "internalType": "struct Price",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "internalType": "uint32",
        "name": "minDay",
        "type": "uint32"
      }
    ],
    "name": "getPriceSince",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint64",
            "name": "price",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "publishTime",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "expiry",
            "type": "uint64"
          },
          {
            "internalType": "uint32",
            "name": "day",
            "type": "uint32"
          }
        ],
        "internalType": "struct Price",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "oracleId",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  }
] as const;
