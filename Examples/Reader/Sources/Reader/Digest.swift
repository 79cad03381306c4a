import Hikyaku

/// The newest item of each tag.
struct Digest: Sendable {
    var client: APIClient<Public>
    var tags: [String]

    /// One line for each tag, in their order; the calls run at the same time.
    func lines() async -> [String] {
        await withTaskGroup(of: (index: Int, text: String).self) { group in
            for (index, tag) in tags.enumerated() {
                group.addTask { (index, await line(for: tag)) }
            }
            var lines = tags
            for await line in group { lines[line.index] = line.text }
            return lines
        }
    }

    private func line(for tag: String) async -> String {
        do {
            let items = try await client.send(Qiita.Items(tag: tag))
            return "\(tag): \(items.first?.title ?? "nothing new")"
        } catch {
            return "\(tag): \(error.localizedDescription)"
        }
    }
}
