// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Nft1155, Nft721} from "#contracts/Executor.sol";

/// An ERC-20 with the rights that other standards add. Each lets its spender take everything, for ever.
contract Coin is ERC20 {
    mapping(address owner => mapping(address operator => bool)) public isOperator;

    constructor() ERC20("Coin", "COIN") {}

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function approveMax(address spender) external {
        _approve(msg.sender, spender, type(uint256).max);
    }

    function approve(address spender) external {
        _approve(msg.sender, spender, type(uint256).max);
    }

    function trust(address operator) external {
        isOperator[msg.sender][operator] = true;
    }

    function setAccountOperator(address account, address operator, bool allowed) external {
        require(msg.sender == account);
        isOperator[account][operator] = allowed;
    }

    function multicall(bytes[] calldata calls) external {
        for (uint256 i; i < calls.length; i++) {
            (bool success,) = address(this).delegatecall(calls[i]);
            require(success);
        }
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (isOperator[from][msg.sender]) _transfer(from, to, amount);
        else super.transferFrom(from, to, amount);
        return true;
    }
}

/// Returns nothing, and changes a nonzero allowance to zero only.
contract Tether {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address account, uint256 amount) external {
        balanceOf[account] += amount;
    }

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0, "reset first");
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// Its allowances are never used up.
contract LastingCoin is Coin {
    function _spendAllowance(address, address, uint256) internal override {}
}

/// Returns false in place of reverting.
contract FalseCoin is Coin {
    function transfer(address, uint256) public pure override returns (bool) {
        return false;
    }
}

interface Hook {
    function attack() external;
}

/// Gives another contract control before and after each transfer.
contract HookedCoin is Coin {
    Hook public hook;

    function setHook(Hook hook_) external {
        hook = hook_;
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (address(hook) != address(0)) hook.attack();
        super._update(from, to, amount);
        if (address(hook) != address(0)) hook.attack();
    }
}

contract Wrapped is ERC20 {
    constructor() ERC20("Wrapped", "WETH") {}

    receive() external payable {
        _mint(msg.sender, msg.value);
    }

    function deposit() external payable {
        _mint(msg.sender, msg.value);
    }

    /// With the gas of `transfer`, as WETH9 does.
    function withdraw(uint256 amount) external {
        _burn(msg.sender, amount);
        (bool success,) = msg.sender.call{value: amount, gas: 2300}("");
        require(success, "refused");
    }
}

interface NftReceiver {
    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4);
    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4);
    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        returns (bytes4);
}

/// NFTs of both standards, minted to the caller.
contract Nft is Nft721, Nft1155 {
    mapping(uint256 id => address) public ownerOf;
    mapping(address owner => mapping(uint256 id => uint256)) public held;

    function mint721(uint256 id) external {
        ownerOf[id] = msg.sender;
        NftReceiver(msg.sender).onERC721Received(msg.sender, address(0), id, "");
    }

    function mint1155(uint256 id, uint256 amount) external {
        held[msg.sender][id] += amount;
        NftReceiver(msg.sender).onERC1155Received(msg.sender, address(0), id, amount, "");
    }

    function mintBatch(uint256[] calldata ids, uint256[] calldata amounts) external {
        for (uint256 i; i < ids.length; i++) held[msg.sender][ids[i]] += amounts[i];
        NftReceiver(msg.sender).onERC1155BatchReceived(msg.sender, address(0), ids, amounts, "");
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        require(msg.sender == from && ownerOf[id] == from);
        ownerOf[id] = to;
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata) external {
        require(msg.sender == from);
        held[from][id] -= amount;
        held[to][id] += amount;
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata
    ) external {
        require(msg.sender == from);
        for (uint256 i; i < ids.length; i++) {
            held[from][ids[i]] -= amounts[i];
            held[to][ids[i]] += amounts[i];
        }
    }
}
