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

    private enum Key: String, CaseIterable {
        case id, tinyNumber, largeNumber, someRatio, shortRatio, isReady, fullTitle, maybeText, maybeNumber, tagList
        case numberGrid, scoreByName, nameByNumber, recordKind, lastEvent, partTree, createdAt, eventDates, rawBytes,
            homePage
        case ownIdentity, exactPrice, numberSet
    }

    private static let keys = JSONKeys<Key>()

    init(from reader: inout JSONReader) throws {
        var parts = Parts()
        try reader.readObject(Self.keys) { key, reader in
            switch key {
            case .id: parts.id = try reader.read()
            case .tinyNumber: parts.tinyNumber = try reader.read()
            case .largeNumber: parts.largeNumber = try reader.read()
            case .someRatio: parts.someRatio = try reader.read()
            case .shortRatio: parts.shortRatio = try reader.read()
            case .isReady: parts.isReady = try reader.read()
            case .fullTitle: parts.fullTitle = try reader.read()
            case .maybeText: parts.maybeText = try reader.read()
            case .maybeNumber: parts.maybeNumber = try reader.read()
            case .tagList: parts.tagList = try reader.read()
            case .numberGrid: parts.numberGrid = try reader.read()
            case .scoreByName: parts.scoreByName = try reader.read()
            case .nameByNumber: parts.nameByNumber = try reader.decode([Int: String].self)
            case .recordKind: parts.recordKind = try reader.decode(Record.Kind.self)
            case .lastEvent: parts.lastEvent = try reader.decode(Record.Event.self)
            case .partTree: parts.partTree = try reader.decode(Record.Part?.self)
            case .createdAt: parts.createdAt = try reader.read()
            case .eventDates: parts.eventDates = try reader.read()
            case .rawBytes: parts.rawBytes = try reader.read()
            case .homePage: parts.homePage = try reader.read()
            case .ownIdentity: parts.ownIdentity = try reader.read()
            case .exactPrice: parts.exactPrice = try reader.read()
            case .numberSet: parts.numberSet = try reader.read()
            }
        }
        record = try parts.record(reader)
    }

    private struct Parts {
        var id: Int?, tinyNumber: Int8?, largeNumber: UInt64?, someRatio: Double?, shortRatio: Float?, isReady: Bool?
        var fullTitle: String?, maybeText: String?, maybeNumber: Int?, tagList: [String]?, numberGrid: [[Int?]]?
        var scoreByName: [String: Double]?, nameByNumber: [Int: String]?, recordKind: Record.Kind?,
            lastEvent: Record.Event?
        var partTree: Record.Part?, createdAt: Date?, eventDates: [Date?]?, rawBytes: Data?, homePage: URL?,
            ownIdentity: UUID?
        var exactPrice: Decimal?, numberSet: Set<UInt16>?

        func record(_ reader: borrowing JSONReader) throws -> Record {
            Record(
                id: try reader.require(id, Key.id),
                tinyNumber: try reader.require(tinyNumber, Key.tinyNumber),
                largeNumber: try reader.require(largeNumber, Key.largeNumber),
                someRatio: try reader.require(someRatio, Key.someRatio),
                shortRatio: try reader.require(shortRatio, Key.shortRatio),
                isReady: try reader.require(isReady, Key.isReady),
                fullTitle: try reader.require(fullTitle, Key.fullTitle),
                maybeText: maybeText,
                maybeNumber: maybeNumber,
                tagList: try reader.require(tagList, Key.tagList),
                numberGrid: try reader.require(numberGrid, Key.numberGrid),
                scoreByName: try reader.require(scoreByName, Key.scoreByName),
                nameByNumber: try reader.require(nameByNumber, Key.nameByNumber),
                recordKind: try reader.require(recordKind, Key.recordKind),
                lastEvent: try reader.require(lastEvent, Key.lastEvent),
                partTree: partTree,
                createdAt: try reader.require(createdAt, Key.createdAt),
                eventDates: try reader.require(eventDates, Key.eventDates),
                rawBytes: try reader.require(rawBytes, Key.rawBytes),
                homePage: try reader.require(homePage, Key.homePage),
                ownIdentity: try reader.require(ownIdentity, Key.ownIdentity),
                exactPrice: try reader.require(exactPrice, Key.exactPrice),
                numberSet: try reader.require(numberSet, Key.numberSet),
            )
        }
    }
}
