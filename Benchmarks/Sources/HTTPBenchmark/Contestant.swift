enum Contestant: CaseIterable, Sendable {
    /// `APIClient.send`, with models that conform to `Codable`.
    case client
    /// `APIClient.send`, with models that read themselves.
    case directClient
    case transport
    case libcurl
    /// A program that sends requests and counts bytes: what the machine and the server allow.
    case wrk
    /// In the rows of typed bodies, with JSONDecoder.
    case urlSession

    var program: String {
        switch self {
        case .client, .directClient: "ClientPeer"
        case .transport: "HikyakuPeer"
        case .libcurl: "LibcurlPeer"
        case .wrk: "wrk"
        case .urlSession: "URLSessionPeer"
        }
    }

    var title: String {
        switch self {
        case .client: "APIClient"
        case .directClient: "APIClient, direct"
        case .transport: "WireTransport"
        case .libcurl: "C libcurl"
        case .wrk: "wrk"
        case .urlSession: "URLSession"
        }
    }

    /// Whether it decodes the bodies of rows with typed ones.
    var decodes: Bool { [.client, .directClient, .urlSession].contains(self) }
}
