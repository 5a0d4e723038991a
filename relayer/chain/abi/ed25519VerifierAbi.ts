/** ABI of `contracts/ed25519/Ed25519Verifier.sol`, written by `scripts/generateAbis.ts`: change the contract, not this file. */
export const ed25519VerifierAbi = [
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "publicKey_",
        "type": "bytes32"
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
    "inputs": [],
    "name": "publicKey",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes",
        "name": "message",
        "type": "bytes"
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
    "name": "verify",
    "outputs": [
      {
        "internalType": "enum Ed25519Verdict",
        "name": "verdict",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes",
        "name": "message",
        "type": "bytes"
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
      },
      {
        "internalType": "uint256",
        "name": "xOfR",
        "type": "uint256"
      }
    ],
    "name": "verifyWithHint",
    "outputs": [
      {
        "internalType": "enum Ed25519Verdict",
        "name": "verdict",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  }
] as const;
