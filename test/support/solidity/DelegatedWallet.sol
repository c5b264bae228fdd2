// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Code for accounts that delegate (EIP-7702). It accepts the plain signature of the account's own key (ERC-1271).
contract DelegatedWallet {
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (bytes32 r, bytes32 s) = abi.decode(signature[:64], (bytes32, bytes32));
        bool isOwn = ecrecover(hash, uint8(signature[64]), r, s) == address(this);
        return isOwn ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
