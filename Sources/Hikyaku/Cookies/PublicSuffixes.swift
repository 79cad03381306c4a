/// What knows the domains below which anybody registers names: `com`, `co.uk`, `github.io`.
///
/// A cookie for such a domain would go to strangers. The module HikyakuPublicSuffixes has the whole list, by libpsl.
public protocol PublicSuffixes: Sendable {
    /// Whether names below a domain belong to different owners.
    ///
    /// - Parameter domain: In lower case, as it stands in URLs (`xn--…`), without a dot at the end.
    /// - Returns: `true` for a suffix itself, `false` for what is registered below it.
    func isPublicSuffix(_ domain: String) -> Bool
}

/// Takes each domain of one label for a public suffix, and no other: `com`, but not `co.uk`.
public struct SingleLabelSuffixes: PublicSuffixes {
    /// Makes the rule.
    public init() {}

    /// Whether the domain has one label.
    public func isPublicSuffix(_ domain: String) -> Bool { !domain.utf8.contains(UInt8(ascii: ".")) }
}

extension PublicSuffixes where Self == SingleLabelSuffixes {
    /// Domains of one label, and no other.
    public static var singleLabel: SingleLabelSuffixes { SingleLabelSuffixes() }
}

extension PublicSuffixes {
    /// The domain that a host's owner has registered: the public suffix and one label more; the host itself where it
    /// is a suffix or an address.
    func registrableDomain(of host: String) -> String {
        let name = host.hasByteSuffix(".") ? String(host.dropLast()) : host
        guard !CookieRules.isAddress(name) else { return name }
        let domains = CookieRules.domains(of: name)
        guard let suffix = domains.firstIndex(where: isPublicSuffix), suffix > 0 else { return name }
        return domains[suffix - 1]
    }
}
