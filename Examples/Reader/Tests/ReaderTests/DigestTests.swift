import Hikyaku
import Testing

@testable import Reader

@Suite
struct DigestTests {
    @Test
    func aTagThatFailsDoesNotStopTheOthers() async {
        let client = APIClient().stubbing(Qiita.Items.self) { request in
            guard request.tag != "linux" else { throw QiitaError(message: "Try again later", type: "rate_limit") }
            return [Item(id: "1", title: "New in \(request.tag ?? "")", likesCount: 0)]
        }
        let lines = await Digest(client: client, tags: ["swift", "linux"]).lines()
        #expect(lines == ["swift: New in swift", "linux: Try again later"])
    }
}
