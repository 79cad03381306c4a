@_exported public import HikyakuHTTP
@_exported public import HikyakuJSON
