/** ABI of `contracts/ed25519/IEd25519Verifier.sol`, written by `scripts/generateAbis.ts`: change the contract, not this file. */
export const ed25519VerifierAbi = [
  {
    "inputs": [],
    "name": "CallFailed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "length",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "messageLength",
        "type": "uint256"
      }
    ],
    "name": "InvalidBatchLength",
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
        "internalType": "uint256",
        "name": "messageLength",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "signedMessages",
        "type": "bytes"
      }
    ],
    "name": "verifyBatch",
    "outputs": [
      {
        "internalType": "bytes",
        "name": "verdicts",
        "type": "bytes"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "messageLength",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "signedMessages",
        "type": "bytes"
      }
    ],
    "name": "verifyBatchWithHints",
    "outputs": [
      {
        "internalType": "bytes",
        "name": "verdicts",
        "type": "bytes"
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
