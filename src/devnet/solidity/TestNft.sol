// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface NftReceiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
    function onERC1155Received(address operator, address from, uint256 id, uint256 amount, bytes calldata data)
        external
        returns (bytes4);
}

/// An ERC-721 and ERC-1155 that anyone may mint. For tests.
contract TestNft {
    mapping(uint256 id => address) public ownerOf;
    mapping(address owner => mapping(uint256 id => uint256)) public balanceOf;

    function mint721(address to, uint256 id) external {
        ownerOf[id] = to;
        if (to.code.length > 0) NftReceiver(to).onERC721Received(msg.sender, address(0), id, "");
    }

    function mint1155(address to, uint256 id, uint256 amount) external {
        balanceOf[to][id] += amount;
        if (to.code.length > 0) NftReceiver(to).onERC1155Received(msg.sender, address(0), id, amount, "");
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        require(msg.sender == from && ownerOf[id] == from, "Not the owner's");
        ownerOf[id] = to;
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata) external {
        require(msg.sender == from, "Not the owner's");
        balanceOf[from][id] -= amount;
        balanceOf[to][id] += amount;
    }
}
