/** ABI of `contracts/ed25519/Ed25519VerifierFactory.sol`, written by `scripts/generateAbis.ts`: change the contract, not this file. */
export const ed25519VerifierFactoryAbi = [
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
  }
] as const;
