import Foundation
import Hikyaku
import HikyakuMockServer
import ShelterStore
import SwaggerStore
import Testing

/// Calls of the requests that are generated of the pet stores of 2.0 and 3.1, against a server.
@Suite struct PetstoreCallTests {
    private let server: MockServer
    private let client: APIClient<Public>

    init() throws {
        server = try MockServer()
        let local = APIEnvironment(baseURL: server.baseURL)
        client = APIClient().substituting(local, for: .swaggerPetstore).substituting(local, for: .petShelter())
    }

    // MARK: 2.0

    @Test func theSwaggerStoreIsCalled() async throws {
        server.route(.get, "/pets") { request in
            #expect(request.target == "/pets?limit=2")
            return .json(#"[{"id":1,"name":"Hachi"},{"id":2,"name":"Tama","tag":"cat"}]"#)
        }
        server.route(.post, "/pets") { _ in .json("null", status: 201) }
        server.route(.get, "/pets/:id") { request in
            .json(#"{"code":404,"message":"no pet \#(request.target)"}"#, status: 404)
        }
        let pets = try await client.send(SwaggerStore.PetsAPI.ListPets(limit: 2))
        #expect(pets.map(\.name) == ["Hachi", "Tama"] && pets[1].tag == "cat" && pets[0].tag == nil)
        try await client.send(SwaggerStore.PetsAPI.CreatePets())
        do {
            _ = try await client.send(SwaggerStore.PetsAPI.ShowPetByID(petID: "a/b"))
            Issue.record("no error")
        } catch .service(let error, _) {
            #expect(error.code == 404 && error.message == "no pet /pets/a%2Fb")
        }
    }

    // MARK: 3.1

    @Test func petsAreListed() async throws {
        server.route(.get, "/pets") { request in
            #expect(request.target == "/pets?page=2&kind=cat,dog")
            return .json(#"[{"kind":"cat","id":2,"name":null,"weight":4.5},{"id":1,"kind":"dragon","name":"Hachi"}]"#)
        }
        let pets = try await client.send(ShelterStore.PetsAPI.List(page: 2, kind: [.cat, .dog]))
        #expect(pets.map(\.name) == [nil, "Hachi"] && pets[0].weight == 4.5)
        #expect(pets[1].kind.rawValue == "dragon" && pets[0].kind == .cat)
    }

    @Test func aPetIsAddedWithTheCredential() async throws {
        server.route(.post, "/pets") { request in
            #expect(request.headers["X-Shelter-Key"] == "k")
            return .json(request.bodyText.replacing("{", with: #"{"id":7,"#, maxReplacements: 1), status: 201)
        }
        let local = APIEnvironment(baseURL: server.baseURL, allowingCredentialsOverPlainHTTP: true)
        let client = client.substituting(local, for: .petShelter())
            .authorized(by: .apiKey("k", in: .header("X-Shelter-Key")), for: local)
        let pet = try await client.send(ShelterStore.PetsAPI.Add(newPet: NewPet(name: "Tama", kind: .cat)))
        #expect(pet.id == 7 && pet.name == "Tama" && pet.adopter == nil)
    }
}
