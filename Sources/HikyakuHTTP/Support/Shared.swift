package import HikyakuBase

// The modules above know these by HikyakuHTTP.
package typealias HTTPOrigin = HikyakuBase.HTTPOrigin
package typealias Lock = HikyakuBase.Lock
package typealias SlotTable = HikyakuBase.SlotTable
