import Foundation
import HikyakuJSON

/// What comes of a document on each way through the decoder to a value of any kind.
struct DecodingPaths {
    let containers: Result<JSONAny, any Error>
    let reader: Result<JSONAny, any Error>
    let value: Result<JSONValue, any Error>

    init(_ document: Data, decoder: HikyakuJSONDecoder = HikyakuJSONDecoder()) {
        containers = Result { try decoder.decode(JSONAny.self, from: document) }
        reader = Result { try decoder.read(DirectAny.self, from: document).value }
        value = Result { try decoder.read(JSONValue.self, from: document) }
    }

    /// The value on all paths; `nil` if they reject the document, or don't agree.
    var agreed: JSONAny? {
        guard
            case (.success(let containers), .success(let reader), .success(let value)) = (containers, reader, value),
            containers == reader, containers == JSONAny(value)
        else { return nil }
        return containers
    }

    /// The diagnoses on all paths; `nil` where one has a value, or throws what is none.
    var diagnoses: [DecodingDiagnosis]? {
        let errors = [failure(containers), failure(reader), failure(value)].compactMap { $0 as? DecodingDiagnosis }
        return errors.count == 3 ? errors : nil
    }

    /// Whether only a value with numbers of any size has room for the document; the reader's last try is an object.
    var isBeyondRange: Bool {
        guard case .success(let value) = value, JSONAny(value) == nil else { return false }
        let diagnosis = failure(containers) as? DecodingDiagnosis
        return diagnosis?.kind == .outOfRange && failure(reader) is DecodingDiagnosis
    }

    private func failure<Value>(_ result: Result<Value, any Error>) -> (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }
}

extension JSONAny {
    /// The same value; `nil` where a number is beyond all types.
    init?(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .string(let string): self = .string(string)
        case .number(let number):
            if let integer = number.converted(to: Int64.self) {
                self = .integer(integer)
            } else if let natural = number.converted(to: UInt64.self) {
                self = .natural(natural)
            } else if let double = number.double {
                self = .double(double)
            } else {
                return nil
            }
        case .array(let elements):
            let array = elements.compactMap(JSONAny.init)
            guard array.count == elements.count else { return nil }
            self = .array(array)
        case .object(let members):
            let object = members.compactMapValues(JSONAny.init)
            guard object.count == members.count else { return nil }
            self = .object(object)
        }
    }
}
