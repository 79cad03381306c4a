#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DecodingDiagnosis: CustomStringConvertible, CustomReflectable {
    /// One paragraph on one line: where, what was expected and found, the line, and the snippet.
    ///
    /// ```
    /// at /items/3/id: expected Int, found null (line 1, column 60, byte 59), in `…"aaaaa"},{"id":null}]}`
    /// ```
    public var description: String {
        var text = difference
        if let line {
            let place = [column.map { "column \($0)" }, byteOffset.map { "byte \($0)" }].compactMap { $0 }
            text += " (\((["line \(line)"] + place).joined(separator: ", ")))"
        }
        if let snippet { text += ", in `\(snippet)`" }
        if let message { text += "; the error says: \(message)" }
        return text + furtherText
    }

    /// The paragraph alone, for `dump`: the error's own text may quote values.
    public var customMirror: Mirror { Mirror(self, children: ["diagnosis": description]) }

    /// Where and what, without the surroundings.
    private var difference: String {
        let place = pointer.isEmpty ? "in the body as a whole" : "at \(VisibleText.of(pointer, max: 200))"
        let difference = found.map { "expected \(expected), found \($0)" } ?? "expected \(expected)"
        return "\(place): \(difference)"
    }

    /// The first few of the others.
    private var furtherText: String {
        guard !further.isEmpty else { return "" }
        let count = max(furtherCount, further.count)
        let shown = further.prefix(3).map(\.difference).joined(separator: "; ")
        return "; and \(count) more: \(shown)\(count > 3 ? "; …" : "")"
    }
}

extension DecodingDiagnosis: LocalizedError {
    /// What happened and why: ``description`` is in it, so that `localizedDescription` says where as well.
    public var errorDescription: String? { "The document can't be decoded: \(description)" }

    /// Why: ``description``.
    public var failureReason: String? { description }
}

/// Text of a peer, as one line of bounded length that leaves the direction of writing and the cursor alone.
enum VisibleText {
    static func of(_ text: some StringProtocol, max: Int) -> String {
        let scalars = text.unicodeScalars
        let shown = scalars.prefix(max).reduce(into: "") { $0.unicodeScalars.append(scalar(for: $1)) }
        return scalars.dropFirst(max).isEmpty ? shown : shown + "…"
    }

    /// The scalar, or a replacement: also for what turns the direction of writing, and for line separators that are no
    /// control characters.
    static func scalar(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: scalar
        }
    }
}
