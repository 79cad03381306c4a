#if YAML
import Foundation
import Hikyaku
import HikyakuOpenAPI
import ShelterStore
import Testing

@testable import HikyakuOpenAPI

/// The examples of documents are read by the generated models and written again.
@Suite struct ExampleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// The models by their names; those of the shelter, whose names others have too, by document and name.
    private static var models: [String: any (JSONReadable & JSONWritable).Type] {
        [
            "SampleAccount": SampleAccount.self, "SampleBox": SampleBox.self, "SampleSettings": SampleSettings.self,
            "SampleSide": SampleSide.self, "SampleFormats": SampleFormats.self, "SamplePlace": SamplePlace.self,
            "SampleRow": SampleRow.self, "SampleNode": SampleNode.self, "SampleShape": SampleShape.self,
            "SampleReply": SampleReply.self, "SampleVague": SampleVague.self, "SampleNested": SampleNested.self,
            "SampleFallback": SampleFallback.self, "SampleAnimal": AnySampleAnimal.self,
            "SamplePlant": SamplePlant.self,
            "SampleMixed": SampleMixed.self,
            "SampleItem": SampleItem.self, "SampleContact": SampleContact.self, "SampleLabels": SampleLabels.self,
            "SampleRoute": SampleRoute.self, "SampleOwner": SampleOwner.self, "SampleParcel": SampleParcel.self,
            "SampleKey": SampleKey.self, "SampleEvent": SampleEvent.self,
            "Pet": Pet.self, "Category": Category.self, "Order": Order.self, "User": User.self,
            "ApiResponse": PetstoreAPIResponse.self, "petstore-3.1/Pet": ShelterStore.Pet.self,
            "petstore-3.1/NewPet": NewPet.self, "petstore-3.1/Chip": Chip.self, "petstore-3.1/Person": Person.self,
            "petstore-3.1/Visit": Visit.self, "petstore-3.1/Happening": Happening.self,
            "petstore-3.1/Fault": ShelterStore.Fault.self,
        ]
    }

    @Test(arguments: [("models-3.1", 54), ("petstore-3.0", 3), ("petstore-3.1", 9)])
    func examplesAreReadAndWrittenAsTheyAre(_ documentName: String, _ countMin: Int) throws {
        let path = Self.folder.appending(path: "Documents/\(documentName).yaml").path
        let document = try #require(APIDocument.read(path: path).document)
        var count = 0
        for named in document.schemas {
            for example in named.schema.examples {
                try check(example, named.name, of: documentName)
                count += 1
            }
            if let example = Self.composed(of: named.schema, document) {
                try check(example, named.name, of: documentName, allowsDefaults: true)
                count += 1
            }
        }
        for operation in document.operations {
            let contents = (operation.requestBody?.contents ?? []) + operation.responses.flatMap(\.contents)
            for content in contents where content.name.kind == .json {
                guard let key = content.schema?.reference, let name = document[key]?.name else { continue }
                for example in content.examples.map(\.value) {
                    try check(example, name, of: documentName)
                    count += 1
                }
            }
        }
        #expect(count >= countMin)
    }

    private func check(
        _ example: DocumentNode,
        _ name: String,
        of document: String,
        allowsDefaults: Bool = false,
    ) throws {
        let model = try #require(
            Self.models["\(document)/\(name)"] ?? Self.models[name],
            "the examples of \(name) need an entry",
        )
        let value = example.jsonValue
        var written = try Self.copy(value, by: model)
        if allowsDefaults, case .object(let members) = value, case .object(let all) = written {
            written = .object(all.filter { members[$0.key] != nil })
        }
        #expect(written == value, "\(name)")
    }

    private static func copy<Model: JSONReadable & JSONWritable>(
        _ value: JSONValue,
        by type: Model.Type,
    ) throws -> JSONValue {
        let model = try HikyakuJSONDecoder().read(Model.self, from: HikyakuJSONEncoder().encode(value))
        return try HikyakuJSONDecoder().read(JSONValue.self, from: HikyakuJSONEncoder().write(model))
    }

    /// An example that is made of those of the properties, if all required ones have any.
    private static func composed(of schema: Schema, _ document: APIDocument) -> DocumentNode? {
        var members: [DocumentMember] = []
        for property in schema.properties {
            var target = property.schema
            if target.examples.isEmpty, let key = target.reference, let found = document[key] { target = found.schema }
            if let example = target.examples.first {
                members.append(DocumentMember(property.name, at: property.position, example))
            } else if property.isRequired {
                return nil
            }
        }
        return members.first.map { DocumentNode(.object(members), at: $0.keyPosition) }
    }
}
#endif
