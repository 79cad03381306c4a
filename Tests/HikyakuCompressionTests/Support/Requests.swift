#if os(Linux)
import Foundation
import Hikyaku
import HikyakuBase

/// Requests bytes, whatever the status.
struct Fetch: APIRequest {
    typealias Definition = RawResponse
    var environment: APIEnvironment = "https://a.example"
    var method: HTTPMethod = .get
    var path: RequestPath = "/"
    var headers: HTTPHeaders = [:]

    func accepts(_ status: HTTPStatus) -> Bool { status.isSuccess || status == .notModified }
}

/// Requests a stream.
struct Download: APIRequest {
    typealias Definition = StreamedResponse
    var environment: APIEnvironment = "https://a.example"
    var path: RequestPath = "/"
}

/// A transport that undoes codings, as URLSession does.
struct DecodingTransport: HTTPTransport {
    let response: HTTPResponse
    /// The `Accept-Encoding` of each request.
    let acceptedCodings = Lock<[String?]>([])

    var decodesContent: Bool { true }

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        acceptedCodings.withLock { $0.append(request.headers[.acceptEncoding]) }
        return response
    }
}
#endif
