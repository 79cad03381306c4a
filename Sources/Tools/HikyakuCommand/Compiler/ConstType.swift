import Foundation

/// A type as the compiler's constant extraction describes it.
///
/// The compiler writes one list for each source file. A type with extensions in several files is in all their lists,
/// each time only with the properties in that file.
struct ConstType: Equatable, Sendable {
    /// The name with its module and its generic parameters, for example `App.Shop.Items`.
    let name: String
    /// The name that the linker uses, without its prefix.
    let mangledName: String
    /// The kind of type, such as `struct` or `final class`.
    let kind: String
    let file: String
    /// Counted from 1.
    let line: Int
    /// The protocols, including inherited ones, with their modules but without outer types.
    var conformances: [String]
    /// The types for the protocols' associated types, including inferred ones.
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

    /// The names of the library's protocols.
    var libraryProtocols: Set<String> {
        let libraries = ["Hikyaku", "HikyakuEngine"]
        return Set(
            conformances.filter { name in libraries.contains { name.hasPrefix("\($0).") } }
                .map { String($0.drop { $0 != "." }.dropFirst()) }
        )
    }

    /// The type for an associated type.
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
    /// Whether it is a stored constant, which the compiler's list doesn't contain.
    var isConstant = false
    /// How it is read, which the compiler's list doesn't contain.
    var getter = Getter.plain
}

extension ConstType {
    /// Reads a list that the compiler wrote.
    static func list(from data: Data) throws -> [ConstType] {
        // The compiler writes an empty file if there is no value.
        data.isEmpty ? [] : try JSONDecoder().decode([ConstType].self, from: data)
    }

    /// The type without possibly wrong values, and with constants marked as such.
    ///
    /// For `let a = 1, b = 2` the compiler writes the first value for both. So the value of a stored property is
    /// dropped if the source has no `let` or `var` before its name, on the line from the compiler.
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

    /// Merges the entries of several lists for the same types, in the order of their first occurrence.
    static func merged(_ types: [ConstType]) -> [ConstType] {
        var merged: [ConstType] = []
        var indices: [String: Int] = [:]
        for type in types {
            if let index = indices[type.mangledName] {
                // The list of a file with an extension may lack members that the type's own file has.
                func isNew<Part: Equatable>(_ parts: [Part]) -> (Part) -> Bool { { !parts.contains($0) } }
                merged[index].conformances += type.conformances.filter(isNew(merged[index].conformances))
                merged[index].associatedTypes += type.associatedTypes.filter(isNew(merged[index].associatedTypes))
                merged[index].properties += type.properties.filter(isNew(merged[index].properties))
            } else {
                indices[type.mangledName] = merged.count
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
        // A type from a macro or from another module has no location.
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
        // The compiler writes these Booleans as strings.
        isStatic = try container.decode(String.self, forKey: .isStatic) == "true"
        isComputed = try container.decode(String.self, forKey: .isComputed) == "true"
        file = try container.decodeIfPresent(String.self, forKey: .file) ?? ""
        line = try container.decodeIfPresent(Int.self, forKey: .line) ?? 0
        value = try ConstValue(from: decoder)
    }
}
