#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// What is sent. The package reads these and never the requirements of the same names, which don't see a property of
// another type where an extension of the service's protocol has one of the right type.
extension APIRequest {
    var writtenMethod: HTTPMethod { spelledMethod.requestMethod }
    var writtenQuery: RequestQuery { spelledQuery.requestQuery }
    var writtenParameters: RequestQuery { spelledParameters.requestQuery }
    var writtenHeaders: HTTPHeaders { spelledHeaders.requestHeaders }
    var writtenBody: RequestBody? { spelledBody.requestBody }
    var writtenTimeout: Duration? { spelledTimeout.requestTimeout }
    var writtenRedirectPolicy: RedirectPolicy? { spelledRedirectPolicy.requestRedirectPolicy }

    /// The decoder; one that decodes nothing where something else was written, since no constraint on the type could
    /// allow `any ResponseDecoder`.
    var writtenDecoder: any ResponseDecoder {
        if WrittenDecoder.self == (any ResponseDecoder).self { return decoder }
        let decoder = spelledDecoder
        return decoder as? any ResponseDecoder ?? UnfitDecoder(type: String(describing: WrittenDecoder.self))
    }

    /// The encoder; one that encodes nothing where something else was written, as with the decoder.
    var writtenEncoder: any RequestEncoder {
        if WrittenEncoder.self == (any RequestEncoder).self { return encoder }
        let encoder = spelledEncoder
        return encoder as? any RequestEncoder ?? UnfitEncoder(type: String(describing: WrittenEncoder.self))
    }
}

// In an extension of APIRequest the same names mean APIRequest's own requirements.
extension RequestSpelling {
    fileprivate var spelledMethod: WrittenMethod { method }
    fileprivate var spelledQuery: WrittenQuery { query }
    fileprivate var spelledParameters: WrittenParameters { parameters }
    fileprivate var spelledHeaders: WrittenHeaders { headers }
    fileprivate var spelledBody: WrittenBody { body }
    fileprivate var spelledDecoder: WrittenDecoder { decoder }
    fileprivate var spelledEncoder: WrittenEncoder { encoder }
    fileprivate var spelledTimeout: WrittenTimeout { timeout }
    fileprivate var spelledRedirectPolicy: WrittenRedirectPolicy { redirectPolicy }
}

/// Stands for a `decoder` that is none, through any proxy, until the request is built and refused.
struct UnfitDecoder: ResponseDecoder {
    /// The name of the type that was written.
    let type: String

    var refusal: TransportError {
        TransportError(.decoder, "the request's decoder is a \(type), which is no ResponseDecoder")
    }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        throw refusal
    }
}

/// Stands for an `encoder` that is none, likewise.
struct UnfitEncoder: RequestEncoder {
    /// The name of the type that was written.
    let type: String

    var refusal: TransportError {
        TransportError(.encoder, "the request's encoder is a \(type), which is no RequestEncoder")
    }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        throw refusal
    }
}
