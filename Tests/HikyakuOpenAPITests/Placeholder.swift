@testable import HikyakuOpenAPI
