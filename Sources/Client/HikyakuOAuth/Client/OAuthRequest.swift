import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A form for an endpoint of an authorization server, with the application's authentication.
///
/// Redirects are not followed: that would send the form, and the secrets in it, elsewhere.
protocol OAuthRequest: APIRequest, RedirectAdvising where Failure == OAuthError {
    var endpoint: OAuthEndpoint { get }
    var application: OAuthApplication { get }
    var form: RequestQuery { get }
}

extension OAuthRequest {
    var environment: APIEnvironment { endpoint.environment }
    var method: HTTPMethod { .post }
    var path: RequestPath { endpoint.path }
    var headers: HTTPHeaders { application.headers }
    var body: RequestBody? { .form(application.parameters + form) }
    var decoder: any ResponseDecoder { HikyakuJSONDecoder() }
    var redirectPolicy: RedirectPolicy? { .never }
    var requiresAuthorization: Bool { false }
    /// Repeating a request does no harm.
    ///
    /// A lost response can't be received in any other way: without another attempt, the code or the refresh token in
    /// the form is lost as well.
    var isIdempotent: Bool { true }

    func prepare(_ request: inout HTTPRequest) throws {
        try request.addQuery(of: endpoint)
    }

    var redirectAdvice: String {
        "The endpoint has moved, and its form is sent nowhere else: give the OAuthServer the address in the Location field."
    }

    /// Called for every response: some servers respond with 200 and an error inside.
    func failure(in response: BufferedResponse) -> OAuthError? { OAuthError(response: response) }
}

extension HTTPRequest {
    /// Adds the query items of the endpoint's own URL.
    fileprivate mutating func addQuery(of endpoint: OAuthEndpoint) throws(OAuthProblem) {
        guard let query = endpoint.query, !query.isEmpty else { return }
        guard let url = URL(string: "\(url.absoluteString)?\(query)", encodingInvalidCharacters: false) else {
            throw OAuthProblem(.malformedEndpoint, "the endpoint's query can't be sent")
        }
        self.url = url
    }
}

/// Requests a token, by any grant.
struct TokenRequest: OAuthRequest {
    typealias Response = TokenResponse

    let endpoint: OAuthEndpoint
    let application: OAuthApplication
    let form: RequestQuery
    /// Whether it is sent at an interval, at which the server must not be undercut (RFC 8628, section 3.5).
    var polls = false
    var isIdempotent: Bool { !polls }

    func response(from response: BufferedResponse) async throws -> TokenResponse {
        try response.decode(
            advising:
                "A token endpoint answers with a JSON object that has an access_token (RFC 6749, section 5.1). If "
                + "this service gives its tokens in another form, get them by a request of your own, and pass them to "
                + "a RefreshingToken."
        )
    }
}

/// Requests a device code (RFC 8628, section 3.1).
struct DeviceAuthorizationRequest: OAuthRequest {
    typealias Response = DeviceAuthorizationResponse

    let endpoint: OAuthEndpoint
    let application: OAuthApplication
    let form: RequestQuery

    func response(from response: BufferedResponse) async throws -> DeviceAuthorizationResponse {
        try response.decode(
            advising: "A device authorization endpoint answers with a JSON object that has a device_code, a user_code, "
                + "a verification_uri and the expires_in (RFC 8628, section 3.2): check the server's metadata."
        )
    }
}

/// Revokes a token (RFC 7009, section 2.1).
struct RevocationRequest: OAuthRequest {
    typealias Definition = EmptyResponse

    let endpoint: OAuthEndpoint
    let application: OAuthApplication
    let form: RequestQuery
}
