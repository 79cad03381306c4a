import Hikyaku

/// What Qiita answers when it refuses: `{"message":"Not found","type":"not_found"}`.
nonisolated struct QiitaError: ServiceFailure, Decodable {
    let message: String
    let type: String
}
