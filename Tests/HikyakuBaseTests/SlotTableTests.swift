import TestSupport
import Testing

@testable import HikyakuBase

@Suite struct SlotTableTests {
    @Test func whatIsAddedIsTakenOutOnce() {
        var table = SlotTable<String>()
        let (first, second) = (table.insert("a"), table.insert("b"))
        #expect(table.count == 2 && table.values == ["a", "b"])
        #expect(table.remove(first) == "a")
        #expect(table.remove(first) == nil && table.count == 1)
        #expect(table.remove(second) == "b" && table.values.isEmpty)
    }

    @Test func aKeyNeverNamesWhatTookItsPlace() {
        var table = SlotTable<Int>()
        let old = table.insert(1)
        _ = table.remove(old)
        let new = table.insert(2)
        #expect(table.remove(old) == nil && old != new)
        #expect(table.remove(new) == 2)
    }

    @Test func valuesKeepTheirOrderOfInsertion() {
        var table = SlotTable<Int>()
        let keys = (0..<10).map { table.insert($0) }
        for index in [3, 1, 7] { #expect(table.remove(keys[index]) == index) }
        for value in 10..<13 { _ = table.insert(value) }
        #expect(table.values == [0, 2, 4, 5, 6, 8, 9, 10, 11, 12])
        #expect(table.removeAll { $0 > 8 } == [9, 10, 11, 12])
        #expect(table.values == [0, 2, 4, 5, 6, 8])
    }

    /// Also across the point at which the places of a busy time are given back.
    @Test func keysOfLongAgoFindNothing() {
        var table = SlotTable<Int>()
        let keys = (0..<1000).map { table.insert($0) }
        for (value, key) in keys.enumerated() { #expect(table.remove(key) == value) }
        #expect(table.count == 0)
        _ = table.insert(1)
        #expect(keys.allSatisfy { table.remove($0) == nil } && table.values == [1])
    }

    @Test(arguments: [1, 2, 3, 4])
    func itIsLikeADictionary(seed: Int) {
        var (table, model) = (SlotTable<Int>(), [SlotTable<Int>.Key: Int]())
        var random = SeededGenerator(seed: UInt64(seed))
        for value in 0..<5000 {
            let bits = random.next()
            if bits >> 33 & 3 != 0 || model.isEmpty {
                model[table.insert(value)] = value
            } else if let key = model.keys.randomElement() {
                #expect(table.remove(key) == model.removeValue(forKey: key))
            }
            if bits >> 40 & 255 == 0 {
                let taken = table.removeAll { $0.isMultiple(of: 2) }
                #expect(taken == model.values.filter { $0.isMultiple(of: 2) }.sorted())
                model = model.filter { !$0.value.isMultiple(of: 2) }
            }
            #expect(table.count == model.count)
        }
        #expect(table.values == model.values.sorted())
    }
}
