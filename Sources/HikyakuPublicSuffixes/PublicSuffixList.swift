#if os(Linux)
import CPSL
public import Hikyaku

/// The public suffix list, by libpsl: it knows that `co.uk` and `github.io` are no one's, as `com` is.
///
/// ```swift
/// let store = MemoryCookieStore(publicSuffixes: PublicSuffixList())
/// ```
/// The list is the newest of the one that the system keeps up to date and the one that libpsl was built with. Names are
/// taken as they stand in URLs, `xn--…` for those beyond ASCII. What the list doesn't know is a suffix if it is one
/// label, as in a store that has no list.
@safe public final class PublicSuffixList: PublicSuffixes {
    // The compiler can't see that libpsl only reads what the pointer leads to, and that it is freed by deinit alone.
    private nonisolated(unsafe) let list: OpaquePointer?

    /// Loads the list, which takes a millisecond or so: one can be shared by all stores.
    public init() {
        // Without a file and without a built-in list there is none, and one label is all that is refused.
        unsafe list = psl_latest(nil)
    }

    deinit {
        // Passes over the list that is built in.
        unsafe psl_free(list)
    }

    /// Whether names below a domain belong to different owners.
    public func isPublicSuffix(_ domain: String) -> Bool {
        guard let list = unsafe list else { return SingleLabelSuffixes().isPublicSuffix(domain) }
        return unsafe psl_is_public_suffix(list, domain) != 0
    }

    /// Whether there is a list; where the system and libpsl have none, only domains of one label are suffixes.
    public var isLoaded: Bool { unsafe list != nil }
}
#endif
