#if os(Linux)
extension Pool {
    struct Limits {
        /// How many calls may be in flight to one origin.
        var perOriginMax: Int
        /// How many may be in flight in all; at most so many idle connections are kept.
        var inFlightMax: Int
        /// How many may be queued in all.
        var queuedMax: Int
    }
}
#endif
