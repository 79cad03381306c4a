#if os(Linux)
import Foundation
import HikyakuBase

@testable import HikyakuHTTP
@testable import HikyakuWire

/// Reads what a proxy may answer, at once and in pieces.
func checkProxy(_ input: FuzzInput) {
    let scheme = HTTPProxy.Scheme.allCases[input.choice(0, of: HTTPProxy.Scheme.allCases.count)]
    let credentials = HTTPProxy.Credentials(username: "me", password: Secret("sesame"))
    let server = HTTPProxy.Server(
        scheme: scheme,
        host: "proxy",
        port: 1,
        credentials: input.choices[1] & 1 == 0 ? nil : credentials,
    )
    let origin = HTTPOrigin(scheme: "https", host: "api.example", port: nil)
    guard let handshake = try? server.handshake(to: origin, address: server.looksUpNames ? nil : [1, 2, 3, 4]) else {
        return violation("no handshake")
    }
    // A proxy that sends nothing before a request: its responses end at a byte that the input names, or with the input.
    let parts = [input.document.prefix(Int(input.choices[2])), input.document.dropFirst(Int(input.choices[2]))]
    let whole = run(handshake, parts, size: .max)
    check(run(handshake, parts, size: Int(input.choices[3] % 20) + 1) == whole, "cut elsewhere, it is another answer")
}

private func run(_ handshake: any ProxyHandshake, _ answers: [Data], size: Int) -> [String] {
    var handshake = handshake
    var seen = ["\(handshake.greeting)"]
    for answer in answers {
        var rest = [UInt8](answer)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(piece.count)
            switch piece.withUnsafeBytes({ handshake.receive($0) }) {
            case .wait: continue
            case .send(let bytes):
                // Bytes that follow in the same response are rejected with it.
                guard rest.isEmpty else { return seen + ["failed"] }
                seen.append("\(bytes)")
            case .open: return seen + [rest.isEmpty ? "open" : "failed"]
            case .failed(let error):
                check(error.reason == .proxyFailed && !error.message.contains("sesame"), "\(error)")
                return seen + ["failed"]
            }
        }
    }
    return seen
}
#endif
