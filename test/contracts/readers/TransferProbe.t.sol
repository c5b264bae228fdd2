// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {TransferProbe} from "#contracts/TransferProbe.sol";
import {Coin, FalseCoin, Tether} from "#test/router/Currencies.sol";

/// A currency with one trap.
contract TrapCoin is Coin {
    enum Trap {
        none,
        taxed,
        taxedOnTop,
        burnsGas,
        returnsMegabytes,
        reverts,
        hidesBalances,
        hidesBalancesAfterwards,
        shortBalance,
        paysTheSender
    }

    Trap private immutable trap;
    /// Only this account can sell: everybody else's transfers fail. The zero address: everybody can.
    address private immutable insider;
    bool private moved;

    constructor(Trap trap_, address insider_) {
        (trap, insider) = (trap_, insider_);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        require(insider == address(0) || msg.sender == insider, "no way out");
        if (trap == Trap.burnsGas) while (true) {}
        if (trap == Trap.returnsMegabytes) {
            assembly {
                return(0, 2000000)
            }
        }
        require(trap != Trap.reverts);
        moved = true;
        uint256 tax = amount / 50;
        if (trap == Trap.taxed) _burn(msg.sender, tax);
        if (trap == Trap.taxedOnTop) _burn(msg.sender, tax);
        _transfer(msg.sender, to, trap == Trap.taxed ? amount - tax : amount);
        if (trap == Trap.paysTheSender) {
            _mint(msg.sender, 2 * amount);
            _burn(to, amount);
        }
        return true;
    }

    function balanceOf(address account) public view override returns (uint256) {
        require(trap != Trap.hidesBalances && (trap != Trap.hidesBalancesAfterwards || !moved));
        if (trap == Trap.shortBalance) {
            assembly {
                return(0, 31)
            }
        }
        return super.balanceOf(account);
    }
}

contract TransferProbeTest is Test {
    address private immutable pool = makeAddr("pool");
    address private immutable standIn = makeAddr("stand-in");

    function setUp() external {
        vm.etch(pool, address(new TransferProbe()).code);
        vm.etch(standIn, pool.code);
    }

    function probe(address currency, uint256 amount)
        private
        returns (TransferProbe.Leg memory out, TransferProbe.Leg memory back)
    {
        return TransferProbe(pool).probe(currency, amount, standIn);
    }

    function trapped(TrapCoin.Trap trap, address insider)
        private
        returns (TransferProbe.Leg memory out, TransferProbe.Leg memory back)
    {
        TrapCoin coin = new TrapCoin(trap, insider);
        coin.mint(pool, 2_000);
        return probe(address(coin), 1_000);
    }

    function assertLeg(TransferProbe.Leg memory leg, uint256 sent, uint256 spent, uint256 received) private pure {
        assertTrue(leg.succeeded);
        assertEq(leg.sent, sent);
        assertEq(leg.spent, spent);
        assertEq(leg.received, received);
    }

    function assertFailed(TransferProbe.Leg memory leg) private pure {
        assertFalse(leg.succeeded);
        assertEq(leg.spent, 0);
        assertEq(leg.received, 0);
    }

    function testFuzz_anHonestCurrencyMovesTheAmountAndReturnsIt(uint128 held, uint128 amount) external {
        Coin coin = new Coin();
        Tether tether = new Tether();
        coin.mint(pool, held);
        tether.mint(pool, held);
        address[2] memory currencies = [address(coin), address(tether)];
        for (uint256 i; i < 2; i++) {
            (TransferProbe.Leg memory out, TransferProbe.Leg memory back) = probe(currencies[i], amount);
            if (amount > held) {
                assertFailed(out);
            } else {
                assertLeg(out, amount, amount, amount);
            }
            if (amount > held || amount == 0) assertFailed(back);
            else assertLeg(back, amount, amount, amount);
        }
        assertEq(coin.balanceOf(pool), held);
    }

    function test_attack_aTaxIsSeenWhoeverBearsIt() external {
        (TransferProbe.Leg memory out, TransferProbe.Leg memory back) = trapped(TrapCoin.Trap.taxed, address(0));
        assertLeg(out, 1_000, 1_000, 980);
        assertLeg(back, 980, 980, 961);
        (out, back) = trapped(TrapCoin.Trap.taxedOnTop, address(0));
        assertLeg(out, 1_000, 1_020, 1_000);
        // The stand-in does not have the tax on top.
        assertFailed(back);
    }

    function test_attack_aCurrencyThatOnlyThePoolCanSell() external {
        (TransferProbe.Leg memory out, TransferProbe.Leg memory back) = trapped(TrapCoin.Trap.none, pool);
        assertLeg(out, 1_000, 1_000, 1_000);
        assertEq(back.sent, 1_000);
        assertFailed(back);
    }

    function test_attack_noTrapMakesTheProbeRevert() external {
        for (uint256 trap = uint256(TrapCoin.Trap.burnsGas); trap <= uint256(TrapCoin.Trap.shortBalance); trap++) {
            (TransferProbe.Leg memory out, TransferProbe.Leg memory back) = trapped(TrapCoin.Trap(trap), address(0));
            assertEq(out.sent, 1_000);
            assertFailed(out);
            assertEq(back.sent, 0);
            assertFailed(back);
        }
    }

    function test_attack_aCurrencyThatPaysTheSenderIsNotExact() external {
        (TransferProbe.Leg memory out, TransferProbe.Leg memory back) =
            trapped(TrapCoin.Trap.paysTheSender, address(0));
        assertLeg(out, 1_000, 0, 0);
        assertEq(back.sent, 0);
    }

    function test_attack_falseAndNoCodeAreNoSuccess() external {
        FalseCoin coin = new FalseCoin();
        coin.mint(pool, 1_000);
        (TransferProbe.Leg memory out,) = probe(address(coin), 1_000);
        assertFailed(out);
        (out,) = probe(standIn, 1_000);
        assertFailed(out);
        (out,) = probe(makeAddr("no contract"), 1_000);
        assertFailed(out);
    }
}
