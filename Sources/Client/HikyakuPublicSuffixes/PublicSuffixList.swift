#if os(Linux)
import CPSL
public import Hikyaku

/// The public suffix list, read by libpsl: it knows that `co.uk` and `github.io` are public suffixes, like `com`.
///
/// ```swift
/// let store = MemoryCookieStore(publicSuffixes: PublicSuffixList())
/// ```
/// There are two lists: one that the system keeps up to date, and one that libpsl was built with. The newer one is
/// used. Names are expected as they are written in URLs, with `xn--…` for those that are not ASCII. A name that the
/// list doesn't contain is a public suffix if it has only one label, as in a store without a list.
@safe public final class PublicSuffixList: PublicSuffixes {
    // The compiler can't see that libpsl only reads the list behind this pointer, and that only deinit frees it.
    private nonisolated(unsafe) let list: OpaquePointer?

    /// Loads the list, which takes about a millisecond; all stores can share one.
    public init() {
        // `nil` if there is neither a file nor a built-in list; then the evident ones are suffixes.
        unsafe list = psl_latest(nil)
    }

    deinit {
        // Does nothing for the built-in list.
        unsafe psl_free(list)
    }

    /// Whether names below a domain belong to different owners.
    public func isPublicSuffix(_ domain: String) -> Bool {
        guard let list = unsafe list else { return EvidentSuffixes().isPublicSuffix(domain) }
        return unsafe psl_is_public_suffix(list, domain) != 0
    }

    /// Whether a list was found; if neither the system nor libpsl has one, the evident ones are.
    public var isLoaded: Bool { unsafe list != nil }
}
#endif
