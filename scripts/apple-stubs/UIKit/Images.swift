import Foundation

open class UIImage: NSObject {
    public init?(data: Data, scale: CGFloat) { nil }
}
