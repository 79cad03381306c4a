@_exported import HikyakuHTTP
@_exported import HikyakuJSON
