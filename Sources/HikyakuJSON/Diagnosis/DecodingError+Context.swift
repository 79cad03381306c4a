extension DecodingError {
    /// What every error has, whichever it is.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The same error with another context.
    func mapContext(_ changed: (Context) -> Context) -> DecodingError {
        switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, changed(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, changed(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, changed(context))
        case .dataCorrupted(let context): .dataCorrupted(changed(context))
        @unknown default: self
        }
    }

    /// The same error with another cause.
    func with(underlyingError: (any Error)?) -> DecodingError {
        mapContext { context in
            Context(
                codingPath: context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: underlyingError,
            )
        }
    }
}
