/// Values by host: each stands for a host by name or address, or, as `*.api.example`, for all hosts one label below.
///
/// A host is found however it is spelled (``HostSpelling``), so that no spelling escapes what is said of it. An exact
/// name wins over a pattern.
package struct HostTable<Value> {
    private var values: [String: Value] = [:]
    /// A key that stands for no host, so that what is said of it would never hold.
    package private(set) var unusableKey: String?

    /// Makes a table; where two keys are spellings of one host, the first in order of text counts.
    package init(_ values: [String: Value] = [:]) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let normal = Self.normal(key: key) else {
                unusableKey = unusableKey ?? key
                continue
            }
            if self.values[normal] == nil { self.values[normal] = value }
        }
    }

    package var isEmpty: Bool { values.isEmpty && unusableKey == nil }

    /// What is said of a host, as it stands in a URL.
    package subscript(host: String) -> Value? {
        guard !values.isEmpty else { return nil }
        let host = HostSpelling.normal(host)
        if let value = values[host] { return value }
        guard let dot = host.firstByteIndex(of: ".") else { return nil }
        return values["*" + host[dot...]]
    }

    private static func normal(key: String) -> String? {
        guard key.hasBytePrefix("*.") else { return HostSpelling.checked(key) }
        return HostSpelling.checkedName(String(Substring(key.utf8.dropFirst(2)))).map { "*." + $0 }
    }
}

extension HostTable: Sendable where Value: Sendable {}
