import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a hub tells of a model: its new state, where it came from, and when.
public struct HubUpdate<Model: Sendable>: Sendable {
    /// The model as it is now.
    public let value: Model
    /// Where it came from: `ResponseSource.network`, `.local` and so on.
    public let source: ResponseSource
    /// When the hub was told; of two who tell it at the same moment, the later one may have the earlier date.
    public let date: Date

    /// Makes an update, for tests and previews.
    public init(value: Model, source: ResponseSource = .local, date: Date) {
        self.value = value
        self.source = source
        self.date = date
    }
}

extension HubUpdate: Equatable where Model: Equatable {}
extension HubUpdate: Hashable where Model: Hashable {}

extension HubUpdate: CustomStringConvertible, CustomReflectable {
    /// The model's type and the source; the model may hold secrets.
    public var description: String { "a \(Model.self) from \(source)" }

    /// The source and the date, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["update": description, "date": date]) }
}
