/// Records where an encoding fails, while a value is encoded again only for its diagnosis.
///
/// An error passes all enclosing values on its way out, and each of them rolls the document back. The first one is
/// where it was thrown: at the others, the document is as long as the one before has left it.
final class FailureRecorder {
    /// The path of the value that has thrown last.
    private(set) var path: [any CodingKey] = []
    private var count: Int?

    /// Records the path of a value that throws, unless the error comes from inside it.
    ///
    /// - Parameters:
    ///   - count: The length of the document before it is rolled back.
    ///   - makePath: Makes the value's path.
    func record(at count: Int, _ makePath: () -> [any CodingKey]) {
        if self.count != count { path = makePath() }
    }

    /// Lets the next value that throws be the first one.
    func forget() {
        count = nil
    }

    /// Remembers the length of the document after it was rolled back.
    func settle(at count: Int) {
        self.count = count
    }
}

extension HikyakuJSONEncoder {
    /// Describes where and why a value can't be encoded.
    ///
    /// If the error has no location, because a type's own `encode(to:)` threw it, the value is encoded a second time to
    /// find it. It takes no longer than the first time, and nothing is kept of it.
    ///
    /// - Parameters:
    ///   - error: What ``encode(_:)``, or another encoder, threw for the value.
    ///   - value: The value.
    /// - Returns: The diagnosis, without any part of the value.
    public func diagnosis<Value: Encodable>(of error: any Error, encoding value: Value) -> EncodingDiagnosis {
        diagnosis(of: error) { settings in
            let session = EncodingSession(settings: settings)
            try session.encodeDocument(value)
        }
    }

    /// Describes where and why a value can't be written.
    ///
    /// As for ``diagnosis(of:encoding:)``, the value is written a second time if the error has no location.
    ///
    /// - Parameters:
    ///   - error: What ``write(_:)`` threw for the value.
    ///   - value: The value.
    /// - Returns: The diagnosis, without any part of the value.
    public func diagnosis<Value: JSONWritable>(of error: any Error, writing value: Value) -> EncodingDiagnosis {
        diagnosis(of: error) { settings in
            var writer = JSONWriter(settings: settings)
            try value.write(to: &writer)
        }
    }

    private func diagnosis(of error: any Error, _ encode: (EncodingSettings) throws -> Void) -> EncodingDiagnosis {
        if case .invalidValue(_, let context)? = error as? EncodingError {
            let isPlaced = !context.codingPath.isEmpty || context.underlyingError is EncodingCause
            if isPlaced { return EncodingDiagnosis(error) }
        }
        let recorder = FailureRecorder()
        do { try inAnyOrder(recorder: recorder, encode) } catch let again {
            // What fails in another way the second time fails elsewhere.
            let isSame = type(of: again.unwrapped) == type(of: error.unwrapped)
            if isSame { return EncodingDiagnosis(error, path: recorder.path) }
        }
        return EncodingDiagnosis(error)
    }
}

extension EncodingSession {
    // MARK: The texts of errors

    static var twoKinds: String {
        "Encoded one value to containers of different kinds. Use one container for each value."
    }

    static var wroteLate: String {
        "Encoded to a container or an encoder after its value was complete. Encode before its encode(to:) returns."
    }

    static var wroteAside: String {
        "Encoded to a container while a JSONWritable value inside it was being written. Encode before or after that value."
    }
}
