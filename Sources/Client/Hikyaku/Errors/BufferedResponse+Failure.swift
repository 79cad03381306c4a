#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BufferedResponse {
    /// The status and the fields.
    var head: HTTPResponse { HTTPResponse(status: status, headers: headers) }

    /// What ends a stream whose part is this response's body and can't be read: the service's failure, if it is one.
    func settled<Failure: ServiceFailure>(_ error: any Error, as type: Failure.Type) -> any Error {
        guard !(error is any ServiceFailure), !(error is TransportError) else { return error }
        if let failure = Failure(response: with(silent)) { return failure }
        guard let error = error as? DecodingError else { return error }
        return DecodingDiagnosis(
            error,
            body: body,
            isJSON: decoder.readsJSON,
            convertingKeys: decoder.convertingKeys,
            revealingValues: reading.diagnosisDetail.contains(.values),
        )
    }

    private var silent: ResponseContext {
        var context = reading
        context.decoder = silentDecoder
        return context
    }
}
