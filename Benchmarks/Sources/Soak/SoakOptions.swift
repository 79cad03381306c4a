/// What the client speaks.
///
/// Over TLS, it speaks with a gateway before the faulty server.
enum SoakProtocol: String {
    case http, https, h2
}

struct SoakOptions {
    var protocolName = SoakProtocol.http
    var requests = 100_000
    /// How long to go on instead of counting requests; 0 counts.
    var minutes = 0.0
    var width = 64
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))

    static let usage = "usage: soak [--requests N] [--minutes M] [--width W] [--seed S] [--protocol http|https|h2]"

    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            guard let word = rest.popFirst() else { return nil }
            switch argument {
            case "--requests":
                guard let value = Int(word), value > 0 else { return nil }
                requests = value
            case "--minutes":
                guard let value = Double(word), value > 0 else { return nil }
                (minutes, requests) = (value, .max)
            case "--width":
                guard let value = Int(word), 1...1024 ~= value else { return nil }
                width = value
            case "--seed":
                guard let value = UInt64(word) else { return nil }
                seed = value
            case "--protocol":
                guard let value = SoakProtocol(rawValue: word) else { return nil }
                protocolName = value
            default:
                return nil
            }
        }
    }
}
