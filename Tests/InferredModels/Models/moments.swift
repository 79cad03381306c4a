import Foundation
import Hikyaku

/// Inferred from 2 objects; what is missing or null in one of them is Optional.
struct Moment: APIModel, Codable, Hashable, Identifiable {
    var id: Int64
    var moment: Date
    var precise: Date
    var day: CalendarDate
    var local: String
    var unix: Int
    var maybe: String
    var ref: UUID
    var link: URL
    var template: String
    var big: UInt64
    var huge: Decimal
    var ratio: Double
    var count: Int
    var mixed: Double
    var exponent: Double
}
