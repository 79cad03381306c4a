#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body's bytes as they came.
public enum RawResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }

    /// Collects the body.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> Data {
        try await response.body.collect(upTo: context.bodyBytesMax)
    }
}
