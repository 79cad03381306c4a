import Foundation

/// Documents that cost a careless decoder the square of their length.
struct HostileDocument {
    let bytes: Data
    /// Of what it consists, in numbers.
    let count: Int

    /// An object whose keys are all different.
    static func manyKeys(bytes: Int) -> HostileDocument {
        repeating(bytes, "{", "}") { #""k\#($0)":\#($0)"# }
    }

    /// The same with keys that a strategy converts.
    static func snakeKeys(bytes: Int) -> HostileDocument {
        repeating(bytes, "{", "}") { #""some_key_\#($0)":\#($0)"# }
    }

    /// Objects, each of which has another key.
    static func snakeObjects(bytes: Int) -> HostileDocument {
        repeating(bytes, "[", "]") { #"{"k1":\#($0),"some_key_\#($0)":1}"# }
    }

    /// One key of as many words.
    static func snakeWords(bytes: Int) -> HostileDocument {
        let count = bytes / 2
        return HostileDocument(
            bytes: Data(("{\"" + String(repeating: "a_", count: count) + "a\":1}").utf8),
            count: count,
        )
    }

    /// Two arrays of the same strings.
    static func inTurn(bytes: Int) -> HostileDocument {
        let half = strings(bytes: bytes / 2)
        return HostileDocument(
            bytes: Data(#"{"a":"#.utf8) + half.bytes + Data(#","b":"#.utf8) + half.bytes + Data("}".utf8),
            count: half.count,
        )
    }

    /// Strings inside the given number of nested arrays.
    static func deepStrings(bytes: Int, depth: Int) -> HostileDocument {
        repeating(bytes, String(repeating: "[", count: depth), String(repeating: "]", count: depth)) { _ in #""x""# }
    }

    /// A key that is half of the document, above numbers.
    static func longKey(bytes: Int) -> HostileDocument {
        repeating(bytes, "{\"" + String(repeating: "k", count: bytes / 2) + "\":[", "]}") { "\($0)" }
    }

    /// Numbers below the given number of keys.
    static func below(depth: Int, bytes: Int) -> HostileDocument {
        let start = String(repeating: #"{"next":"#, count: depth) + #"{"numbers":["#
        return repeating(bytes, start, "]" + String(repeating: "}", count: depth + 1)) { "\($0)" }
    }

    /// Arrays that end with a comma.
    static func trailingCommas(bytes: Int) -> HostileDocument {
        repeating(bytes, "[", ",]") { "[\($0),]" }
    }

    /// A line for each object.
    static func lines(bytes: Int) -> HostileDocument {
        repeating(bytes, "", "\n", separator: "\n") { #"{"k1":\#($0)}"# }
    }

    /// An object whose keys are all the same.
    static func oneKey(bytes: Int) -> HostileDocument {
        repeating(bytes, "{", "}") { #""key":\#($0)"# }
    }

    /// An array of arrays in arrays.
    static func nested(bytes: Int, depth: Int) -> HostileDocument {
        let nest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        return repeating(bytes, "[", "]") { _ in nest }
    }

    /// Strings, for a type that wants numbers.
    static func strings(bytes: Int) -> HostileDocument {
        repeating(bytes, "[", "]") { #""number \#($0)""# }
    }

    /// Objects that lack a key.
    static func objects(bytes: Int) -> HostileDocument {
        repeating(bytes, "[", "]") { #"{"id":\#($0)}"# }
    }

    /// Numbers, and at the end something else.
    static func lateFailure(bytes: Int) -> HostileDocument {
        repeating(bytes, "[", #","late"]"#) { "\($0)" }
    }

    /// One string of escapes only; its count is the length of the decoded text.
    static func escapes(bytes: Int) -> HostileDocument {
        let piece = #"\u00e9\n\ud83d\ude80"#
        let count = bytes / piece.utf8.count
        let text = "[\"" + String(repeating: piece, count: count) + "\"]"
        return HostileDocument(bytes: Data(text.utf8), count: count * 7)
    }

    /// One number with as many digits.
    static func digits(bytes: Int) -> HostileDocument {
        let zeros = String(repeating: "0", count: bytes / 2)
        return HostileDocument(bytes: Data("[0.1\(zeros)\(zeros)1]".utf8), count: 1)
    }

    private static func repeating(
        _ bytes: Int,
        _ start: String,
        _ end: String,
        separator: String = ",",
        _ element: (Int) -> String,
    ) -> HostileDocument {
        var text = start
        text.reserveCapacity(bytes + 2048)
        var count = 0
        while text.utf8.count < bytes {
            if count > 0 { text += separator }
            text += element(count)
            count += 1
        }
        return HostileDocument(bytes: Data((text + end).utf8), count: count)
    }
}
