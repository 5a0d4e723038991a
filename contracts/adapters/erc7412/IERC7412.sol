// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title On-demand off-chain data retrieval
/// @notice ERC-7412, https://eips.ethereum.org/EIPS/eip-7412, with the error of three arguments; earlier drafts had
///         two, and so another selector.
interface IERC7412 {
    /// @notice The call needs data that are not on-chain: the client fetches them, and sends the call again with
    ///         fulfillOracleQuery before it, in one transaction.
    /// @param oracleContract The contract to call fulfillOracleQuery of.
    /// @param oracleQuery Which data; the format belongs to the oracle id.
    /// @param feeRequired Value to send to fulfillOracleQuery, wei.
    error OracleDataRequired(address oracleContract, bytes oracleQuery, uint256 feeRequired);
    /// @notice fulfillOracleQuery takes a value.
    /// @param amount Wei.
    error FeeRequired(uint256 amount);

    /// @notice Names the network that signs the data, and with it the formats of queries and answers.
    function oracleId() external view returns (bytes32);

    /// @notice Verifies data and puts them on-chain.
    /// @param signedOffchainData The format belongs to the oracle id.
    function fulfillOracleQuery(bytes calldata signedOffchainData) external payable;
}
