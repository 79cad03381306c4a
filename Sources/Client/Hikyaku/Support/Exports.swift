@_exported public import HikyakuEngine
@_exported public import HikyakuHTTP
@_exported public import HikyakuJSON
