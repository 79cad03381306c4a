#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body's bytes as they came.
public enum RawResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }

    /// Gives the body.
    public static func read(_ response: BufferedResponse) -> Data { response.body }
}
