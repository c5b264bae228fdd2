// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {Depository} from "#contracts/Depository.sol";
import {DepositoryActors} from "./DepositoryActors.sol";
import {Coin} from "./DepositoryRig.sol";

/// What holds after any sequence of deposits, payouts, exits and attacks.
contract DepositoryInvariants is Test {
    DepositoryActors private actors;
    Depository private depository;
    address[2] private currencies;

    function setUp() external {
        actors = new DepositoryActors();
        actors.setUp();
        depository = actors.pool();
        currencies = actors.currencies();
        bytes4[] memory steps = new bytes4[](10);
        steps[0] = actors.depositMoney.selector;
        steps[1] = actors.transferPlainly.selector;
        steps[2] = actors.settleDeposits.selector;
        steps[3] = actors.refundDeposit.selector;
        steps[4] = actors.payPlainTransfer.selector;
        steps[5] = actors.exitDeposit.selector;
        steps[6] = actors.claimMoney.selector;
        steps[7] = actors.replayPayout.selector;
        steps[8] = actors.passTime.selector;
        steps[9] = actors.pausePayouts.selector;
        targetContract(address(actors));
        targetSelector(FuzzSelector(address(actors), steps));
    }

    /// forge-config: default.invariant.runs = 640
    /// forge-config: default.invariant.depth = 400
    function invariant_thePoolHoldsWhatItOwes_andNobodyElseGains() external view {
        address[8] memory accounts = actors.accounts();
        for (uint256 i; i < currencies.length; i++) {
            address currency = currencies[i];
            uint256 held = balanceOf(currency, address(depository));
            assertGe(held, depository.reserved(currency), "the pool holds less than it owes");
            uint256 paid;
            for (uint256 j; j < accounts.length; j++) {
                uint256 gained = balanceOf(currency, accounts[j]);
                assertLe(gained, actors.entitled(accounts[j], currency), "an account gained more than its due");
                paid += gained;
            }
            assertEq(held + paid, actors.received(currency), "money went elsewhere");
            // What recovered, and at most one deposit that was larger than the limit.
            uint256 outflowLimit = actors.outflowLimit();
            uint256 recovered = outflowLimit * (block.timestamp - actors.startedAt()) / 1 hours;
            uint256 largest = actors.largest(currency) > outflowLimit ? actors.largest(currency) : outflowLimit;
            assertLe(actors.outflow(currency), recovered + largest, "more went out than the limit allows");
        }
    }

    /// Checked once per sequence: it reads every record.
    function afterInvariant() external view {
        address[8] memory accounts = actors.accounts();
        for (uint256 i; i < currencies.length; i++) {
            uint256 owed = actors.owedInAll(currencies[i]);
            for (uint256 j; j < accounts.length; j++) owed += depository.claimable(currencies[i], accounts[j]);
            assertEq(depository.reserved(currencies[i]), owed, "the sum of the records is wrong");
        }
        assertGt(actors.ran(), 0, "nothing was ever paid");
    }

    function balanceOf(address currency, address account) private view returns (uint256) {
        return currency == address(0) ? account.balance : Coin(currency).balanceOf(account);
    }
}
