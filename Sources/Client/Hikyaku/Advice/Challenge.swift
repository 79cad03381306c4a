import HikyakuBase

/// A way of authentication that a service asks for by `WWW-Authenticate`.
///
/// [RFC 9110, section 11.3](https://www.rfc-editor.org/rfc/rfc9110#section-11.3)
struct Challenge: Equatable {
    /// More are not plausible.
    private static let countMax = 8
    private static let bytesMax = 8 * 1024

    /// The scheme in lower case: `bearer`.
    let scheme: String
    /// By names in lower case; a value that stands alone isn't kept.
    private(set) var parameters: [String: String] = [:]

    /// The challenges of a response, as far as they can be read.
    static func all(in headers: HTTPHeaders) -> [Challenge] {
        var all: [Challenge] = []
        for value in headers.values(for: "WWW-Authenticate") where value.utf8.count <= bytesMax {
            for part in parts(of: value) { add(part, to: &all) }
        }
        return Array(all.prefix(countMax))
    }

    /// Adds a part between commas: a scheme, a scheme with its first parameter, or another parameter.
    private static func add(_ part: Substring, to all: inout [Challenge]) {
        let words = part.byteSplit(separator: " ", maxSplits: 1)
        guard let first = words.first, !first.isEmpty else { return }
        let isParameter =
            first.utf8.contains(UInt8(ascii: "=")) || words.count == 2 && words[1].utf8.first == UInt8(ascii: "=")
        var parameter = part
        if !isParameter {
            guard first.utf8.allSatisfy(ASCII.isToken) else { return }
            all.append(Challenge(scheme: String(first).asciiLowercased))
            guard words.count == 2 else { return }
            parameter = words[1]
        }
        let pair = parameter.byteSplit(separator: "=", maxSplits: 1)
        guard pair.count == 2, !all.isEmpty else { return }
        let name = String(pair[0].trimmingSpaces).asciiLowercased
        all[all.count - 1].parameters[name] = unquoted(pair[1].trimmingSpaces)
    }

    private static func parts(of value: String) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return value.unicodeScalars.split { scalar in
            if scalar == ",", !isQuoted { return true }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = scalar == "\\" && isQuoted && !isEscaped
            return false
        }.map { Substring($0).trimmingSpaces }
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.utf8.count >= 2, text.utf8.first == UInt8(ascii: "\""), text.utf8.last == UInt8(ascii: "\"") else {
            return String(text)
        }
        var isEscaped = false
        return text.dropFirst().dropLast().unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\\", !isEscaped {
                isEscaped = true
            } else {
                isEscaped = false
                result.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Challenge {
    /// What a developer can do about the challenges of a response; `nil` if they say no more than the status does.
    ///
    /// - Parameters:
    ///   - headers: The fields of the response.
    ///   - sent: The request.
    /// - Returns: The advice.
    static func advice(in headers: HTTPHeaders, to sent: HTTPRequest) -> String? {
        let all = all(in: headers)
        guard !all.isEmpty else { return nil }
        let own = sent.headers[.authorization].map { scheme(of: $0) }
        if let own, let answer = all.first(where: { $0.scheme == own }) { return answer.reason }
        let wanted = all.map { shownNames[$0.scheme] ?? shown($0.scheme) }
        let list = wanted.count == 1 ? wanted[0] : "one of \(wanted.joined(separator: ", "))"
        let how =
            all.contains { computed.contains($0.scheme) } && !all.contains { simple.contains($0.scheme) }
            ? " Its value is computed for each request: let a RequestSigner do it." : ""
        guard let own else {
            // A credential elsewhere, such as a cookie or an API key, may be what the service wants.
            return sent.credentials.isEmpty ? nil : "The service asks for \(list) in Authorization.\(how)"
        }
        return
            "The service asks for \(list), and the request has \(shownNames[own] ?? shown(own)): choose it where the "
            + "credential is made.\(how)"
    }

    /// What the service says about a token of the right scheme.
    private var reason: String? {
        let scope = parameters["scope"].map { Redaction.printable($0, scalarsMax: 100) } ?? ""
        switch parameters["error"] {
        case "invalid_token":
            return "The service says that the token is invalid, expired or revoked (invalid_token): get another one."
        case "insufficient_scope":
            let needed = scope.isEmpty ? "a scope that the call needs" : "a scope that the call needs: \(scope)"
            return "The token lacks \(needed) (insufficient_scope). Request it when the token is made."
        case "invalid_request":
            return "The service can't read the credential (invalid_request): check where and how it is sent."
        case "insufficient_user_authentication":
            return "The service wants a newer or stronger sign-in (insufficient_user_authentication): sign in again."
        case nil where !scope.isEmpty:
            return "The service asks for a token with the scope \(scope)."
        default: return nil
        }
    }

    private static func scheme(of value: String) -> String {
        value.byteSplit(separator: " ", maxSplits: 1).first.map { String($0).asciiLowercased } ?? ""
    }

    private static func shown(_ scheme: String) -> String { Redaction.printable(scheme, scalarsMax: 30) }

    private static let shownNames = [
        "basic": "Basic", "bearer": "Bearer", "digest": "Digest", "negotiate": "Negotiate", "ntlm": "NTLM",
        "dpop": "DPoP", "hoba": "HOBA", "mutual": "Mutual",
    ]
    /// Schemes whose credential is a constant.
    private static let simple: Set = ["basic", "bearer"]
    /// Schemes whose credential depends on the request.
    private static let computed: Set = ["digest", "negotiate", "ntlm", "dpop", "hoba", "mutual"]
}
