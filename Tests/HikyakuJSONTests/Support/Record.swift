import Foundation

@testable import HikyakuJSON

/// A type with members of many types, whose names differ in snake case.
struct Record: Codable, Equatable {
    enum Kind: String, Codable, CaseIterable { case small, veryLarge }

    enum Event: Codable, Equatable {
        case none
        case moved(fromPlace: Int, to: String?)
    }

    struct Part: Codable, Equatable {
        var partName: String
        var subParts: [Part]?
    }

    var id: Int
    var tinyNumber: Int8
    var largeNumber: UInt64
    var someRatio: Double
    var shortRatio: Float
    var isReady: Bool
    var fullTitle: String
    var maybeText: String?
    var maybeNumber: Int?
    var tagList: [String]
    var numberGrid: [[Int?]]
    var scoreByName: [String: Double]
    var nameByNumber: [Int: String]
    var recordKind: Kind
    var lastEvent: Event
    var partTree: Part?
    var createdAt: Date
    var eventDates: [Date?]
    var rawBytes: Data
    var homePage: URL
    var ownIdentity: UUID
    var exactPrice: Decimal
    var numberSet: Set<UInt16>
}

/// The same, that reads itself; its keys are those of the document whatever the decoder's strategy.
struct DirectRecord: JSONReadable, Equatable {
    var record: Record

    init(from reader: inout JSONReader) throws {
        try reader.beginObject()
        record = Record(
            id: try reader.member("id"),
            tinyNumber: try reader.member("tinyNumber"),
            largeNumber: try reader.member("largeNumber"),
            someRatio: try reader.member("someRatio"),
            shortRatio: try reader.member("shortRatio"),
            isReady: try reader.member("isReady"),
            fullTitle: try reader.member("fullTitle"),
            maybeText: try reader.member("maybeText"),
            maybeNumber: try reader.member("maybeNumber"),
            tagList: try reader.member("tagList"),
            numberGrid: try reader.member("numberGrid"),
            scoreByName: try reader.member("scoreByName"),
            nameByNumber: try reader.member("nameByNumber"),
            recordKind: try reader.member("recordKind"),
            lastEvent: try reader.member("lastEvent"),
            partTree: try reader.member("partTree"),
            createdAt: try reader.member("createdAt"),
            eventDates: try reader.member("eventDates"),
            rawBytes: try reader.member("rawBytes"),
            homePage: try reader.member("homePage"),
            ownIdentity: try reader.member("ownIdentity"),
            exactPrice: try reader.member("exactPrice"),
            numberSet: try reader.member("numberSet"),
        )
        try reader.endObject()
    }
}
