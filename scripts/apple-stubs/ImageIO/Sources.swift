// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

@_exported public import CoreFoundation
@_exported public import CoreGraphics
public import FoundationEssentials

/// https://developer.apple.com/documentation/imageio/cgimagesource
public class CGImageSource {
    /// https://developer.apple.com/documentation/imageio/cgimagesource/init()
    init() {}
}

/// https://developer.apple.com/documentation/imageio/cgimagesourcestatus
public enum CGImageSourceStatus: Int32, Sendable {
    /// https://developer.apple.com/documentation/imageio/cgimagesourcestatus/statusunexpectedeof
    case statusUnexpectedEOF = -5
    /// https://developer.apple.com/documentation/imageio/cgimagesourcestatus/statusinvaliddata
    case statusInvalidData = -4
    /// https://developer.apple.com/documentation/imageio/cgimagesourcestatus/statusunknowntype
    case statusUnknownType = -3
    /// https://developer.apple.com/documentation/imageio/cgimagesourcestatus/statusreadingheader
    case statusReadingHeader = -2
    /// https://developer.apple.com/documentation/imageio/cgimagesourcestatus/statusincomplete
    case statusIncomplete = -1
    /// https://developer.apple.com/documentation/imageio/cgimagesourcestatus/statuscomplete
    case statusComplete = 0
}

/// https://developer.apple.com/documentation/imageio/cgimagesourcecreatewithdata(_:_:)
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { fatalError() }
/// https://developer.apple.com/documentation/imageio/cgimagesourcecreatewithurl(_:_:)
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? { fatalError() }
/// https://developer.apple.com/documentation/imageio/cgimagesourcecreateimageatindex(_:_:_:)
public func CGImageSourceCreateImageAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ options: CFDictionary?,
) -> CGImage? { fatalError() }
/// https://developer.apple.com/documentation/imageio/cgimagesourcecreatethumbnailatindex(_:_:_:)
public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ options: CFDictionary?,
) -> CGImage? { fatalError() }
/// https://developer.apple.com/documentation/imageio/cgimagesourcecopypropertiesatindex(_:_:_:)
public func CGImageSourceCopyPropertiesAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ options: CFDictionary?,
) -> CFDictionary? { fatalError() }
/// https://developer.apple.com/documentation/imageio/cgimagesourcecopyproperties(_:_:)
public func CGImageSourceCopyProperties(_ isrc: CGImageSource, _ options: CFDictionary?) -> CFDictionary? {
    fatalError()
}
/// https://developer.apple.com/documentation/imageio/cgimagesourcegetcount(_:)
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { fatalError() }
/// https://developer.apple.com/documentation/imageio/cgimagesourcegettype(_:)
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? { fatalError() }
/// https://developer.apple.com/documentation/imageio/cgimagesourcegetstatus(_:)
public func CGImageSourceGetStatus(_ isrc: CGImageSource) -> CGImageSourceStatus { fatalError() }
/// https://developer.apple.com/documentation/imageio/cgimagesourcegetstatusatindex(_:_:)
public func CGImageSourceGetStatusAtIndex(_ isrc: CGImageSource, _ index: Int) -> CGImageSourceStatus { fatalError() }

/// https://developer.apple.com/documentation/imageio/kcgimagesourcetypeidentifierhint
public let kCGImageSourceTypeIdentifierHint: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagesourceshouldallowfloat
public let kCGImageSourceShouldAllowFloat: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagesourceshouldcache
public let kCGImageSourceShouldCache: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagesourceshouldcacheimmediately
public let kCGImageSourceShouldCacheImmediately: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagesourcecreatethumbnailfromimageifabsent
public let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagesourcecreatethumbnailfromimagealways
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagesourcethumbnailmaxpixelsize
public let kCGImageSourceThumbnailMaxPixelSize: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagesourcecreatethumbnailwithtransform
public let kCGImageSourceCreateThumbnailWithTransform: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagesourcesubsamplefactor
public let kCGImageSourceSubsampleFactor: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagepropertypixelwidth
public let kCGImagePropertyPixelWidth: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagepropertypixelheight
public let kCGImagePropertyPixelHeight: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagepropertyorientation
public let kCGImagePropertyOrientation: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagepropertydepth
public let kCGImagePropertyDepth: CFString = ""
/// https://developer.apple.com/documentation/imageio/kcgimagepropertycolormodel
public let kCGImagePropertyColorModel: CFString = ""

/// https://developer.apple.com/documentation/imageio/cgimagepropertyorientation
public enum CGImagePropertyOrientation: UInt32, Sendable {
    /// https://developer.apple.com/documentation/imageio/cgimagepropertyorientation/up
    case up = 1
    /// https://developer.apple.com/documentation/imageio/cgimagepropertyorientation/upmirrored
    case upMirrored = 2
    /// https://developer.apple.com/documentation/imageio/cgimagepropertyorientation/down
    case down = 3
    /// https://developer.apple.com/documentation/imageio/cgimagepropertyorientation/downmirrored
    case downMirrored = 4
    /// https://developer.apple.com/documentation/imageio/cgimagepropertyorientation/leftmirrored
    case leftMirrored = 5
    /// https://developer.apple.com/documentation/imageio/cgimagepropertyorientation/right
    case right = 6
    /// https://developer.apple.com/documentation/imageio/cgimagepropertyorientation/rightmirrored
    case rightMirrored = 7
    /// https://developer.apple.com/documentation/imageio/cgimagepropertyorientation/left
    case left = 8
}
/// https://developer.apple.com/documentation/imageio/cgimagesourcegetprimaryimageindex(_:)
public func CGImageSourceGetPrimaryImageIndex(_ isrc: CGImageSource) -> Int { fatalError() }
/// https://developer.apple.com/documentation/imageio/cgimagesourcecopytypeidentifiers()
public func CGImageSourceCopyTypeIdentifiers() -> CFArray { fatalError() }
