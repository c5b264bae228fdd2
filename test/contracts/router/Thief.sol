// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ApprovalProxy} from "#contracts/ApprovalProxy.sol";
import {Call, Executor} from "#contracts/Executor.sol";
import {PoolKey, SwapTerms} from "#contracts/ManagedPools.sol";
import {Router} from "#contracts/Router.sol";
import {Locker} from "./Managers.sol";

/// An attacker in the role of any contract that gets control during a run: a recipient, a target of calls, a pool of
/// any kind, the manager of pools, the hook of a currency. It then tries to take all that our contracts hold.
contract Thief {
    ApprovalProxy private immutable proxy;
    Router private immutable router;
    address private immutable identity;
    bool private busy;
    /// Number of times that it got control, and of its calls of our contracts that succeeded.
    uint256 public attacks;
    uint256 public successes;
    IERC20 public target;
    /// Every account from which it tries to pull.
    address[] private victims;
    /// What a manager was given last for its callback.
    bytes private lastUnlock;

    constructor(ApprovalProxy proxy_, address identity_, address[] memory victims_) {
        (proxy, router, identity) = (proxy_, proxy_.router(), identity_);
        victims = victims_;
        victims.push(address(proxy_));
        victims.push(address(router));
    }

    function aim(IERC20 target_) external {
        target = target_;
    }

    function addVictim(address victim) external {
        if (victims.length < 12) victims.push(victim);
        else victims[attacks % 12] = victim;
    }

    receive() external payable {
        attack();
    }

    fallback() external payable {
        attack();
    }

    /// Makes one of the attacks in turn, and pulls from one of the victims and from the caller.
    function attack() public {
        if (busy) return;
        busy = true;
        uint256 turn = attacks++;
        (address contract_, bytes memory data) = attackOf(turn % 10);
        attempt(contract_, data);
        pull(victims[turn / 10 % victims.length]);
        pull(msg.sender);
        busy = false;
    }

    function attackOf(uint256 kind) private view returns (address, bytes memory) {
        Call[] memory takes = new Call[](2);
        takes[0] = Call(address(router), true, 0, abi.encodeCall(Router.pay, (address(target), address(this), 0)));
        takes[1] = Call(address(router), true, 0, abi.encodeCall(Router.pay, (address(0), address(this), 0)));
        address[] memory none;
        uint256[] memory nothing;
        address me = address(this);
        if (kind == 0) return (address(router), abi.encodeCall(Router.multicall, (takes, me, me, "")));
        if (kind == 1) {
            return (
                address(proxy),
                abi.encodeCall(ApprovalProxy.transferAndMulticall, (none, nothing, takes, me, me, ""))
            );
        }
        if (kind == 2) {
            ApprovalProxy.Fill memory fill = ApprovalProxy.Fill(identity, bytes32(attacks), type(uint256).max);
            return (address(proxy), abi.encodeCall(ApprovalProxy.fill, (fill, none, nothing, takes, me, me)));
        }
        if (kind == 3) return (address(router), abi.encodeCall(Router.hold, (me, me)));
        if (kind == 4) return (address(router), takes[0].callData);
        if (kind == 5) return (address(router), takes[1].callData);
        if (kind == 6) return (address(router), abi.encodeWithSignature("cb(int256,int256,bytes)", 1, 1, ""));
        if (kind == 9) return (address(router), abi.encodeCall(Locker.unlockCallback, (lastUnlock)));
        // Who calls may be an executor: it runs it again, or forges an NFT that the executor then forwards.
        if (kind == 7) return (msg.sender, abi.encodeCall(Executor.run, (takes, none, me, me)));
        return (msg.sender, abi.encodeCall(Executor.onERC721Received, (me, me, 1, "")));
    }

    /// Pulls are counted by what arrives, not by success.
    function pull(address victim) private {
        uint256 held = target.balanceOf(victim);
        if (held == 0) return;
        (bool success,) = address(target).call(abi.encodeCall(IERC20.transferFrom, (victim, address(this), held)));
        success;
    }

    function attempt(address contract_, bytes memory data) private {
        (bool success,) = contract_.call(data);
        if (success) successes++;
    }

    function getReserves() external pure returns (uint256, uint256) {
        return (1e18, 1e18);
    }

    /// As a pair pool it pays nothing, and takes what it was given.
    function swap(uint256, uint256, address, bytes calldata) external {
        attack();
    }

    /// As a concentrated pool it pays nothing, asks for all, and reports a huge output.
    function swap(address, bool, int256 amount, uint160, bytes calldata) external returns (int256, int256) {
        attempt(address(msg.sender), abi.encodeWithSignature("cb(int256,int256,bytes)", amount, amount, ""));
        attack();
        return (-1e30, -1e30);
    }

    /// As a manager it pays nothing, asks for all, and reports a huge output, as often as it can.
    function unlock(bytes calldata data) external returns (bytes memory) {
        lastUnlock = data;
        attack();
        attempt(msg.sender, abi.encodeCall(Locker.unlockCallback, (data)));
        attempt(msg.sender, abi.encodeCall(Locker.unlockCallback, (data)));
        return "";
    }

    function swap(PoolKey calldata, SwapTerms calldata terms, bytes calldata) external returns (int256) {
        attack();
        int256 amount = terms.amountSpecified < 0 ? terms.amountSpecified : -terms.amountSpecified;
        return terms.zeroForOne ? amount << 128 | 1e30 : int256(1e30) << 128 | int256(uint256(uint128(uint256(amount))));
    }

    function sync(address) external {
        attack();
    }

    function settle() external payable returns (uint256) {
        attack();
        return msg.value;
    }

    function take(address, address, uint256) external {
        attack();
    }

    function balanceOf(address) external pure returns (uint256) {
        return 2e18;
    }
}
