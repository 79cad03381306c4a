#if canImport(SwiftUI)
import Hikyaku
import HikyakuBroadcast
import SwiftUI

struct ItemList: View {
    @State private var items: Observed<Qiita.Items>

    init(client: APIClient<Public>, tag: String) {
        _items = State(initialValue: Observed(client.bind(Qiita.Items(tag: tag))))
    }

    var body: some View {
        List(items.value ?? []) { item in
            VStack(alignment: .leading) {
                Text(item.title)
                Text("\(item.likesCount) likes").font(.caption)
            }
        }
        .overlay {
            if let error = items.error {
                ContentUnavailableView {
                    Text(error.localizedDescription)
                } description: {
                    Text(error.recoverySuggestion ?? "")
                } actions: {
                    Button("Try again") { Task { await items.refresh() } }
                }
            } else if !items.isLoaded {
                ProgressView()
            }
        }
        .task { await items.load() }
        .refreshable { await items.refresh() }
    }
}
#endif
