/// Collects the failures of an array's elements.
@usableFromInline
struct FailureCollector {
    private var first: DecodingError?
    private var others: [DecodingError] = []
    private var othersCount = 0

    @usableFromInline
    init() {}

    @usableFromInline var isEmpty: Bool { first == nil }

    /// Adds the error of an element, with all failures that it represents.
    ///
    /// - Throws: A custom error or a syntax error, which ends decoding.
    @usableFromInline
    mutating func add(_ error: any Error, ofElementAt offset: Int) throws {
        guard let found = (error as? DecodingError)?.separated else { throw error }
        add(found.error.ofElement(at: offset))
        guard let failures = found.failures else { return }
        failures.others.prefix(DecodingDiagnosis.furtherMax - others.count).forEach { others.append($0) }
        othersCount += failures.othersCount
    }

    private mutating func add(_ error: DecodingError) {
        guard first != nil else { return first = error }
        if others.count < DecodingDiagnosis.furtherMax { others.append(error) }
        othersCount += 1
    }

    /// Ends an array.
    ///
    /// - Throws: All failures in one error, if there are any.
    @usableFromInline
    func finish() throws {
        guard let first else { return }
        guard othersCount > 0 else { throw first }
        let cause = first.context?.underlyingError
        throw first.with(underlyingError: CollectedFailures(cause: cause, others: others, othersCount: othersCount))
    }
}

extension DecodingError {
    /// The error with the element's offset, if a type has thrown it without a position.
    fileprivate func ofElement(at offset: Int) -> DecodingError {
        guard let context, context.codingPath.isEmpty, context.underlyingError == nil else { return self }
        return with(underlyingError: JSONPlace(byteOffset: offset))
    }
}

extension JSONReader {
    /// Reads an array to its end, even if elements fail.
    @usableFromInline
    @inline(never)
    mutating func readArrayCollecting(_ element: (inout JSONReader) throws -> Void) throws {
        let (beginning, depthAround) = (place, depthLeft)
        var failures = FailureCollector()
        do {
            guard try beginArray() else { return }
            repeat {
                let (start, depth) = (place, depthLeft)
                do {
                    try element(&self)
                    if place == start || depthLeft != depth { try skip(from: start, depth) }
                } catch {
                    try failures.add(error, ofElementAt: start - context.bytes)
                    try skip(from: start, depth)
                }
            } while try nextElement()
            try failures.finish()
        } catch {
            goBack(to: beginning, depthAround)
            throw error
        }
    }
}
