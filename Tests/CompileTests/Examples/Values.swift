// The values and functions that examples in doc comments use without saying where they come from.
import Foundation
import Hikyaku
import HikyakuBroadcast
import HikyakuMockServer
import HikyakuOAuth

// Clients and servers

let client = APIClient()
let hub = ModelHub()
let server: MockServer = neverMade()
let transport: any HTTPTransport = neverMade()
let authorizationServer = OAuthServer(
    authorizationEndpoint: "https://auth.example/authorize",
    tokenEndpoint: "https://auth.example/token",
)
let oauth = OAuthClient(server: authorizationServer, application: OAuthApplication(id: "reader"), client: client)
let authorization: OAuthAuthorization = neverMade()
let receivedURL: URL = neverMade()
func redirectBrowser(to url: URL) {}

/// A value of programs that are compiled and never run.
func neverMade<Value>() -> Value { fatalError("examples are not run") }

// What a service has sent

let bytes = Data()
let response = HTTPResponse(status: .ok)

// What a request is sent to

let menuURL: URL = neverMade()
let signInURL: URL = neverMade()
let ordersURL: URL = neverMade()

// Credentials, and where an app keeps them

let shopKey = "k1"
let userToken = "t1"
let signingKey = Data()
let password = "p1"
let vault = Vault()
let accounts = [Account(name: "work", token: "t1"), Account(name: "home", token: "t2")]
let tokenStore: any TokenStore = MemoryTokenStore()
let keychain = Keychain()

struct Keychain: Sendable {
    func load() async throws -> String? { nil }
}

struct Vault: Sendable {
    func get(_ name: String) async throws -> String? { nil }
    func put(_ value: String, under name: String) async throws {}
    func remove(_ name: String) async throws {}
}

struct Account: Sendable {
    var name: String
    var token: String
}

struct KeychainToken: TokenProvider {
    func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        AccessToken(try await keychain.load())
    }
}

enum Auth {
    struct Grant: Decodable, Sendable {
        var token: String
        var refreshToken: String
        var secondsToExpiry: Double
        var issuedToken: IssuedToken { IssuedToken(token: Secret(token)) }
    }

    struct SignIn: Shop.Request {
        typealias Response = Grant
        var user: String
        var password: String
        var path: RequestPath { "/session" }
    }

    struct Refresh: Shop.Request {
        typealias Response = Grant
        var token: Secret<String>?
        var path: RequestPath { "/token" }
    }

    struct NewToken: Shop.Request {
        typealias Response = Grant
        var scope: String
        var path: RequestPath { "/token" }
    }
}

// An app's own code

func show(_ values: Any?...) {}
func store(_ values: Any?...) {}
func log(_ values: Any?...) {}
func send(_ value: String) {}
func count(_ counter: String, of kind: String) {}
func hideSpinner() {}
func save(_ items: [Item]) async throws {}
func savedUpload() async throws -> SavedUpload? { nil }

func signature(of text: String, by key: Secret<String>) -> String { "" }

enum AppError: Error {
    case offline
    case failed(String)

    init(_ failure: any APIFailure) {
        self = failure.phase == .transport ? .offline : .failed(failure.localizedDescription)
    }
}

struct AlertModel {
    let isRetryOffered: Bool
    init(_ failure: any APIFailure) { isRetryOffered = failure.isRetryable }
}

struct DeviceHeader: HTTPMiddleware {
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        try await next(request)
    }
}

enum Device {
    static let name = "kiosk 7"
}

struct Metrics: EventObserver {
    func observe(_ event: TransportEvent) {}
}

/// Stands for an object that writes to a file or a socket.
let file = OpenFile()
struct OpenFile: Sendable {
    func write(contentsOf piece: Data) throws {}
}

let recording = Recording()
struct Recording: Sendable {
    let size = 0
    func pieces() -> AsyncStream<Data> { AsyncStream { $0.finish() } }
}

/// Something that an app waits for.
final class Waiter: Sendable {
    func wait() async throws {}
    func cancel() {}
}

/// Stands for `ASWebAuthenticationSession`.
let browser = Browser()
struct Browser: Sendable {
    func open(_ url: URL, until scheme: String) async throws -> URL { url }
}

/// A service of language models, whose answer is a stream or a whole.
struct Chat: Shop.Request {
    struct Delta: Decodable, Sendable { var text: String }
    typealias Response = Delta
    var question: String
    var stream = false
    var method: HTTPMethod { .post }
    var path: RequestPath { "/chat" }
    var body: RequestBody? { .json(["question": question]) }
}

// Implementations of seams, of which tests make sure that they conform

struct VaultTokenStore: TokenStore {
    let key: String
    func save(_ token: IssuedToken) async throws {}
    func load() async throws -> IssuedToken? { nil }
    func remove() async throws {}
}

struct MyTransport: HTTPTransport {
    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        HTTPResponse(status: .ok)
    }
}
