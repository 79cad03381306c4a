import Hikyaku

/// Qiita's own error: `{"message":"Not found","type":"not_found"}`.
nonisolated struct QiitaError: ServiceFailure, Decodable {
    let message: String
    let type: String
}
