/// Nothing: `Response` is `Void`.
///
/// Whatever the body holds is passed over.
public enum EmptyResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }

    /// Reads nothing.
    public static func read(_ response: BufferedResponse) {}
}
