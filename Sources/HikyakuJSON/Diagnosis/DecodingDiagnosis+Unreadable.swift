#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DecodingDiagnosis {
    /// Looks at a body that was to be something else than a document, and isn't.
    ///
    /// - Parameters:
    ///   - body: What came.
    ///   - expected: What was to come, in words that follow "expected".
    package init(unreadable body: Data, expected: String) {
        let content = body.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) {
                BodyContent(binaryIn: $0) ?? BodyContent(textIn: $0, revealingValues: false)
            }
        }
        if body.isEmpty {
            self.init(kind: .empty, expected: expected, found: "an empty body")
        } else {
            self.init(
                kind: content?.kind ?? .malformed,
                expected: expected,
                found: content?.words ?? "\(body.count) bytes of something else",
            )
        }
    }
}
