// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// Rate limit for settlements, payouts of unrecorded transfers, and refund costs, for each currency. Refunds, exits and
/// claims are not limited. A used limit recovers linearly within one hour. One deposit above the whole limit can be
/// settled while the limit is unused, and then uses up as many hours of it as it needs.
abstract contract OutflowLimit {
    struct Limit {
        address currency;
        /// In the smallest unit of the currency. 0 allows nothing.
        uint256 amount;
    }

    struct Outflow {
        /// The part of the limit that was used up at `timestamp`.
        uint192 used;
        uint64 timestamp;
    }

    /// @notice The owner has set the outflow limit of a currency.
    /// @param currency The currency. The zero address is the native one.
    /// @param amount The new limit for one hour, in the smallest unit.
    event OutflowLimitSet(address indexed currency, uint256 amount);

    uint256 private constant recoverySeconds = 1 hours;

    /// @notice The outflow limit of a currency for one hour, in the smallest unit. 0: nothing of it can be settled.
    mapping(address currency => uint256) public outflowLimit;
    mapping(address currency => Outflow) private outflow;

    /// @notice The amount of a currency that the limit allows now.
    /// @param currency The currency. The zero address is the native one.
    /// @return The amount in the smallest unit. It equals the limit while the limit is unused.
    function availableOutflow(address currency) public view returns (uint256) {
        uint256 limit = outflowLimit[currency];
        uint256 used = usedOutflow(currency, limit);
        return used < limit ? limit - used : 0;
    }

    /// A currency without a limit cannot be settled. Reverts for limits of 2^160 and more.
    function setLimits(Limit[] memory limits) internal {
        for (uint256 i; i < limits.length; i++) {
            outflowLimit[limits[i].currency] = SafeCast.toUint160(limits[i].amount);
            emit OutflowLimitSet(limits[i].currency, limits[i].amount);
        }
    }

    /// Uses `amount` of the limit. Returns false, and uses nothing, if less is available.
    function useOutflow(address currency, uint256 amount) internal returns (bool) {
        if (amount > availableOutflow(currency)) return false;
        uint256 used = usedOutflow(currency, outflowLimit[currency]) + amount;
        outflow[currency] = Outflow(SafeCast.toUint192(used), uint64(block.timestamp));
        return true;
    }

    /// Uses the limit for one deposit. Allows more than the whole limit if it is unused: on average no more than the
    /// limit leaves in an hour, as the excess must recover first.
    function useOutflowAlone(address currency, uint256 amount) internal returns (bool) {
        uint256 limit = outflowLimit[currency];
        if (amount <= limit || limit == 0 || usedOutflow(currency, limit) != 0) return useOutflow(currency, amount);
        outflow[currency] = Outflow(SafeCast.toUint192(amount), uint64(block.timestamp));
        return true;
    }

    function usedOutflow(address currency, uint256 limit) private view returns (uint256) {
        Outflow memory last = outflow[currency];
        uint256 recovered = limit * (block.timestamp - last.timestamp) / recoverySeconds;
        return last.used > recovered ? last.used - recovered : 0;
    }
}
