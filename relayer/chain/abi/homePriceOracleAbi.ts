/** ABI of `contracts/HomePriceOracle.sol`, written by `scripts/generateAbis.ts`: change the contract, not this file. */
export const homePriceOracleAbi = [
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "owner",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "guardian",
            "type": "address"
          },
          {
            "internalType": "contract IEd25519VerifierFactory",
            "name": "verifierFactory",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "signerDelay",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "rentalOffset",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "maxExpiryAfterDate",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "quarantineDelay",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "defaultBand",
            "type": "uint256"
          },
          {
            "components": [
              {
                "internalType": "bytes32",
                "name": "publicKey",
                "type": "bytes32"
              },
              {
                "components": [
                  {
                    "components": [
                      {
                        "internalType": "uint8",
                        "name": "offset",
                        "type": "uint8"
                      },
                      {
                        "internalType": "uint8",
                        "name": "width",
                        "type": "uint8"
                      },
                      {
                        "internalType": "bool",
                        "name": "bigEndian",
                        "type": "bool"
                      }
                    ],
                    "internalType": "struct NumberField",
                    "name": "feedId",
                    "type": "tuple"
                  },
                  {
                    "components": [
                      {
                        "internalType": "uint8",
                        "name": "offset",
                        "type": "uint8"
                      },
                      {
                        "internalType": "uint8",
                        "name": "width",
                        "type": "uint8"
                      },
                      {
                        "internalType": "bool",
                        "name": "bigEndian",
                        "type": "bool"
                      }
                    ],
                    "internalType": "struct NumberField",
                    "name": "price",
                    "type": "tuple"
                  },
                  {
                    "internalType": "uint8",
                    "name": "priceDecimals",
                    "type": "uint8"
                  },
                  {
                    "components": [
                      {
                        "internalType": "uint8",
                        "name": "offset",
                        "type": "uint8"
                      },
                      {
                        "internalType": "uint8",
                        "name": "width",
                        "type": "uint8"
                      },
                      {
                        "internalType": "bool",
                        "name": "bigEndian",
                        "type": "bool"
                      }
                    ],
                    "internalType": "struct NumberField",
                    "name": "priceExponent",
                    "type": "tuple"
                  },
                  {
                    "components": [
                      {
                        "internalType": "uint8",
                        "name": "offset",
                        "type": "uint8"
                      },
                      {
                        "internalType": "uint8",
                        "name": "width",
                        "type": "uint8"
                      },
                      {
                        "internalType": "bool",
                        "name": "bigEndian",
                        "type": "bool"
                      },
                      {
                        "internalType": "bool",
                        "name": "inSeconds",
                        "type": "bool"
                      }
                    ],
                    "internalType": "struct TimeField",
                    "name": "publishTime",
                    "type": "tuple"
                  },
                  {
                    "components": [
                      {
                        "internalType": "uint8",
                        "name": "offset",
                        "type": "uint8"
                      },
                      {
                        "internalType": "uint8",
                        "name": "width",
                        "type": "uint8"
                      },
                      {
                        "internalType": "bool",
                        "name": "bigEndian",
                        "type": "bool"
                      },
                      {
                        "internalType": "bool",
                        "name": "inSeconds",
                        "type": "bool"
                      }
                    ],
                    "internalType": "struct TimeField",
                    "name": "expiry",
                    "type": "tuple"
                  },
                  {
                    "internalType": "uint8",
                    "name": "dateOffset",
                    "type": "uint8"
                  },
                  {
                    "internalType": "bytes",
                    "name": "constantBytes",
                    "type": "bytes"
                  }
                ],
                "internalType": "struct PriceMessageLayout",
                "name": "messageLayout",
                "type": "tuple"
              },
              {
                "internalType": "uint64",
                "name": "validFrom",
                "type": "uint64"
              }
            ],
            "internalType": "struct InitialSigner[]",
            "name": "signers",
            "type": "tuple[]"
          }
        ],
        "internalType": "struct OracleConfiguration",
        "name": "configuration",
        "type": "tuple"
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
        "name": "day",
        "type": "uint32"
      },
      {
        "internalType": "uint64",
        "name": "finalFrom",
        "type": "uint64"
      }
    ],
    "name": "DayNotFinal",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "expiryMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "day",
        "type": "uint256"
      }
    ],
    "name": "ExpiryNotAfterDate",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "expiryMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "nowMs",
        "type": "uint256"
      }
    ],
    "name": "ExpiryPassed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "expiryMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "nowMs",
        "type": "uint256"
      }
    ],
    "name": "ExpiryTooFarAhead",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "expiryMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "day",
        "type": "uint256"
      }
    ],
    "name": "ExpiryTooFarFromDate",
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
    "name": "FeedPaused",
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
        "internalType": "uint256",
        "name": "band",
        "type": "uint256"
      }
    ],
    "name": "InvalidBand",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes10",
        "name": "date",
        "type": "bytes10"
      }
    ],
    "name": "InvalidDate",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint32",
        "name": "fromDay",
        "type": "uint32"
      },
      {
        "internalType": "uint32",
        "name": "toDay",
        "type": "uint32"
      }
    ],
    "name": "InvalidDaySpan",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "maxExpiryAfterDate",
        "type": "uint256"
      }
    ],
    "name": "InvalidExpiryAfterDate",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "feedId",
        "type": "uint256"
      }
    ],
    "name": "InvalidFeedId",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "marketId",
        "type": "uint64"
      }
    ],
    "name": "InvalidMarketId",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "quarantineDelay",
        "type": "uint256"
      }
    ],
    "name": "InvalidQuarantineDelay",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "rentalOffset",
        "type": "uint256"
      }
    ],
    "name": "InvalidRentalOffset",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "internalType": "uint64",
        "name": "retirement",
        "type": "uint64"
      }
    ],
    "name": "InvalidRetirement",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "InvalidSignature",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "signerDelay",
        "type": "uint256"
      }
    ],
    "name": "InvalidSignerDelay",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "index",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "reason",
        "type": "bytes"
      }
    ],
    "name": "InvalidUpdate",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "length",
        "type": "uint256"
      }
    ],
    "name": "InvalidUpdateLength",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "factory",
        "type": "address"
      }
    ],
    "name": "InvalidVerifierFactory",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "publishTimeMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "expiryMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "day",
        "type": "uint256"
      }
    ],
    "name": "LatestPriceOverflow",
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
    "name": "NoPendingPrice",
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
    "name": "NoPrice",
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
        "name": "day",
        "type": "uint32"
      }
    ],
    "name": "NoPriceOn",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "NoUsableSigner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotGuardian",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotGuardianOrOwner",
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
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "internalType": "uint64",
        "name": "waitingSince",
        "type": "uint64"
      }
    ],
    "name": "PendingPriceChanged",
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
        "name": "expiry",
        "type": "uint64"
      }
    ],
    "name": "PriceExpired",
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
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "PriceSignerRevoked",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "mantissa",
        "type": "uint256"
      },
      {
        "internalType": "int256",
        "name": "exponent",
        "type": "int256"
      }
    ],
    "name": "PriceTooLarge",
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
    "name": "PriceTooOld",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "publicKey",
        "type": "bytes32"
      },
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "PublicKeyRevoked",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "internalType": "uint256",
        "name": "publishTimeMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "validFromMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "validUntilMs",
        "type": "uint256"
      }
    ],
    "name": "PublishTimeOutsideSigner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "publishTimeMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "nowMs",
        "type": "uint256"
      }
    ],
    "name": "PublishTimeTooFarAhead",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "publishTimeMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "nowMs",
        "type": "uint256"
      }
    ],
    "name": "PublishTimeTooOld",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "publishTimeMs",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "day",
        "type": "uint256"
      }
    ],
    "name": "PublishedBeforeDate",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "RenouncingDisabled",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "internalType": "enum SignerStatus",
        "name": "status",
        "type": "uint8"
      }
    ],
    "name": "SignerNotUsable",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "SignerNumbersExhausted",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "internalType": "uint64",
        "name": "validFrom",
        "type": "uint64"
      }
    ],
    "name": "SignerOverlap",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "internalType": "enum SignerStatus",
        "name": "status",
        "type": "uint8"
      }
    ],
    "name": "SignerStatusIs",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "time",
        "type": "uint64"
      }
    ],
    "name": "TimeOutOfRange",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "TooManyUsableSigners",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "UnexpectedConstantBytes",
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
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "UnknownSigner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "internalType": "address",
        "name": "verifier",
        "type": "address"
      }
    ],
    "name": "VerifierFailed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "internalType": "uint256",
        "name": "xOfR",
        "type": "uint256"
      }
    ],
    "name": "WrongHint",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "mantissa",
        "type": "uint256"
      },
      {
        "internalType": "int256",
        "name": "exponent",
        "type": "int256"
      }
    ],
    "name": "ZeroPrice",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint16",
        "name": "band",
        "type": "uint16"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "effectiveFrom",
        "type": "uint64"
      }
    ],
    "name": "BandSet",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "paused",
        "type": "bool"
      }
    ],
    "name": "FeedPausedSet",
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
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "effectiveFrom",
        "type": "uint64"
      }
    ],
    "name": "GuardianProposed",
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
        "indexed": true,
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "indexed": true,
        "internalType": "uint32",
        "name": "day",
        "type": "uint32"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "price",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "publishTimeMs",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "PastPriceOutOfBand",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "indexed": true,
        "internalType": "uint32",
        "name": "day",
        "type": "uint32"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "price",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "publishTimeMs",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "PastPriceRecorded",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "bool",
        "name": "paused",
        "type": "bool"
      }
    ],
    "name": "PausedSet",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "publishTimeMs",
        "type": "uint64"
      }
    ],
    "name": "PendingPriceConfirmed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "publishTimeMs",
        "type": "uint64"
      }
    ],
    "name": "PendingPriceVetoed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "indexed": true,
        "internalType": "uint32",
        "name": "day",
        "type": "uint32"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "price",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "publishTimeMs",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "expiryMs",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "servedFrom",
        "type": "uint64"
      }
    ],
    "name": "PriceQuarantined",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "indexed": true,
        "internalType": "uint32",
        "name": "day",
        "type": "uint32"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "previousPrice",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "price",
        "type": "uint64"
      }
    ],
    "name": "PriceRevised",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "indexed": true,
        "internalType": "uint32",
        "name": "day",
        "type": "uint32"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "price",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "publishTimeMs",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "expiryMs",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "PriceUpdated",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "SignerCancelled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "publicKey",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "verifier",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "usableFrom",
        "type": "uint64"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "validFrom",
        "type": "uint64"
      },
      {
        "components": [
          {
            "components": [
              {
                "internalType": "uint8",
                "name": "offset",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "width",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "bigEndian",
                "type": "bool"
              }
            ],
            "internalType": "struct NumberField",
            "name": "feedId",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "uint8",
                "name": "offset",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "width",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "bigEndian",
                "type": "bool"
              }
            ],
            "internalType": "struct NumberField",
            "name": "price",
            "type": "tuple"
          },
          {
            "internalType": "uint8",
            "name": "priceDecimals",
            "type": "uint8"
          },
          {
            "components": [
              {
                "internalType": "uint8",
                "name": "offset",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "width",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "bigEndian",
                "type": "bool"
              }
            ],
            "internalType": "struct NumberField",
            "name": "priceExponent",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "uint8",
                "name": "offset",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "width",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "bigEndian",
                "type": "bool"
              },
              {
                "internalType": "bool",
                "name": "inSeconds",
                "type": "bool"
              }
            ],
            "internalType": "struct TimeField",
            "name": "publishTime",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "uint8",
                "name": "offset",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "width",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "bigEndian",
                "type": "bool"
              },
              {
                "internalType": "bool",
                "name": "inSeconds",
                "type": "bool"
              }
            ],
            "internalType": "struct TimeField",
            "name": "expiry",
            "type": "tuple"
          },
          {
            "internalType": "uint8",
            "name": "dateOffset",
            "type": "uint8"
          },
          {
            "internalType": "bytes",
            "name": "constantBytes",
            "type": "bytes"
          }
        ],
        "indexed": false,
        "internalType": "struct PriceMessageLayout",
        "name": "messageLayout",
        "type": "tuple"
      }
    ],
    "name": "SignerProposed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "uint64",
        "name": "retirement",
        "type": "uint64"
      }
    ],
    "name": "SignerRetired",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "uint32",
        "name": "sinceDay",
        "type": "uint32"
      }
    ],
    "name": "SignerRevoked",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "index",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "bytes",
        "name": "reason",
        "type": "bytes"
      }
    ],
    "name": "UpdateRefused",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "DEFAULT_BAND",
    "outputs": [
      {
        "internalType": "uint16",
        "name": "",
        "type": "uint16"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "LAYOUT_PACKER",
    "outputs": [
      {
        "internalType": "contract LayoutPacker",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "MAX_EXPIRY_AFTER_DATE_MS",
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
    "name": "MAX_EXPIRY_AHEAD_MS",
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
    "name": "MAX_PUBLISH_AGE_MS",
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
    "name": "MAX_PUBLISH_AHEAD_MS",
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
    "name": "MAX_SIGNERS",
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
    "name": "QUARANTINE_DELAY",
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
    "name": "REFUSAL_REASONS",
    "outputs": [
      {
        "internalType": "contract RefusalReasons",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "RENTAL_OFFSET",
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
    "name": "RETIREMENT_GRACE",
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
    "name": "SETTLEMENT_DELAY",
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
    "name": "SIGNER_DELAY",
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
    "name": "VERIFIER_FACTORY",
    "outputs": [
      {
        "internalType": "contract IEd25519VerifierFactory",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
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
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      }
    ],
    "name": "bandOf",
    "outputs": [
      {
        "internalType": "uint16",
        "name": "band",
        "type": "uint16"
      },
      {
        "internalType": "uint16",
        "name": "nextBand",
        "type": "uint16"
      },
      {
        "internalType": "uint64",
        "name": "nextFrom",
        "type": "uint64"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "cancelSigner",
    "outputs": [],
    "stateMutability": "nonpayable",
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
        "internalType": "uint64",
        "name": "waitingSince",
        "type": "uint64"
      }
    ],
    "name": "confirmPrice",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "decimals",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      }
    ],
    "name": "freshness",
    "outputs": [
      {
        "internalType": "enum Freshness",
        "name": "",
        "type": "uint8"
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
    "inputs": [
      {
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      }
    ],
    "name": "latestPrice",
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
        "internalType": "uint64[]",
        "name": "feedIds",
        "type": "uint64[]"
      }
    ],
    "name": "latestPrices",
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
        "internalType": "struct Price[]",
        "name": "prices",
        "type": "tuple[]"
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
        "name": "fromDay",
        "type": "uint32"
      },
      {
        "internalType": "uint32",
        "name": "toDay",
        "type": "uint32"
      }
    ],
    "name": "missedDays",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "missed",
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
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "updates",
        "type": "bytes[]"
      }
    ],
    "name": "parsePrices",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint64",
            "name": "feedId",
            "type": "uint64"
          },
          {
            "internalType": "uint8",
            "name": "signer",
            "type": "uint8"
          },
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
            "name": "price",
            "type": "tuple"
          }
        ],
        "internalType": "struct ParsedPrice[]",
        "name": "prices",
        "type": "tuple[]"
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
    "inputs": [
      {
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      }
    ],
    "name": "pauseFeed",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "paused",
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
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      }
    ],
    "name": "pendingPrice",
    "outputs": [
      {
        "components": [
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
            "name": "price",
            "type": "tuple"
          },
          {
            "internalType": "uint8",
            "name": "signer",
            "type": "uint8"
          },
          {
            "internalType": "uint64",
            "name": "waitingSince",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "servedFrom",
            "type": "uint64"
          }
        ],
        "internalType": "struct PendingPrice",
        "name": "pending",
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
        "internalType": "uint256",
        "name": "maxAgeSeconds",
        "type": "uint256"
      }
    ],
    "name": "priceNoOlderThan",
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
        "name": "day",
        "type": "uint32"
      }
    ],
    "name": "priceOn",
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
            "internalType": "uint32",
            "name": "day",
            "type": "uint32"
          },
          {
            "internalType": "uint8",
            "name": "signer",
            "type": "uint8"
          },
          {
            "internalType": "bool",
            "name": "isRevised",
            "type": "bool"
          }
        ],
        "internalType": "struct DailyPrice",
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
        "name": "day",
        "type": "uint32"
      }
    ],
    "name": "priceOnUnsafe",
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
            "internalType": "uint32",
            "name": "day",
            "type": "uint32"
          },
          {
            "internalType": "uint8",
            "name": "signer",
            "type": "uint8"
          },
          {
            "internalType": "bool",
            "name": "isRevised",
            "type": "bool"
          }
        ],
        "internalType": "struct DailyPrice",
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
      }
    ],
    "name": "priceUnsafe",
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
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "internalType": "uint32",
        "name": "fromDay",
        "type": "uint32"
      },
      {
        "internalType": "uint32",
        "name": "toDay",
        "type": "uint32"
      }
    ],
    "name": "pricesBetween",
    "outputs": [
      {
        "internalType": "uint64[]",
        "name": "prices",
        "type": "uint64[]"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint64[]",
        "name": "feedIds",
        "type": "uint64[]"
      }
    ],
    "name": "pricesUnsafe",
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
        "internalType": "struct Price[]",
        "name": "prices",
        "type": "tuple[]"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "publicKey",
        "type": "bytes32"
      },
      {
        "components": [
          {
            "components": [
              {
                "internalType": "uint8",
                "name": "offset",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "width",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "bigEndian",
                "type": "bool"
              }
            ],
            "internalType": "struct NumberField",
            "name": "feedId",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "uint8",
                "name": "offset",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "width",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "bigEndian",
                "type": "bool"
              }
            ],
            "internalType": "struct NumberField",
            "name": "price",
            "type": "tuple"
          },
          {
            "internalType": "uint8",
            "name": "priceDecimals",
            "type": "uint8"
          },
          {
            "components": [
              {
                "internalType": "uint8",
                "name": "offset",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "width",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "bigEndian",
                "type": "bool"
              }
            ],
            "internalType": "struct NumberField",
            "name": "priceExponent",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "uint8",
                "name": "offset",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "width",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "bigEndian",
                "type": "bool"
              },
              {
                "internalType": "bool",
                "name": "inSeconds",
                "type": "bool"
              }
            ],
            "internalType": "struct TimeField",
            "name": "publishTime",
            "type": "tuple"
          },
          {
            "components": [
              {
                "internalType": "uint8",
                "name": "offset",
                "type": "uint8"
              },
              {
                "internalType": "uint8",
                "name": "width",
                "type": "uint8"
              },
              {
                "internalType": "bool",
                "name": "bigEndian",
                "type": "bool"
              },
              {
                "internalType": "bool",
                "name": "inSeconds",
                "type": "bool"
              }
            ],
            "internalType": "struct TimeField",
            "name": "expiry",
            "type": "tuple"
          },
          {
            "internalType": "uint8",
            "name": "dateOffset",
            "type": "uint8"
          },
          {
            "internalType": "bytes",
            "name": "constantBytes",
            "type": "bytes"
          }
        ],
        "internalType": "struct PriceMessageLayout",
        "name": "messageLayout",
        "type": "tuple"
      },
      {
        "internalType": "uint64",
        "name": "validFrom",
        "type": "uint64"
      }
    ],
    "name": "proposeSigner",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "renounceOwnership",
    "outputs": [],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "marketId",
        "type": "uint64"
      }
    ],
    "name": "rentalPrice",
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
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "internalType": "uint64",
        "name": "retirement",
        "type": "uint64"
      }
    ],
    "name": "retireSigner",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      },
      {
        "internalType": "uint32",
        "name": "sinceDay",
        "type": "uint32"
      }
    ],
    "name": "revokeSigner",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "marketId",
        "type": "uint64"
      }
    ],
    "name": "salesPrice",
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
        "internalType": "uint64[]",
        "name": "feedIds",
        "type": "uint64[]"
      },
      {
        "internalType": "uint16",
        "name": "band",
        "type": "uint16"
      }
    ],
    "name": "setBands",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "newGuardian",
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
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      },
      {
        "internalType": "uint32",
        "name": "day",
        "type": "uint32"
      }
    ],
    "name": "settlementPrice",
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
            "internalType": "uint32",
            "name": "day",
            "type": "uint32"
          },
          {
            "internalType": "uint8",
            "name": "signer",
            "type": "uint8"
          },
          {
            "internalType": "bool",
            "name": "isRevised",
            "type": "bool"
          }
        ],
        "internalType": "struct DailyPrice",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "signerCount",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "signer",
        "type": "uint8"
      }
    ],
    "name": "signerInfo",
    "outputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "publicKey",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "verifier",
            "type": "address"
          },
          {
            "internalType": "enum SignerStatus",
            "name": "status",
            "type": "uint8"
          },
          {
            "internalType": "uint64",
            "name": "usableFrom",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "validFrom",
            "type": "uint64"
          },
          {
            "internalType": "uint64",
            "name": "retirement",
            "type": "uint64"
          },
          {
            "internalType": "uint32",
            "name": "revokedSinceDay",
            "type": "uint32"
          },
          {
            "internalType": "PackedLayout",
            "name": "messageLayout",
            "type": "uint96"
          },
          {
            "internalType": "bytes32",
            "name": "constantsHash",
            "type": "bytes32"
          }
        ],
        "internalType": "struct SignerInfo",
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
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "updates",
        "type": "bytes[]"
      }
    ],
    "name": "tryUpdatePrices",
    "outputs": [
      {
        "internalType": "bool[]",
        "name": "stored",
        "type": "bool[]"
      }
    ],
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
        "internalType": "uint64",
        "name": "feedId",
        "type": "uint64"
      }
    ],
    "name": "unpauseFeed",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes[]",
        "name": "updates",
        "type": "bytes[]"
      }
    ],
    "name": "updatePrices",
    "outputs": [
      {
        "internalType": "bool[]",
        "name": "stored",
        "type": "bool[]"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "usableSigners",
    "outputs": [
      {
        "internalType": "uint8[]",
        "name": "numbers",
        "type": "uint8[]"
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
        "internalType": "uint64",
        "name": "waitingSince",
        "type": "uint64"
      }
    ],
    "name": "vetoPrice",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "offset",
        "type": "uint8"
      },
      {
        "internalType": "uint8",
        "name": "width",
        "type": "uint8"
      }
    ],
    "name": "FieldOutsideMessage",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "offset",
        "type": "uint8"
      },
      {
        "internalType": "uint8",
        "name": "width",
        "type": "uint8"
      }
    ],
    "name": "FieldOverlap",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "length",
        "type": "uint256"
      }
    ],
    "name": "InvalidConstantBytesLength",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "offset",
        "type": "uint8"
      },
      {
        "internalType": "uint8",
        "name": "width",
        "type": "uint8"
      }
    ],
    "name": "InvalidFieldWidth",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "decimals",
        "type": "uint8"
      }
    ],
    "name": "InvalidPriceDecimals",
    "type": "error"
  }
] as const;
