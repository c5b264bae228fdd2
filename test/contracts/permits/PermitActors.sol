// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A wallet that accepts its owner's signatures, and any signature once it is careless.
contract Wallet {
    address private immutable owner;
    bool public careless;

    constructor(address owner_) {
        owner = owner_;
    }

    function relax() external {
        careless = true;
    }

    function approve(address currency, address spender) external {
        (bool success,) = currency.call(abi.encodeWithSignature("approve(address,uint256)", spender, type(uint256).max));
        require(success);
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (careless) return 0x1626ba7e;
        address found = ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return found == owner ? bytes4(0x1626ba7e) : bytes4(0);
    }
}

/// Says yes to every signature, and pays nothing.
contract FakeCurrency {
    function receiveWithAuthorization(
        address,
        address,
        uint256,
        uint256,
        uint256,
        bytes32,
        uint8,
        bytes32,
        bytes32
    ) external {}

    function transfer(address, uint256) external pure returns (bool) {
        return true;
    }
}
