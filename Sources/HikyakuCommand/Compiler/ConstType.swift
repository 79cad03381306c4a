import Foundation

/// A type as the compiler's constant extraction tells of it.
///
/// The compiler writes one list for each source file. A type with extensions in several files is in the lists of all of
/// them, each time with the properties of that file alone.
struct ConstType: Equatable, Sendable {
    /// The name with its module, as in `App.Shop.Items`; with the parameters of a generic type.
    let name: String
    /// The name that the linker uses, without its prefix.
    let mangledName: String
    /// What kind of type it is: `struct`, `final class` and the like.
    let kind: String
    let file: String
    /// Counted from 1.
    let line: Int
    /// The protocols, inherited ones too, with their modules but without what they are nested in.
    var conformances: [String]
    /// What stands for the protocols' associated types, inferred ones too.
    var associatedTypes: [AssociatedType]
    var properties: [ConstProperty]

    struct AssociatedType: Equatable, Sendable, Decodable {
        let name: String
        let type: String

        private enum CodingKeys: String, CodingKey {
            case name = "typeAliasName"
            case type = "substitutedTypeName"
        }
    }

    /// The type that stands for an associated type.
    func associatedType(_ name: String) -> String? {
        associatedTypes.first { $0.name == name }?.type
    }
}

/// A property of a type, or of an extension of it.
struct ConstProperty: Equatable, Sendable {
    let name: String
    let type: String
    let isStatic: Bool
    let isComputed: Bool
    let file: String
    /// Counted from 1.
    let line: Int
    var value: ConstValue
    /// Whether it is stored and can never have another value; the compiler's list doesn't tell.
    var isConstant = false
}

extension ConstType {
    /// Reads a list as the compiler has written it.
    static func list(from data: Data) throws -> [ConstType] {
        // The compiler writes an empty file where nothing is to be told.
        data.isEmpty ? [] : try JSONDecoder().decode([ConstType].self, from: data)
    }

    /// The type without values that the compiler may have mistaken, and with constants known as such.
    ///
    /// Of `let a = 1, b = 2` the compiler tells the first value for both. A stored property whose own `let` or `var`
    /// isn't where the compiler says that its name is, is taken for one without a known value.
    func checked(_ files: SourceFiles) -> ConstType {
        var type = self
        for index in properties.indices where !properties[index].isComputed && properties[index].value != .runtime {
            let property = properties[index]
            let keyword = files[property.file].flatMap {
                SourceProperty.keyword(declaring: property.name, line: property.line, in: $0)
            }
            if keyword == nil { type.properties[index].value = .runtime }
            type.properties[index].isConstant = keyword == "let"
        }
        return type
    }

    /// Puts together what several lists say of the same types, in the order in which they first come.
    static func merged(_ types: [ConstType]) -> [ConstType] {
        var merged: [ConstType] = []
        var places: [String: Int] = [:]
        for type in types {
            if let place = places[type.mangledName] {
                // The list of a file that only extends a type may lack what its own file tells.
                func isNew<Part: Equatable>(_ parts: [Part]) -> (Part) -> Bool { { !parts.contains($0) } }
                merged[place].conformances += type.conformances.filter(isNew(merged[place].conformances))
                merged[place].associatedTypes += type.associatedTypes.filter(isNew(merged[place].associatedTypes))
                merged[place].properties += type.properties.filter(isNew(merged[place].properties))
            } else {
                places[type.mangledName] = merged.count
                merged.append(type)
            }
        }
        return merged
    }
}

extension ConstType: Decodable {
    private enum CodingKeys: String, CodingKey {
        case name = "typeName"
        case mangledName = "mangledTypeName"
        case kind, file, line, conformances
        case associatedTypes = "associatedTypeAliases"
        case properties
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        mangledName = try container.decodeIfPresent(String.self, forKey: .mangledName) ?? name
        kind = try container.decode(String.self, forKey: .kind)
        // A type that a macro made, or that comes from another module, has no place in a file.
        file = try container.decodeIfPresent(String.self, forKey: .file) ?? ""
        line = try container.decodeIfPresent(Int.self, forKey: .line) ?? 0
        conformances = try container.decodeIfPresent([String].self, forKey: .conformances) ?? []
        associatedTypes = try container.decodeIfPresent([AssociatedType].self, forKey: .associatedTypes) ?? []
        properties = try container.decode([ConstProperty].self, forKey: .properties)
    }
}

extension ConstProperty: Decodable {
    private enum CodingKeys: String, CodingKey {
        case name = "label"
        case type, isStatic, isComputed, file, line
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        type = try container.decode(String.self, forKey: .type)
        // The compiler writes these as text.
        isStatic = try container.decode(String.self, forKey: .isStatic) == "true"
        isComputed = try container.decode(String.self, forKey: .isComputed) == "true"
        file = try container.decodeIfPresent(String.self, forKey: .file) ?? ""
        line = try container.decodeIfPresent(Int.self, forKey: .line) ?? 0
        value = try ConstValue(from: decoder)
    }
}
