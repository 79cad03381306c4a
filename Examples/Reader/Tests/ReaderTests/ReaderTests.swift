import Hikyaku
import HikyakuTesting
import Testing

@testable import Reader

@Suite
struct ReaderTests {
    let transport = MockTransport()
    let client: APIClient<Public>

    init() {
        client = APIClient(transport: transport)
    }

    @Test
    func searchesItemsOfATag() async throws {
        transport.enqueue(.json(#"[{"id": "a1", "title": "Swift on Linux", "likes_count": 3}]"#))
        let items = try await client.send(Qiita.Items(tag: "swift"))
        #expect(items.map(\.title) == ["Swift on Linux"])
        let url = transport.requests.first?.url.absoluteString
        #expect(url == "https://qiita.com/api/v2/items?page=1&per_page=20&query=tag%3Aswift")
    }

    @Test
    func showsTheServicesOwnWords() async {
        transport.enqueue(.json(#"{"message": "Not found", "type": "not_found"}"#, status: .notFound))
        let error = await #expect(throws: APIError<QiitaError>.self) { try await client.send(Qiita.Items()) }
        #expect(error?.service(as: QiitaError.self)?.type == "not_found")
        #expect(error?.localizedDescription == "Not found")
    }

    @Test
    func sendsTheTokenWithRequestsThatNeedIt() async throws {
        transport.enqueue(HTTPResponse(status: .noContent))
        try await client.authorized(by: .bearer("t0ken"), for: .qiita).send(Qiita.Stock(id: "a1"))
        #expect(transport.requests.first?.headers["Authorization"] == "Bearer t0ken")
    }
}
