import Foundation
import HikyakuJSON

@testable import Hikyaku
@testable import HikyakuEngine
@testable import HikyakuHTTP

/// Reads the fields of responses that decide what the client does next.
///
/// They are links, ranges, quotas, pauses, digests and media types. Parts of multipart bodies are only written.
func checkFields(_ input: FuzzInput) {
    let text = String(decoding: input.document, as: UTF8.self)
    switch input.choices[0] % 6 {
    case 0: readLinks(text, isRelative: input.choices[1] & 1 == 1)
    case 1: readRange(text)
    case 2: readQuotas(text, statusCode: [200, 403, 429, 503][Int(input.choices[1]) % 4])
    case 3: readDigests(text)
    case 4: readMediaType(text)
    default: writePart(text, input)
    }
}

private func readLinks(_ text: String, isRelative: Bool) {
    let base = isRelative ? URL(string: "https://a.example/b/c?d#e") : nil
    let links = HTTPHeaders(dictionaryLiteral: ("Link", text)).links(relativeTo: base)
    check(links.count <= WebLinks.countMax, "more links than allowed")
    for link in links {
        check(!link.relations.isEmpty, "a link has no relation type")
        check(
            link.relations.allSatisfy { !$0.utf8.contains(0x20) && !$0.isEmpty },
            "\(link.relations) is one relation",
        )
        check(link.url.scheme != nil && link.url.fragment == nil, "\(link.url.absoluteString) is not an absolute URL")
        let parts = link.url.query?.split(separator: "=", maxSplits: 1) ?? []
        if parts.count == 2, parts[1].utf8.count > 8, !parts[1].utf8.contains(UInt8(ascii: "&")),
            !link.relations.contains(where: { $0.contains(parts[1].lowercased()) })
        {
            let rest = link.url.absoluteString.dropLast(parts[1].count)
            check(rest.contains(parts[1]) || !"\(link)".contains(parts[1]), "\(link) shows a value of its query")
        }
    }
    // What was read can be written, and is read as the same.
    let written = links.map { "<\($0.url.absoluteString)>; rel=\"\($0.relations.joined(separator: " "))\"" }
    guard
        links.allSatisfy({ $0.context == nil && $0.relations.allSatisfy { !$0.contains("\"") && !$0.contains("\\") } })
    else { return }
    let field = written.joined(separator: ", ")
    guard field.utf8.count <= WebLinks.fieldBytesMax else { return }
    let again = HTTPHeaders(dictionaryLiteral: ("Link", field)).links(relativeTo: URL?.none)
    check(
        again.map(\.url.absoluteString) == links.map(\.url.absoluteString),
        "\(written) is read as \(again.map(\.url.absoluteString))",
    )
    check(again.map(\.relations) == links.map(\.relations), "\(written) has other relations")
}

private func readRange(_ text: String) {
    guard let range = ContentRange(text) else { return }
    switch range {
    case .part(let first, let last, let total):
        check(0 <= first && first <= last && last < total ?? .max, "\(text) contradicts itself")
        let written = "bytes \(first)-\(last)/\(total.map(String.init) ?? "*")"
        check(ContentRange(written) == ContentRange(text), "\(written) is not \(text)")
    case .none(let total):
        check(total >= 0, "\(text) has a negative size")
        check(ContentRange("bytes */\(total)") == range, "\(text) is written otherwise")
    }
}

private func readQuotas(_ text: String, statusCode: Int) {
    let lines = text.split(separator: "\n", maxSplits: 8, omittingEmptySubsequences: false).map(String.init)
    let names = [
        "RateLimit", "RateLimit-Policy", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After",
        "X-RateLimit-Limit", "RateLimit-Reset", "RateLimit-Remaining", "Stripe-Rate-Limited-Reason",
    ]
    var headers = HTTPHeaders()
    for (name, line) in zip(names, lines) { headers[HTTPHeaderName(name)] = line }
    let now: Int64 = 1_800_000_000
    let report = QuotaReport(HTTPStatus(statusCode), headers, now: now)
    if let pause = report?.pause { check(pause >= .zero, "a pause of \(pause)") }
    for quota in report?.quotas ?? [] {
        check(quota.remaining >= 0, "a quota has \(quota.remaining) left")
    }
    // A limit bounds whatever it learns, and never stops forever.
    var machine = LimitMachine<Int>(CallLimit(inFlightMax: 2))
    let start = ContinuousClock.now
    _ = machine.admitAtOnce(at: start)
    machine.finish(.sent(report, since: start, succeeded: true), at: start)
    check(machine.admitAtOnce(at: start + .seconds(3_601)), "it is stopped for more than an hour")
    _ = StructuredList(list: text)
}

private func readDigests(_ text: String) {
    let headers: HTTPHeaders = ["Repr-Digest": text, "Content-MD5": text]
    let digest = ServiceDigest.read(from: HTTPResponse(status: 200, headers: headers))
    let again = ServiceDigest.read(from: HTTPResponse(status: 200, headers: headers))
    check((digest == nil) == (again == nil), "the same fields are read otherwise")
}

/// A media type is read as the same once it is written.
private func readMediaType(_ text: String) {
    let type = MediaType(text)
    check(!type.essence.utf8.contains { 0x41...0x5A ~= $0 }, "\(type.essence) has a capital letter")
    check(!type.essence.contains(";") || type.essence.contains("\""), "\(type.essence) has a parameter")
    check(type.essence.utf8.count <= text.utf8.count, "\(type.essence) is more than was sent")
    for name in ["charset", "boundary"] {
        guard let value = type.parameter(name) else { continue }
        check(!value.isEmpty && value.utf8.count <= text.utf8.count, "\(name) is \(value)")
        let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let written = MediaType("text/plain; a=\"\(name)=0;\"; \(name)=\"\(escaped)\"")
        check(written.essence == "text/plain", "\(written.essence) is not plain text")
        check(
            written.parameter(name)?.utf8.elementsEqual(value.utf8) == true,
            "\(name) is written as another: \(value)",
        )
    }
}

/// A part has the fields that it was given, and its names end none of them.
private func writePart(_ text: String, _ input: FuzzInput) {
    let names = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    let (name, filename) = (text, names.last ?? "")
    let type = input.choices[1] & 1 == 0 ? "text/plain" : names[0]
    let part = MultipartPart.bytes(name, Data(), filename: filename, type: type)
    guard let encoded = try? part.encoded(by: HikyakuJSONEncoder()) else { return }
    let lines = encoded.head.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    check(lines.count == 2, "a part has \(lines.count) fields: \(encoded.head)")
    check(encoded.head.utf8.count { $0 == 0x0D } == 1, "a field has a line break: \(encoded.head)")
    let quotes = lines[0].count { $0 == UInt8(ascii: "\"") }
    check(quotes == 4, "a name ends early: \(encoded.head)")
    check(!encoded.head.utf8.contains(0), "a field has a NUL")
}
