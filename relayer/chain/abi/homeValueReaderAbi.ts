/** ABI of `contracts/examples/HomeValueReader.sol`, written by `scripts/generateAbis.ts`: change the contract, not this file. */
export const homeValueReaderAbi = [
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
        "internalType": "uint64",
        "name": "marketId",
        "type": "uint64"
      },
      {
        "internalType": "uint256",
        "name": "squareFeet",
        "type": "uint256"
      }
    ],
    "name": "monthlyRentOf",
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
    "inputs": [
      {
        "internalType": "uint64[]",
        "name": "feedIds",
        "type": "uint64[]"
      }
    ],
    "name": "pricesOf",
    "outputs": [
      {
        "internalType": "uint256[]",
        "name": "prices",
        "type": "uint256[]"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint64",
        "name": "marketId",
        "type": "uint64"
      },
      {
        "internalType": "uint256",
        "name": "squareFeet",
        "type": "uint256"
      }
    ],
    "name": "valueOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  }
] as const;
