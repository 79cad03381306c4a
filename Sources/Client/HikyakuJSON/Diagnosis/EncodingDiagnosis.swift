#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Describes where and why a value can't be encoded: `at /list/0/d: not a finite number`.
///
/// It contains no value, because it may be a secret and a diagnosis is often logged: only its place and its type. A
/// client's error has it in its text. For an encoder of your own use, create it from the error:
/// ```swift
/// let encoder = HikyakuJSONEncoder()
/// let order = ["price": Double.nan]
/// do {
///     print(try encoder.encode(order))
/// } catch {
///     print(encoder.diagnosis(of: error, encoding: order))  // at /price: not a finite number
/// }
/// ```
public struct EncodingDiagnosis: Error, Sendable, Hashable {
    /// The location as a JSON Pointer, such as `/items/3/price`; empty for the value as a whole.
    ///
    /// See [RFC 6901](https://www.rfc-editor.org/rfc/rfc6901).
    ///
    /// Its keys are those of the types, as they are before an encoder's key strategy converts them. Keys that may be
    /// data are masked as in a ``DecodingDiagnosis``. If the pointer would be longer than 16 KiB, it is that of the
    /// nearest enclosing value with a shorter pointer.
    public var pointer: String
    /// Whether a key in ``pointer`` is masked.
    private var isPointerMasked = false
    /// What is wrong there: `not a finite number`, `a value of Price that can't be encoded`.
    public var problem: String

    /// Creates a diagnosis, for encoders of other formats.
    package init(pointer: String = "", problem: String) {
        self.pointer = pointer
        self.problem = problem
    }

    /// Diagnoses the error of any encoder.
    ///
    /// The location is the error's coding path. An error that is not an `EncodingError` has none, but a
    /// ``HikyakuJSONEncoder`` finds it: see ``HikyakuJSONEncoder/diagnosis(of:encoding:)``.
    ///
    /// - Parameter error: The error that the encoder, or the encoded type, threw.
    public init(_ error: any Error) {
        self.init(error, path: [])
    }

    /// Diagnoses an error at a location that was found by encoding the value again.
    init(_ error: any Error, path: [any CodingKey]) {
        let error = error.unwrapped
        if let diagnosis = error as? EncodingDiagnosis {
            self = diagnosis
        } else if case .invalidValue(let value, let context)? = error as? EncodingError {
            let own = context.codingPath
            self.init(to: own.isEmpty ? path : own, Self.problem(value, context))
        } else {
            let name = VisibleText.of(TypeName.of(type(of: error)), max: 100)
            self.init(to: path, "encoding it threw \(name)")
        }
    }

    private init(to path: [any CodingKey], _ problem: String) {
        var pointer = ShownPointer(revealingValues: false)
        pointer.append(path)
        self.init(pointer: pointer.text, problem: problem)
        isPointerMasked = pointer.isMasked
    }

    private static func problem(_ value: Any, _ context: EncodingError.Context) -> String {
        if let cause = context.underlyingError as? EncodingCause { return VisibleText.of(cause.words, max: 200) }
        if let number = value as? any FloatingPoint, !number.isFinite { return EncodingCause.notFinite.words }
        let name = VisibleText.of(TypeName.of(type(of: value)), max: 100)
        if context.debugDescription.contains("did not encode any values") { return "\(name) encoded no value" }
        // A text that others have written may quote the value.
        return value is Void ? "it can't be encoded" : "a value of \(name) that can't be encoded"
    }
}

extension Error {
    /// The error of a type, which Foundation's encoder for property lists wraps in one without a path.
    var unwrapped: any Error {
        guard case .invalidValue(_, let context)? = self as? EncodingError, context.codingPath.isEmpty,
            let cause = context.underlyingError, !(cause is EncodingCause), !(cause is EncodingError)
        else { return self }
        return cause
    }
}

extension EncodingDiagnosis: CustomStringConvertible, LocalizedError {
    /// One line with the location and what is wrong.
    public var description: String {
        "\(ShownPointer.words(pointer, isMasked: isPointerMasked, whole: "value")): \(problem)"
    }

    /// The failure and its reason.
    public var errorDescription: String? { "The value can't be encoded: \(description)" }

    /// The reason: ``description``.
    public var failureReason: String? { description }
}

/// Why this module's encoder rejects a value, in words without the value.
struct EncodingCause: Error {
    let words: String

    static let notFinite = EncodingCause(words: "not a finite number")
    static let distantDate = EncodingCause(words: "a date outside the years 0 to 9999, which ISO 8601 can't express")
    static let tooDeep = EncodingCause(words: "more than \(ThreadStack.depthMax) nested arrays and objects")

    /// An error with a cause.
    ///
    /// - Parameters:
    ///   - text: The text, with what to do.
    ///   - value: The value, which is not shown.
    ///   - path: Where it is.
    ///   - cause: The cause; `nil` for a text that contains no value.
    /// - Returns: The error.
    static func error(_ text: String, value: Any, path: [any CodingKey], _ cause: EncodingCause?) -> EncodingError {
        let cause = cause ?? EncodingCause(words: text)
        let context = EncodingError.Context(codingPath: path, debugDescription: text, underlyingError: cause)
        return .invalidValue(value, context)
    }
}
