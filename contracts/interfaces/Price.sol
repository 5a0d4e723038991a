// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @notice A price as the oracle serves it.
/// @param price 8 decimals, in the service's unit (USD per square foot, or per square foot a month); 0 when there is none.
/// @param publishTime When the service published it, Unix seconds rounded down.
/// @param expiry Until when it is served, Unix seconds rounded down.
/// @param day The date it is for, days since 1970-01-01.
struct Price {
    uint64 price;
    uint64 publishTime;
    uint64 expiry;
    uint32 day;
}

/// @notice A price that was read from an update without storing it.
/// @param feedId Market id for sales, market id + rental offset for rental.
/// @param signer Number of the signer whose signature it carries.
struct ParsedPrice {
    uint64 feedId;
    uint8 signer;
    Price price;
}

/// @notice The price of a date, from a feed's history. Expiries are not kept.
/// @param price 8 decimals; 0 when there is none.
/// @param publishTime When the service published it, Unix seconds rounded down.
/// @param day The date it is for, days since 1970-01-01.
/// @param signer Number of the signer whose signature it carried.
/// @param isRevised Whether the oracle took another price for this date before.
struct DailyPrice {
    uint64 price;
    uint64 publishTime;
    uint32 day;
    uint8 signer;
    bool isRevised;
}

/// @notice A price that lies outside its feed's band and is not served yet.
/// @param price What will be served; all zero when nothing waits.
/// @param signer Number of the signer whose signature it carries.
/// @param waitingSince When its level began to wait, Unix seconds; names the level in confirmPrice and vetoPrice.
/// @param servedFrom When it becomes the latest price by itself, Unix seconds.
struct PendingPrice {
    Price price;
    uint8 signer;
    uint64 waitingSince;
    uint64 servedFrom;
}

/// @notice Whether a feed's price is served, and if not, why.
/// @param Fresh It is served.
/// @param UnknownFeed No market has such an id.
/// @param Paused The oracle or this feed is paused.
/// @param SignerRevoked The stored price was signed by a key that has leaked.
/// @param NoPrice Nobody has brought a price yet.
/// @param Expired The stored price has expired.
/// @param Quarantined The stored price has expired, and a newer one waits outside the feed's band.
enum Freshness {
    Fresh,
    UnknownFeed,
    Paused,
    SignerRevoked,
    NoPrice,
    Expired,
    Quarantined
}
