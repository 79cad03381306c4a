import HikyakuTesting

/// What the transport on URLSession doesn't do, with the reason; its table of guarantees says the same.
enum URLSessionExemptions {
    static let all: [ConformanceExemption] = []
}
