/** ABI of `contracts/adapters/morpho/MorphoAdapter.sol`, written by `scripts/generateAbis.ts`: change the contract, not this file. */
export const morphoAdapterAbi = [
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "contract IHomePriceOracle",
            "name": "oracle",
            "type": "address"
          },
          {
            "internalType": "uint64",
            "name": "feedId",
            "type": "uint64"
          },
          {
            "internalType": "uint256",
            "name": "maxAge",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "collateralToken",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "loanToken",
            "type": "address"
          },
          {
            "internalType": "uint128",
            "name": "unitsPerToken",
            "type": "uint128"
          },
          {
            "internalType": "contract AggregatorV3Interface",
            "name": "loanTokenFeed",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "loanTokenFeedMaxAge",
            "type": "uint256"
          }
        ],
        "internalType": "struct MorphoAdapterArguments",
        "name": "arguments",
        "type": "tuple"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "loanTokenFeedMaxAge",
        "type": "uint256"
      }
    ],
    "name": "InvalidLoanTokenFeedMaxAge",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "int256",
        "name": "answer",
        "type": "int256"
      }
    ],
    "name": "InvalidLoanTokenPrice",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "maxAge",
        "type": "uint256"
      }
    ],
    "name": "InvalidMaxAge",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint128",
        "name": "unitsPerToken",
        "type": "uint128"
      }
    ],
    "name": "InvalidUnitsPerToken",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "updatedAt",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "blockTime",
        "type": "uint256"
      }
    ],
    "name": "LoanTokenPriceAhead",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "ageSeconds",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "maxAgeSeconds",
        "type": "uint256"
      }
    ],
    "name": "LoanTokenPriceTooOld",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "asset",
        "type": "address"
      }
    ],
    "name": "NoDecimals",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "asset",
        "type": "address"
      }
    ],
    "name": "SameAsset",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "asset",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "decimals",
        "type": "uint256"
      }
    ],
    "name": "TooManyDecimals",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      }
    ],
    "name": "UnknownFeed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "usdPerToken",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "loanTokenPrice",
        "type": "uint256"
      }
    ],
    "name": "UnscalablePrice",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "COLLATERAL_TOKEN",
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
    "name": "FEED_ID",
    "outputs": [
      {
        "internalType": "uint64",
        "name": "",
        "type": "uint64"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "LOAN_TOKEN",
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
    "name": "LOAN_TOKEN_FEED",
    "outputs": [
      {
        "internalType": "contract AggregatorV3Interface",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "LOAN_TOKEN_FEED_MAX_AGE",
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
    "name": "MAX_AGE",
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
    "inputs": [],
    "name": "UNITS_PER_TOKEN",
    "outputs": [
      {
        "internalType": "uint128",
        "name": "",
        "type": "uint128"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "price",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "scaledPrice",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  }
] as const;
