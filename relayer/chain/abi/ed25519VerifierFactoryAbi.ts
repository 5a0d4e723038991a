/** ABI of `contracts/ed25519/Ed25519VerifierFactory.sol`, written by `scripts/generateAbis.ts`: change the contract, not this file. */
export const ed25519VerifierFactoryAbi = [
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "sha512Of138Bytes",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "sha512OfTwo138Bytes",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "template",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "batchVerifier",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "lowerTableOfBase",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "upperTableOfBase",
            "type": "address"
          }
        ],
        "internalType": "struct Ed25519VerifierFactory.Parts",
        "name": "parts",
        "type": "tuple"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "ModularExponentiationFailed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "publicKey",
        "type": "bytes32"
      }
    ],
    "name": "NonCanonicalPublicKey",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "publicKey",
        "type": "bytes32"
      }
    ],
    "name": "PublicKeyNotOnCurve",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "publicKey",
        "type": "bytes32"
      }
    ],
    "name": "PublicKeyNotPrimeOrder",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "part",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "expectedCodeHash",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "codeHash",
        "type": "bytes32"
      }
    ],
    "name": "UnexpectedCode",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "publicKey",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "lowerTable",
        "type": "address"
      }
    ],
    "name": "BatchTablesDeployed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
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
      }
    ],
    "name": "VerifierDeployed",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "BATCH_VERIFIER",
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
    "name": "LOWER_TABLE_OF_BASE",
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
    "name": "SHA512_OF_138_BYTES",
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
    "name": "SHA512_OF_ANY_LENGTH",
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
    "name": "SHA512_OF_TWO_138_BYTES",
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
    "name": "TEMPLATE",
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
    "name": "UPPER_TABLE_OF_BASE",
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
        "name": "publicKey",
        "type": "bytes32"
      },
      {
        "internalType": "bool",
        "name": "isUpper",
        "type": "bool"
      }
    ],
    "name": "batchTableAddress",
    "outputs": [
      {
        "internalType": "address",
        "name": "table",
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
        "name": "publicKey",
        "type": "bytes32"
      },
      {
        "internalType": "bool",
        "name": "isUpper",
        "type": "bool"
      }
    ],
    "name": "batchTableCode",
    "outputs": [
      {
        "internalType": "bytes",
        "name": "code",
        "type": "bytes"
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
      }
    ],
    "name": "deploy",
    "outputs": [
      {
        "internalType": "address",
        "name": "verifier",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "publicKey",
        "type": "bytes32"
      }
    ],
    "name": "deployBatchTables",
    "outputs": [
      {
        "internalType": "address",
        "name": "lowerTable",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "publicKey",
        "type": "bytes32"
      }
    ],
    "name": "verifierAddress",
    "outputs": [
      {
        "internalType": "address",
        "name": "verifier",
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
        "name": "publicKey",
        "type": "bytes32"
      }
    ],
    "name": "verifierCode",
    "outputs": [
      {
        "internalType": "bytes",
        "name": "code",
        "type": "bytes"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  }
] as const;
