import Foundation

@testable import Hikyaku
@testable import HikyakuHTTP

/// Reads the fields of responses that decide what the client does next.
///
/// They are links, ranges, quotas, pauses and digests.
func checkFields(_ input: FuzzInput) {
    let text = String(decoding: input.document, as: UTF8.self)
    switch input.choices[0] % 4 {
    case 0: readLinks(text, isRelative: input.choices[1] & 1 == 1)
    case 1: readRange(text)
    case 2: readQuotas(text, statusCode: [200, 403, 429, 503][Int(input.choices[1]) % 4])
    default: readDigests(text)
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
