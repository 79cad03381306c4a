/// Values by host: each stands for a host by name or address, or, as `*.api.example`, for all hosts one label below.
///
/// A name stands for the host in any case and with a dot at its end, so that no other spelling of a host escapes what
/// is said of it. An exact name wins over a pattern.
package struct HostTable<Value> {
    private var values: [String: Value] = [:]

    /// Makes a table; where two keys are spellings of one host, the first in order of text counts.
    package init(_ values: [String: Value] = [:]) {
        for (host, value) in values.sorted(by: { $0.key < $1.key }) where self.values[Self.normal(host)] == nil {
            self.values[Self.normal(host)] = value
        }
    }

    package var isEmpty: Bool { values.isEmpty }

    /// What is said of a host, as it stands in a URL.
    package subscript(host: String) -> Value? {
        guard !values.isEmpty else { return nil }
        let host = Self.normal(host)
        if let value = values[host] { return value }
        guard let dot = host.firstIndex(of: ".") else { return nil }
        return values["*" + host[dot...]]
    }

    /// The one spelling: in lower case, without an address's brackets and without a dot at the end.
    private static func normal(_ host: String) -> String {
        var host = host.lowercased()[...]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.hasSuffix(".") { host = host.dropLast() }
        return String(host)
    }
}

extension HostTable: Sendable where Value: Sendable {}
