import Foundation
import HikyakuHTTP
import TestSupport
import Testing

@testable import Hikyaku

/// The fields of responses that the fuzzer keeps, so that the sanitizers see them too.
@Suite struct FieldCorpusTests {
    @Test func keptFieldsAreReadWithinTheirBounds() throws {
        let inputs = try FuzzCorpus.inputs(of: "fields")
        #expect(inputs.count >= 100)
        var (linksCount, rangesCount, reportsCount) = (0, 0, 0)
        for input in inputs {
            let text = String(decoding: input.document, as: UTF8.self)
            let links = HTTPHeaders(dictionaryLiteral: ("Link", text)).links(
                relativeTo: URL(string: "https://a.example")
            )
            #expect(links.count <= WebLinks.countMax && links.allSatisfy { $0.url.scheme != nil }, "\(input.name)")
            linksCount += links.count
            if case .part(let first, let last, let total)? = ContentRange(text) {
                #expect(first <= last && last < total ?? .max, "\(input.name)")
                rangesCount += 1
            }
            let headers: HTTPHeaders = ["RateLimit": text, "Retry-After": text, "X-RateLimit-Remaining": text]
            let report = QuotaReport(429, headers, now: 0)
            #expect(report?.pause.map { $0 >= .zero } ?? true, "\(input.name)")
            if report?.pause != nil { reportsCount += 1 }
            let response = HTTPResponse(status: 200, headers: ["Repr-Digest": text, "Content-MD5": text])
            _ = ServiceDigest.read(from: response)
        }
        #expect(linksCount > 0 && rangesCount > 0 && reportsCount > 0)
    }
}
