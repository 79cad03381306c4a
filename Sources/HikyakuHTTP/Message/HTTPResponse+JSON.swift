extension HTTPResponse {
    /// Makes a response with a JSON document, for stubs, scripts and tests.
    ///
    /// - Parameters:
    ///   - document: The body.
    ///   - status: What became of the request.
    ///   - headers: Fields beside `Content-Type: application/json`, and above it.
    /// - Returns: The response.
    public static func json(_ document: String, status: HTTPStatus = .ok, headers: HTTPHeaders = [:]) -> HTTPResponse {
        var all: HTTPHeaders = [.contentType: "application/json"]
        all.replace(with: headers)
        return HTTPResponse(status: status, headers: all, body: HTTPBody(document))
    }
}
