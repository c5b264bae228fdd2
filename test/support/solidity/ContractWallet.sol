// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A contract account (ERC-1271). It accepts the signatures of its owner.
contract ContractWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function execute(address target, bytes calldata data) external {
        require(msg.sender == owner, "Not the owner");
        (bool done,) = target.call(data);
        require(done, "The call failed");
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        (bytes32 r, bytes32 s) = abi.decode(signature[:64], (bytes32, bytes32));
        bool isOwner = ecrecover(hash, uint8(signature[64]), r, s) == owner;
        return isOwner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
