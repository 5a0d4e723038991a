/** Errors of the adapters and of `contracts/consumer/HomePriceConsumer.sol`, written by `scripts/generateAbis.ts`: change the contract, not this file. */
export const readerErrorsAbi = [
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "internalType": "uint32",
        "name": "day",
        "type": "uint32"
      },
      {
        "internalType": "uint32",
        "name": "minDay",
        "type": "uint32"
      }
    ],
    "name": "PriceDayTooEarly",
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
        "name": "base",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "quote",
        "type": "address"
      }
    ],
    "name": "OracleUnsupportedPair",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "base",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "quote",
        "type": "address"
      }
    ],
    "name": "OracleUntrustedData",
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
  }
] as const;
