#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension URL {
    /// The path of a file's URL; of any other URL its whole text, which errors then show, since no file has that path.
    package var filePath: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}
