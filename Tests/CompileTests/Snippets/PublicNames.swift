// uses peers
import Foundation
import Hikyaku
import SwiftData
import SwiftUI

/// Two types that are the same one.
func same<T>(_: T.Type, _: T.Type) {}

func standardNamesStayTheirOwners() {
    same((any Decoder).self, (any Swift.Decoder).self)
    same((any Encoder).self, (any Swift.Encoder).self)
    same(Result<Int, Never>.self, Swift.Result<Int, Never>.self)
    same(Duration.self, Swift.Duration.self)
    same(JSONDecoder.self, Foundation.JSONDecoder.self)
    same(JSONEncoder.self, Foundation.JSONEncoder.self)
    same(Data.self, Foundation.Data.self)
    same(URL.self, Foundation.URL.self)
    same(Date.self, Foundation.Date.self)
    same(Operation.self, Foundation.Operation.self)
    same(Path.self, SwiftUI.Path.self)
    same(Environment.self, SwiftUI.Environment.self)
    same(Query<Int>.self, SwiftData.Query<Int>.self)
}

struct Reader: APIModel, Decodable {
    var data: Data

    init(from decoder: any Decoder) throws {
        data = try decoder.singleValueContainer().decode(Data.self)
    }
}

struct Screen: View {
    var path = Path()
    var body: Text { Text("items") }
}
