extension HTTPHeaders {
    /// A block of one field that is a secret: `var headers: HTTPHeaders { .secret("X-Api-Key", key) }`.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The credential; see ``Field/isSecret`` for what marking it means.
    /// - Returns: The block, to which more can be added: `.secret("X-Api-Key", key).secret("X-App-Secret", secret)`.
    public static func secret(_ name: HTTPHeaderName, _ value: String) -> HTTPHeaders {
        HTTPHeaders().secret(name, value)
    }

    /// The same block with a secret in the place of all fields of that name.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The credential.
    /// - Returns: The block.
    public func secret(_ name: HTTPHeaderName, _ value: String) -> HTTPHeaders {
        var headers = self
        headers.setSecret(name, value)
        return headers
    }

    /// Puts a field that is a secret in the place of all of that name; a field of a literal or a subscript is none.
    public mutating func setSecret(_ name: HTTPHeaderName, _ value: String) {
        removeAll { $0.name == name }
        append(name, value, isSecret: true)
    }
}

extension HTTPHeaders.Field {
    /// Whether the field is for one origin alone: marked as a secret, or a credential by its name.
    package var isCredential: Bool {
        isSecret || name == .authorization || name == .cookie || name == "Proxy-Authorization"
    }
}
