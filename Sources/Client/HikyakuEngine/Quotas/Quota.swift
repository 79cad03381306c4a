import HikyakuBase

/// How many requests a service still allows, as one of its responses says.
package struct Quota: Equatable, Sendable {
    /// Distinguishes the quotas of a service: the name of the policy with its partition key, or of GitHub's resource.
    var name = ""
    /// All requests of a window.
    var limit: Int?
    /// The requests that are left.
    package var remaining: Int
    /// The time until all are available again.
    var resetsIn: Duration?
}

/// What a response says about further requests.
struct QuotaReport: Equatable, Sendable {
    package var quotas: [Quota] = []
    /// How long to wait, as the service says.
    var pause: Duration?
    /// Whether the pause, and the rejection as too many at once, concern the whole service.
    var concernsService = false
    /// Whether the request was rejected since too many were in flight.
    var isConcurrencyRejection = false
    /// How many requests may be in flight.
    var concurrencyMax: Int?
}

extension QuotaReport {
    /// Reads a response; `nil` if it says nothing.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - headers: Its fields.
    ///   - now: The client's time in seconds since 1970, for a response without `Date`.
    init?(_ status: HTTPStatus, _ headers: HTTPHeaders, now: Int64) {
        self.init()
        switch status.code {
        case 403, 429, 503:
            pause = headers.retryAfter(at: now)
            // GitHub's secondary limits, which are those of the account, have status 403 or 429.
            concernsService = pause != nil && status.code != 429
        default: break
        }
        if status.code == 429, let reason = headers["Stripe-Rate-Limited-Reason"] { readStripe(reason) }
        // A cached response says what was left when it was stored.
        if (headers["Age"].flatMap { ASCII.decimal($0.trimmingSpaces.utf8) } ?? 0) == 0 {
            concurrencyMax = headers.concurrencyPolicy
            quotas = headers.quotas(now: now)
        }
        guard self != QuotaReport() else { return nil }
    }

    /// Reads why Stripe has rejected a request: `global-rate`, `endpoint-concurrency` and so on.
    private mutating func readStripe(_ reason: String) {
        let reason = reason.trimmingSpaces.asciiLowercased
        concernsService = reason.hasBytePrefix("global-")
        switch reason {
        case "global-concurrency", "endpoint-concurrency": isConcurrencyRejection = true
        // Its rates are for a second, and it sends no Retry-After.
        case "global-rate", "endpoint-rate": pause = pause ?? .seconds(1)
        // A limit of a single object, such as a subscription.
        default: break
        }
    }
}

extension HTTPHeaders {
    /// Whether Stripe says that the same request may succeed later; `nil` if it says nothing.
    ///
    /// `false` overrides a status that usually is transient.
    package var stripeShouldRetry: Bool? {
        switch self["Stripe-Should-Retry"]?.trimmingSpaces.asciiLowercased {
        case "true": true
        case "false": false
        default: nil
        }
    }

    /// The quotas in the first dialect that the response has; `now` is this machine's time in seconds since 1970.
    package func quotas(now: Int64) -> [Quota] {
        if let text = self["RateLimit"] {
            if let list = StructuredList(list: text) { return policyQuotas(list, now: now) }
            if let quota = StructuredList(dictionary: text).flatMap({ quota(ofDictionary: $0, now: now) }) {
                return [quota]
            }
        }
        for prefix in ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"] {
            if let quota = quota(prefix, now: now) { return [quota] }
        }
        return []
    }

    // MARK: - RateLimit and RateLimit-Policy

    /// The policies that `RateLimit-Policy` names.
    private var policies: [QuotaPolicy] {
        let list = self["RateLimit-Policy"].flatMap { StructuredList(list: $0) }
        return list?.members.compactMap { QuotaPolicy($0) } ?? []
    }

    /// The quota of a policy that counts requests in flight.
    fileprivate var concurrencyPolicy: Int? {
        guard contains("RateLimit-Policy") else { return nil }
        return policies.filter { $0.unit == "concurrent-requests" }.map(\.quota).min()
    }

    /// `"burst";r=50;t=30`: IETF draft `httpapi-ratelimit-headers-11`, section 4.
    private func policyQuotas(_ list: StructuredList, now: Int64) -> [Quota] {
        let policies = policies
        return list.members.compactMap { member -> Quota? in
            guard let name = member.item?.text, name.utf8.count <= Quota.nameBytesMax,
                let remaining = member.parameters["r"]?.count
            else { return nil }
            let key = member.parameters["pk"]
            let policy = policies.first { $0.name == name && ($0.partition == key || $0.partition == nil) }
            // Bytes and the like are not counted here.
            guard policy?.unit ?? "requests" == "requests" else { return nil }
            var quota = Quota(limit: policy?.quota, remaining: remaining)
            quota.name = name
            if case .bytes(let bytes)? = key, bytes.utf8.count <= Quota.nameBytesMax { quota.name += ";pk=" + bytes }
            // The effective window is never longer than the policy's.
            quota.resetsIn = (member.parameters["t"]?.seconds ?? policy?.window.map(Double.init))
                .map { resetsIn($0, now: now) }
            return quota
        }
    }

    /// `limit=100, remaining=50, reset=30`: version 07 of the draft.
    private func quota(ofDictionary dictionary: StructuredList, now: Int64) -> Quota? {
        guard let remaining = dictionary["remaining"]?.count else { return nil }
        return Quota(
            limit: dictionary["limit"]?.count,
            remaining: remaining,
            resetsIn: dictionary["reset"]?.seconds.map { resetsIn($0, now: now) },
        )
    }

    // MARK: - Three fields

    /// `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, or those with another prefix.
    private func quota(_ prefix: String, now: Int64) -> Quota? {
        guard let text = self[HTTPHeaderName(prefix + "Remaining")], let remaining = Self.leadingNumber(text) else {
            return nil
        }
        let limit = self[HTTPHeaderName(prefix + "Limit")]
        var quota = Quota(limit: limit.flatMap(Self.leadingNumber).map(Quota.count), remaining: Quota.count(remaining))
        if let resource = self[HTTPHeaderName(prefix + "Resource")], resource.utf8.count <= Quota.nameBytesMax {
            quota.name = resource
        }
        if let after = self[HTTPHeaderName(prefix + "Reset-After")].flatMap(Self.leadingNumber) {
            quota.resetsIn = Swift.min(ServiceTime.pause(after, from: 0), Quota.durationMax)
        } else if let reset = self[HTTPHeaderName(prefix + "Reset")] {
            quota.resetsIn = resetsIn(reset, now: now)
        } else {
            // As Docker's registry: 100;w=21600.
            quota.resetsIn = [text, limit].compactMap(\.self).compactMap(Self.window).min()
        }
        return quota
    }

    /// The time until a reset, as in `Retry-After`.
    private func resetsIn(_ text: String, now: Int64) -> Duration? {
        if let number = Self.leadingNumber(text) { return resetsIn(number, now: now) }
        return ServiceTime.pause(text, from: serviceTime(now)).map { Swift.min($0, Quota.durationMax) }
    }

    /// The time until a reset in seconds, or as a Unix time, which some services write into each of the forms.
    private func resetsIn(_ number: Double, now: Int64) -> Duration {
        Swift.min(ServiceTime.pause(number, from: serviceTime(now)), Quota.durationMax)
    }

    /// The number at the beginning of a value: 10 of `10, 10;w=1, 50;w=60`, and 599 of `599.0`.
    private static func leadingNumber(_ text: String) -> Double? {
        let first = text.utf8.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") }
        let number = String(Substring(first).trimmingSpaces)
        guard 1...20 ~= number.utf8.count,
            number.utf8.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(number)
    }

    /// The parameter `w` of the first member of a list.
    private static func window(_ text: String) -> Duration? {
        StructuredList(list: text)?.members.first?.parameters["w"]?.count.map { .seconds($0) }
    }
}

extension Quota {
    /// The name without what may be secret, for people.
    ///
    /// A partition key may be a user's or a session's, and a name that isn't a word may be anything.
    static func shownName(_ name: String) -> String {
        let word = name.utf8.prefix { $0 != UInt8(ascii: ";") }
        let isWord = word.count <= 64 && word.allSatisfy { ASCII.isUnreserved($0) }
        return isWord ? String(Substring(word)) : Redaction.placeholder
    }

    /// Names that are longer are not kept.
    fileprivate static let nameBytesMax = 256

    /// A number of requests, at most a billion.
    fileprivate static func count(_ number: Double) -> Int { Int(min(max(number, 0), 1e9)) }

    /// No window is longer.
    fileprivate static let durationMax = Duration.seconds(1_000_000_000)
}

extension StructuredList.BareItem {
    /// A non-negative Integer, at most a billion.
    fileprivate var count: Int? {
        guard let integer, integer >= 0 else { return nil }
        return Int(min(integer, 1_000_000_000))
    }

    /// A non-negative Integer: a time in seconds, or a Unix time.
    fileprivate var seconds: Double? { integer.flatMap { $0 >= 0 ? Double($0) : nil } }
}

/// A member of `RateLimit-Policy`: `"burst";q=100;w=60`.
private struct QuotaPolicy {
    let name: String
    let quota: Int
    let unit: String
    let window: Int?
    let partition: StructuredList.BareItem?

    init?(_ member: StructuredList.Member) {
        guard let name = member.item?.text, let quota = member.parameters["q"]?.count else { return nil }
        self.name = name
        self.quota = quota
        unit = member.parameters["qu"].map { $0.text ?? "" } ?? "requests"
        window = member.parameters["w"]?.count
        partition = member.parameters["pk"]
    }
}
