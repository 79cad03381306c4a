#if canImport(SwiftUI)
import Hikyaku
import SwiftUI

struct ReaderApp: App {
    private let client = APIClient()

    var body: some Scene {
        WindowGroup { ItemList(client: client, tag: "swift") }
    }
}
#endif
