import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Qiita's own error: `{"message":"Not found","type":"not_found"}`.
///
/// As a `LocalizedError` it speaks for itself: people see its message.
struct QiitaError: ServiceFailure, Decodable, LocalizedError {
    let message: String
    let type: String

    var errorDescription: String? { message }
}
